#include "aladdin/evaluate/evaluation_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "aladdin/core/error.h"
#include "aladdin/evaluate/evaluation_report.h"
#include "aladdin/image/io.h"

namespace aladdin::evaluate {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class EvaluationPart : public ::testing::Test {
 protected:
  EvaluationPart() { std::filesystem::create_directories(folder_); }
  ~EvaluationPart() override { std::filesystem::remove_all(folder_); }

  // Five subjects of two structures, one of which the last one lacks, moved by different steps.
  Source source() const {
    Grid grid;
    grid.size = {9, 6, 5};
    grid.spacing = {1, 1.5, 2};
    Source s;
    s.name = "five";
    for (int i = 0; i < 5; ++i) {
      Labels labels(grid);
      for (std::int64_t v = 0; v < grid.voxels(); ++v) {
        const std::int64_t x = v % 9;
        labels.values[v] = x >= 1 + i % 3 && x <= 4 ? 3 : x > 5 && i < 4 ? 7 : 0;
      }
      SourceSubject subject;
      subject.id = "s" + std::to_string(i);
      subject.split = i % 2 ? "val" : "train";
      subject.label = folder_ / (subject.id + ".nii.gz");
      write_labels(subject.label, labels);
      const double mm = 0.3 * i;
      subject.native_to_atlas = [mm] { return Chain{translation({mm, 0, 0})}; };
      s.subjects.push_back(subject);
    }
    s.segmentation = s.subjects[0].label;
    return s;
  }
  std::vector<Evaluation> parts(std::size_t count, EvaluationOptions options) const {
    std::vector<Evaluation> out;
    for (std::size_t i = 0; i < count; ++i) {
      options.shard = {i, count};
      const Path path = folder_ / fmt::format("part{}.json", i);
      write_part(path, evaluate(source(), options));
      out.push_back(read_part(path));
    }
    return out;
  }

  const Path folder_ = Path(::testing::TempDir()) /
                       fmt::format("{}_{}", getpid(),
                                   ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(EvaluationPart, TogetherAreTheWhole) {
  for (const bool exact : {false, true}) {
    EvaluationOptions options;
    options.exact = exact;
    const Evaluation whole = evaluate(source(), options);
    for (const std::size_t count : {1, 2, 5}) {
      auto all = parts(count, options);
      std::reverse(all.begin(), all.end());  // in any order
      const auto merged = merge_parts(all);
      ASSERT_EQ(merged.size(), 1U);
      // Pairs are summed in another order.
      EXPECT_NEAR(merged[0].pairs->mean.sd, whole.pairs->mean.sd, 1e-12);
      EXPECT_EQ(to_csv(merged, {}), to_csv(std::span(&whole, 1), {})) << exact << count;
      EXPECT_EQ(to_text(merged[0], {}), to_text(whole, {}));
    }
  }
}

TEST_F(EvaluationPart, RefusesMissingDoubleAndForeignParts) {
  const auto all = parts(3, {});
  EXPECT_THAT(
      [&] {
        merge_parts({all[0], all[2]});
      },
      ThrowsMessage<Error>(HasSubstr("the part 2/3 of 'five' is missing")));
  EXPECT_THAT(
      [&] {
        merge_parts({all[0], all[1], all[1], all[2]});
      },
      ThrowsMessage<Error>(HasSubstr("the part 2/3 of 'five' is given twice")));
  EvaluationOptions options;
  options.shard = {1, 3};
  options.exact = true;
  EXPECT_THAT(
      [&] {
        merge_parts({all[0], evaluate(source(), options), all[2]});
      },
      ThrowsMessage<Error>(HasSubstr("belong to different evaluations")));
}

TEST_F(EvaluationPart, RefusesDamagedFilesInOneSentence) {
  EvaluationOptions options;
  options.shard = {0, 2};
  const Path path = folder_ / "part.json";
  write_part(path, evaluate(source(), options));
  const std::string text = read_text(path);
  const auto put = [&](const std::string& bytes) { std::ofstream(path) << bytes; };
  // Cut anywhere, and with any value replaced by another kind.
  for (std::size_t cut = 0; cut + 2 < text.size(); cut += 101) {
    put(text.substr(0, cut));
    EXPECT_THROW(read_part(path), Error) << cut;
  }
  for (std::size_t at = text.find(": "); at != std::string::npos; at = text.find(": ", at + 2)) {
    put(text.substr(0, at) + ": {}" + text.substr(text.find('\n', at)));
    EXPECT_THROW(read_part(path), Error) << text.substr(at - 20, 40);
  }
  put(R"({"format": "aladdin evaluation part", "version": 2})");
  EXPECT_THAT([&] { read_part(path); }, ThrowsMessage<Error>(HasSubstr("of version 2")));
}

}  // namespace
}  // namespace aladdin::evaluate
