#include "aladdin/core/apart.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <vector>

namespace aladdin {
namespace {

const ApartLimits kSmall{std::uint64_t{1} << 28, 2};
const Error kDied = Error("it died");

std::string apart(const std::function<std::string()>& work) {
  return run_apart(kSmall, kDied, work);
}

std::string sentence(const std::function<std::string()>& work) {
  try {
    apart(work);
  } catch (const Error& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "no memory";
  }
  return "nothing was thrown";
}

TEST(Apart, HandsBackBytes) {
  std::string bytes(3'000'000, '\0');
  for (std::size_t n = 0; n < bytes.size(); ++n) bytes[n] = static_cast<char>(n * 7);
  EXPECT_EQ(apart([&] { return bytes; }), bytes);
  EXPECT_EQ(apart([] { return std::string(); }), "");
}

TEST(Apart, IsAnotherProcess) {
  int here = 1;
  std::string bytes = apart([&] {
    here = 2;
    std::string out;
    append_bytes(out, getpid());
    append_bytes(out, here);
    return out;
  });
  std::string_view rest = bytes;
  EXPECT_NE(take<pid_t>(rest), getpid());
  EXPECT_EQ(take<int>(rest), 2);
  EXPECT_EQ(here, 1);
  EXPECT_THROW(take<char>(rest), Error);
}

TEST(Apart, ErrorsKeepSentenceAndExitCode) {
  try {
    apart([]() -> std::string { throw Error("what", ExitCode::usage).hint("hint"); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "what; hint");
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
  }
}

TEST(Apart, WhateverEndsTheChildIsOneError) {
  EXPECT_EQ(sentence([]() -> std::string { std::abort(); }), "it died");
  EXPECT_EQ(sentence([]() -> std::string {
              std::raise(SIGSEGV);
              return "";
            }),
            "it died");
  EXPECT_EQ(sentence([]() -> std::string { std::exit(0); }), "it died");
  EXPECT_EQ(sentence([]() -> std::string { throw 1; }), "it died");
}

TEST(Apart, ALoopEnds) {
  EXPECT_EQ(sentence([]() -> std::string {
              for (;;) getppid();
            }),
            "it died (reading it took too long or too much memory)");
}

#if !defined(__SANITIZE_ADDRESS__)  // whose allocator ends the process
TEST(Apart, MemoryIsLimited) {
  EXPECT_EQ(sentence([] {
              std::vector<std::string> all;
              for (int n = 0; n < 1000; ++n) all.emplace_back(16 << 20, 'x');
              return all.back();
            }),
            "no memory");
}
#endif

TEST(Apart, WorksWhereChildrenAreIgnored) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(apart([] { return std::string("value"); }), "value");
  EXPECT_EQ(sentence([]() -> std::string { std::abort(); }), "it died");
  std::signal(SIGCHLD, before);
}

}  // namespace
}  // namespace aladdin
