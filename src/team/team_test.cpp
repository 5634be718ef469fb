#include "aladdin/team/team.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "aladdin/core/error.h"
#include "aladdin/team/gradient_sum.h"
#include "aladdin/team/test_port.h"

namespace aladdin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Each a thread, as if it were a process.
void run_team(int size, const std::function<void(const Team&)>& body) {
  const ReservedPort reserved;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      try {
        body(Team({rank, size, rank, size, "127.0.0.1", reserved.port()}));
      } catch (const std::exception& error) {
        ADD_FAILURE() << "process " << rank << ": " << error.what();
      }
    });
  for (auto& thread : threads) thread.join();
}

TEST(Team, OneAloneDoesNothing) {
  const Team team;
  EXPECT_TRUE(team.is_alone());
  EXPECT_TRUE(team.leads());
  EXPECT_EQ(team.part(5), (std::pair<std::int64_t, std::int64_t>{0, 5}));
  at::Tensor a = at::ones({3});
  team.sum(a);
  EXPECT_TRUE(a.equal(at::ones({3})));
  EXPECT_EQ(team.gather(std::string("x")), std::vector<std::string>{"x"});
  EXPECT_THROW(team.each([] { fail("no"); }), Error);
}

// What joining says, without the time it took.
std::string why_not_joined(const Launch& launch) {
  try {
    const Team team(launch);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Team, ARefusalAtOnceDoesNotSpeakOfWaiting) {
  // Somebody else's server, which hangs up on everyone.
  const ReservedPort other;
  other.listen();
  std::atomic<bool> ended = false;
  std::thread server([&] {
    while (!ended) {
      pollfd wait{other.file(), POLLIN, 0};
      if (poll(&wait, 1, 20) > 0) close(accept(other.file(), nullptr, nullptr));
    }
  });
  const std::string said = why_not_joined({1, 2, 1, 2, "127.0.0.1", other.port()});
  ended = true;
  server.join();
  EXPECT_THAT(said, HasSubstr("process 2 of 2 was refused by the others at 127.0.0.1:"));
  EXPECT_THAT(said, HasSubstr("MASTER_PORT"));
  EXPECT_THAT(said, Not(HasSubstr("within")));
}

TEST(Team, APortThatSomebodyListensAtIsNamed) {
  const ReservedPort other;
  other.listen();
  EXPECT_THAT(
      why_not_joined({0, 2, 0, 2, "127.0.0.1", other.port()}),
      HasSubstr(fmt::format("cannot listen on port {}: another process uses it", other.port())));
}

TEST(Team, EveryThingHasOneOwner) {
  run_team(3, [](const Team& team) {
    for (const std::int64_t n : {0, 1, 2, 3, 7, 12}) {
      std::int64_t next = 0;
      for (int r = 0; r < 3; ++r) {
        const auto [begin, end] = team.part(n, r);
        EXPECT_EQ(begin, next);
        EXPECT_LE(end - begin, (n + 2) / 3);
        next = end;
      }
      EXPECT_EQ(next, n);
    }
  });
}

TEST(Team, SumsAndGathers) {
  run_team(3, [](const Team& team) {
    const double mine = team.rank() + 1;
    at::Tensor sum = at::full({2, 2}, mine);
    team.sum(sum);
    EXPECT_TRUE(sum.equal(at::full({2, 2}, 6.0)));
    const auto numbers = team.gather(std::vector<double>{mine, 0.5});
    EXPECT_EQ(numbers[2][0], 3);
    EXPECT_THAT(team.gather(std::string(team.rank(), 'x')), ElementsAre("", "x", "xx"));
    // Five rows over three: 1, 2, 2.
    const auto [begin, end] = team.part(5);
    const at::Tensor rows = at::arange(begin, end, at::kFloat).view({-1, 1});
    EXPECT_TRUE(team.gather_rows(rows, 5).equal(at::arange(0, 5, at::kFloat).view({-1, 1})));
    // Two rows: the first process has none of them.
    const auto [first, last] = team.part(2);
    EXPECT_EQ(team.gather_rows(at::full({last - first, 4}, mine), 2).size(0), 2);
  });
}

TEST(Team, WhatOneCannotDoFailsEverywhere) {
  run_team(2, [](const Team& team) {
    try {
      team.each([&] {
        if (team.rank() == 1) throw Error("the second cannot", ExitCode::usage).hint("let it be");
      });
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "the second cannot; let it be");
      EXPECT_EQ(error.exit_code(), ExitCode::usage);
    }
  });
}

TEST(Team, OneThatLeavesIsMissed) {
  run_team(3, [](const Team& team) {
    try {
      team.pulse();  // all have come together
      if (team.rank() == 2) return;
      for (int k = 0; k < 3; ++k) team.pulse();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("lost another one"));
    }
  });
  for (const int guilty : {0, 1})
    run_team(3, [&](const Team& team) {
      try {
        team.pulse();
        if (team.rank() == guilty) return team.leave("its disk is full");
        // Busy while the others end.
        if (team.rank() == 2) std::this_thread::sleep_for(std::chrono::milliseconds(500));
        for (int k = 0; k < 3; ++k) team.pulse();
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("its disk is full"));
      }
    });
}

TEST(Team, OneThatLeavesIsMissedByThoseThatWork) {
  run_team(2, [](const Team& team) {
    team.pulse();
    if (team.rank() == 1) return;
    bool ended = false;
    try {
      team.each_watched([&](const Team::GivenUp& given_up) {
        while (!given_up()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        ended = true;
      });
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("lost another one"));
    }
    EXPECT_TRUE(ended);
  });
}

TEST(Team, WhatOneCouldNotDoWhileWatchedFailsEverywhere) {
  run_team(2, [](const Team& team) {
    std::atomic<int> done = 0;
    team.each_watched([&](const Team::GivenUp&) { ++done; });
    EXPECT_EQ(done, 1);
    try {
      team.each_watched([&](const Team::GivenUp&) {
        if (team.rank() == 1) fail("no such file");
      });
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("no such file"));
    }
  });
}

TEST(Team, GradientsAreSummedWhetherToldOrNot) {
  const std::vector<at::Tensor> leaves{at::zeros({300, 700}), at::zeros({700}), at::zeros({2, 3})};
  for (const bool overlap : {true, false})
    run_team(2, [&](const Team& team) {
      GradientSum sum(team, overlap);
      sum.begin(leaves);
      std::vector<at::Tensor> grads;
      for (const at::Tensor& leaf : leaves) grads.push_back(at::full_like(leaf, team.rank() + 1));
      if (team.rank() == 0) {  // in two passes; the other one has nothing to tell
        sum.recorded();
        sum.recorded();
        for (int pass = 0; pass < 2; ++pass)
          for (std::size_t n = leaves.size(); n-- > 0;) sum.found(n, 0.5 * grads[n]);
      }
      for (const at::Tensor& one : sum.finish(grads)) EXPECT_TRUE(one.equal(at::full_like(one, 3)));
    });
}

}  // namespace
}  // namespace aladdin
