#include "aladdin/stats/permutation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "aladdin/core/interrupt.h"
#include "aladdin/core/parallel.h"
#include "aladdin/image/test_files.h"
#include "aladdin/stats/test_designs.h"

namespace aladdin::stats {
namespace {

using ::testing::HasSubstr;

std::vector<float> observed_of(const Partition& partition, const Data& data) {
  std::vector<float> observed;
  for (const Fit& fit : fit_all(partition, data))
    observed.push_back(static_cast<float>(fit.statistic));
  return observed;
}

struct Asked {
  const char *formula, *test, *blocks;
};

class FreedmanLane : public ::testing::TestWithParam<Asked> {};

// As they wrote it: the reduced model's fit and its shuffled residuals are a new data set for the full model.
TEST_P(FreedmanLane, IsItsDefinition) {
  const auto [formula, test, blocks] = GetParam();
  constexpr int kSubjects = 24, kShuffles = 150;
  Table table = testing::random_table(kSubjects, 7);
  for (int s = 0; s < kSubjects; ++s) table.columns["pair"].push_back(fmt::format("{}", s / 2));
  const Partition partition = testing::partition_of(formula, test, table);
  const Shuffles shuffles(partition, *blocks ? table.column(blocks) : std::vector<std::string>{},
                          3);
  const Data data = testing::random_data(9, kSubjects, 11);
  const auto observed = observed_of(partition, data);
  PermutationOptions options;
  options.count = kShuffles;
  const auto found = permute(partition, shuffles, data, observed, nullptr, options);

  const Fitter fitter(partition);
  std::vector<std::int32_t> counts(9, 0);
  for (int k = 0; k < kShuffles; ++k) {
    const auto shuffle = shuffles.draw(k);
    double largest = 0;
    for (std::int64_t r = 0; r < 9; ++r) {
      const Eigen::VectorXd y =
          Eigen::Map<const Eigen::VectorXf>(data.row(r).data(), kSubjects).cast<double>();
      const Eigen::VectorXd reduced = partition.nuisance * (partition.nuisance.transpose() * y);
      const Eigen::VectorXd residual = y - reduced;
      Eigen::VectorXd shuffled = reduced;
      for (int s = 0; s < kSubjects; ++s)
        shuffled[s] += shuffle.sign[s] * residual[shuffle.from[s]];
      const double statistic = fitter.fit(shuffled).statistic;
      counts[r] += std::abs(statistic) >= std::abs(observed[r]);
      largest = std::max(largest, std::abs(statistic));
    }
    EXPECT_NEAR(found.maxima[k], largest, 1e-4 * largest) << "shuffle " << k;
  }
  EXPECT_EQ(found.counts, counts);
  EXPECT_EQ(found.done, kShuffles);
}

INSTANTIATE_TEST_SUITE_P(Tests, FreedmanLane,
                         ::testing::Values(Asked{"age + sex + size", "age", ""},
                                           Asked{"age + group", "group", ""},
                                           Asked{"group", "group[c] - group[b]", ""},
                                           Asked{"1", "1", ""}, Asked{"age", "1", ""},
                                           Asked{"age + C(pair)", "age", "pair"},
                                           Asked{"age", "1", "pair"}));

struct Study {
  Grid grid;
  Table table = testing::random_table(20, 3);
  Partition partition = testing::partition_of("age + sex", "age", table);
  Shuffles shuffles{partition, {}, 5};
  Data data = testing::random_data(1100, 20, 2);  // more than one task
  std::vector<float> observed = observed_of(partition, data);
  PermutationOptions options;

  Study() {
    grid.size = {11, 10, 10};
    options.count = 200;
  }
  Permutations run() const {
    std::vector<std::int64_t> voxels(1100);
    for (std::size_t v = 0; v < voxels.size(); ++v) voxels[v] = static_cast<std::int64_t>(v);
    const Neighbours neighbours(grid, voxels);
    return permute(partition, shuffles, data, observed, &neighbours, options);
  }
};

void expect_same(const Permutations& one, const Permutations& other) {
  EXPECT_EQ(one.counts, other.counts);
  EXPECT_EQ(one.maxima, other.maxima);
  EXPECT_EQ(one.tfce_maxima, other.tfce_maxima);
}

TEST(Permute, AnyNumberOfThreadsGivesTheSameBits) {
  const Study study;
  const int before = threads();
  set_threads(1);
  const Permutations one = study.run();
  set_threads(3);
  const Permutations three = study.run();
  set_threads(before);
  expect_same(one, three);
  EXPECT_EQ(one.tfce_maxima.size(), 200U);
}

TEST(Permute, ShufflesDoNotDependOnHowManyThereAre) {
  Study study;
  const Permutations many = study.run();
  study.options.count = 70;
  const Permutations few = study.run();
  EXPECT_TRUE(std::equal(few.maxima.begin(), few.maxima.end(), many.maxima.begin()));
}

// Leaves the study to be resumed.
void stop_after_a_batch(Study& study, const Path& state) {
  study.options.state = state;
  study.options.advance = [](std::int64_t by) {
    if (by > 0) raise(SIGTERM);
  };
  {
    const StopRequests stops(true);
    EXPECT_THROW(study.run(), Interrupted);
  }
  study.options.advance = {};
  study.options.resume = true;
}

TEST(Permute, StoppedAndResumedIsUninterrupted) {
  const testing::TemporaryFolder folder;
  Study study;
  const Permutations whole = study.run();
  stop_after_a_batch(study, folder / "state");
  ASSERT_TRUE(std::filesystem::exists(study.options.state));
  std::vector<std::int64_t> steps;
  study.options.advance = [&](std::int64_t by) { steps.push_back(by); };
  expect_same(study.run(), whole);
  EXPECT_EQ(steps.front(), 64) << "what was done is not done again";
}

TEST(Permute, AStateOfAnotherAnalysisOrADamagedOneIsRefused) {
  const testing::TemporaryFolder folder;
  Study study;
  stop_after_a_batch(study, folder / "state");
  study.data.values[500] += .5F;
  EXPECT_THAT(testing::error_of([&] { study.run(); }), HasSubstr("belongs to another analysis"));
  study.data.values[500] -= .5F;
  study.options.tfce = false;
  EXPECT_THAT(testing::error_of([&] { study.run(); }), HasSubstr("belongs to another analysis"));
  study.options.tfce = true;
  study.options.count = 10;
  EXPECT_THAT(testing::error_of([&] { study.run(); }), HasSubstr("64 permutations are done"));
  std::string bytes = read_text(study.options.state);
  bytes[bytes.size() / 2] ^= 1;
  testing::write_bytes(study.options.state, bytes);
  study.options.count = 200;
  EXPECT_THAT(testing::error_of([&] { study.run(); }), HasSubstr("is damaged"));
}

TEST(Permute, ARowWithoutVarianceTakesNoPart) {
  Study study;
  for (std::int64_t s = 0; s < 20; ++s) study.data.values[s] = 4;
  study.observed = observed_of(study.partition, study.data);
  EXPECT_EQ(study.observed[0], 0);
  const Permutations found = study.run();
  EXPECT_EQ(found.counts[0], 200) << "0 is at least as large as 0: p = 1";
  for (const float largest : found.maxima) EXPECT_TRUE(std::isfinite(largest));
}

}  // namespace
}  // namespace aladdin::stats
