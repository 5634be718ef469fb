#include "aladdin/core/slicer_progress.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace aladdin {
namespace {

std::string said(const char* environment) {
  environment ? setenv("ALADDIN_PROGRESS", environment, 1) : unsetenv("ALADDIN_PROGRESS");
  ::testing::internal::CaptureStdout();
  tell_slicer("one", 0.25);
  tell_slicer("one", 0.26);  // too soon
  tell_slicer("two", 0);
  tell_slicer("two", 1.5);
  std::fflush(stdout);
  unsetenv("ALADDIN_PROGRESS");
  return ::testing::internal::GetCapturedStdout();
}

TEST(SlicerProgress, SpeaksOnlyWhereItIsAskedTo) {
  EXPECT_EQ(said(nullptr), "");
  EXPECT_EQ(said("no"), "");
}

TEST(SlicerProgress, EachWorkBeginsGoesOnAndEnds) {
  const auto start = [](const std::string& name) {
    return "<filter-start><filter-name>" + name + "</filter-name><filter-comment>" + name +
           "</filter-comment></filter-start>\n";
  };
  const auto end = [](const std::string& name) {
    return "<filter-end><filter-name>" + name +
           "</filter-name><filter-time>0.00</filter-time></filter-end>\n";
  };
  EXPECT_EQ(said("slicer"), start("one") + "<filter-progress>0.2500</filter-progress>\n" +
                                end("one") + start("two") +
                                "<filter-progress>0.0000</filter-progress>\n"
                                "<filter-progress>1.0000</filter-progress>\n" +
                                end("two"));
}

}  // namespace
}  // namespace aladdin
