#include "aladdin/condition/atlas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/condition/plan.h"
#include "aladdin/condition/test_run.h"
#include "aladdin/core/parallel.h"

namespace aladdin::condition {
namespace {

using ::aladdin::testing::ageing_discs;
using ::aladdin::testing::area_at;
using ::aladdin::testing::Disc;
using ::aladdin::testing::error_of;
using ::aladdin::testing::TemporaryFolder;
using ::aladdin::testing::write_disc_run;
using ::testing::HasSubstr;

class AtlasTest : public ::testing::Test {
 protected:
  std::vector<Atlas> made(const std::vector<Disc>& discs, const Question& question,
                          const std::string& bandwidth = "20") {
    const RunDirectory run{folder_ / fmt::format("run{}", ++runs_)};
    write_disc_run(run, discs);
    const RunSubjects subjects(run.folder);
    const bool numbers = !question.at.empty() || question.sweep;
    plan_ = plan_atlases(subjects, question,
                         numbers ? parse_bandwidth(bandwidth) : std::vector<Width>{});
    std::vector<Atlas> all;
    make_atlases(subjects, plan_.group.members, plan_.weights, [&](std::size_t a, Atlas&& atlas) {
      EXPECT_EQ(a, all.size());
      all.push_back(std::move(atlas));
    });
    return all;
  }

  static Question at(const std::string& text) {
    Question question;
    question.at = parse_at(text);
    return question;
  }
  static Question sweep(const std::string& text) {
    Question question;
    question.sweep = parse_sweep(text);
    return question;
  }
  static double most(const std::vector<float>& values) {
    double out = 0;
    for (const float value : values) out = std::max(out, std::abs(double(value)));
    return out;
  }

  TemporaryFolder folder_;
  Plan plan_;
  int runs_ = 0;
};

TEST_F(AtlasTest, OfEverybodyIsWhereThePopulationIs) {
  const Atlas atlas = made(ageing_discs(), {}).front();
  EXPECT_LE(most(atlas.to_group.values), 1e-6);
  EXPECT_LE(most(atlas.to_population.values), 1e-6);
  EXPECT_NEAR(atlas.volumes[1], area_at(50), .05 * area_at(50));  // voxels of a disc
}

TEST_F(AtlasTest, HasTheSizeOfItsAge) {
  const auto atlases = made(ageing_discs(), sweep("age=20:80:20"));
  ASSERT_EQ(atlases.size(), 4U);
  for (std::size_t a = 0; a < 4; ++a) {
    const double truth = area_at(20 + 20 * double(a));
    EXPECT_NEAR(atlases[a].volumes[1], truth, .05 * truth) << a;
    EXPECT_NEAR(atlases[a].expected_volumes[1], truth, .03 * truth) << a;
    EXPECT_EQ(atlases[a].folds, 0);
    // An edge of a voxel or so stays an edge.
    const auto blurred =
        std::count_if(atlases[a].image.values.begin(), atlases[a].image.values.end(),
                      [](float value) { return value > .05 && value < .95; });
    EXPECT_LT(double(blurred),
              2.5 * 2 * std::numbers::pi * aladdin::testing::radius_at(20 + 20 * double(a)));
    EXPECT_LT(most(atlases[a].variability.values), .5);
  }
  // Log-Jacobian of the scaling, in the middle of the population's disc.
  const Image& map = atlases[3].log_jacobian;
  const double truth =
      2 * std::log(aladdin::testing::radius_at(80) / aladdin::testing::kPopulationRadius);
  EXPECT_NEAR(map.at(map.grid.size[0] / 2, map.grid.size[1] / 2), truth, .03);
}

TEST_F(AtlasTest, RegistrationsMovedThereHaveAMeanOfZero) {
  made(ageing_discs(), at("age=75"));
  const Atlas atlas = made(ageing_discs(), at("age=75")).front();
  ASSERT_GE(atlas.rounds.size(), 2U);
  EXPECT_LT(atlas.rounds.back().mean_mm, .01);
  EXPECT_LT(atlas.rounds.back().max_mm, atlas.rounds.front().max_mm);
}

TEST_F(AtlasTest, TransformsAreInverse) {
  const Atlas atlas = made(ageing_discs(), at("age=75")).front();
  const Chain there{Displacement(atlas.to_group)}, back{Displacement(atlas.to_population)};
  const Grid& grid = atlas.image.grid;
  for (const Vec3 index : {Vec3{22, 23, 0}, Vec3{15, 20, 0}, Vec3{30, 28, 0}}) {
    const Vec3 point = grid.to_point(index);
    EXPECT_LT(norm(map_point(back, map_point(there, point)) - point), .05);
    EXPECT_GT(norm(map_point(there, point) - grid.centre()),
              1.01 * norm(point - grid.centre()) - .1);
  }
}

TEST_F(AtlasTest, PermutedAgesGiveNoTrend) {
  const auto trend = [&](const std::vector<Disc>& discs) {
    const auto atlases = made(discs, sweep("age=30:70:40"), "40");
    return atlases[1].expected_volumes[1] - atlases[0].expected_volumes[1];
  };
  const double truth = trend(ageing_discs());
  double sum = 0;
  constexpr int kTimes = 6;
  for (int seed = 0; seed < kTimes; ++seed) {
    std::vector<Disc> discs = ageing_discs();
    Rng rng(static_cast<std::uint64_t>(seed));
    for (std::size_t i = discs.size() - 1; i > 0; --i)
      std::swap(discs[i].age, discs[static_cast<std::size_t>(rng.below(std::int64_t(i) + 1))].age);
    sum += trend(discs);
  }
  EXPECT_GT(truth, .5 * (area_at(70) - area_at(30)));
  // The standard error of the mean of so many random slopes of 13 is truth / sqrt(12 * 6).
  EXPECT_LT(std::abs(sum / kTimes), 3 * truth / std::sqrt(12.0 * kTimes));
}

TEST_F(AtlasTest, SubgroupCountsItsOwnSubjectsAlone) {
  Question women;
  women.where = "sex=F";
  const Atlas atlas = made(ageing_discs(), women).front();
  EXPECT_EQ(plan_.group.members.size(), 7U);
  EXPECT_NEAR(plan_.effective.front(), 7, 1e-9);
  EXPECT_NEAR(atlas.expected_volumes[1], area_at(50), .05 * area_at(50));
}

TEST_F(AtlasTest, HasTheSameBitsOnAnyNumberOfThreads) {
  std::vector<std::vector<float>> images;
  for (const int threads : {1, 3}) {
    set_threads(threads);
    const auto atlases = made(ageing_discs(), sweep("age=30:70:20"));
    images.push_back(atlases[2].image.values);
    images.back().insert(images.back().end(), atlases[0].to_group.values.begin(),
                         atlases[0].to_group.values.end());
    images.back().insert(images.back().end(), atlases[1].probabilities[1].values.begin(),
                         atlases[1].probabilities[1].values.end());
  }
  set_threads(0);
  EXPECT_EQ(images[0], images[1]);
}

TEST_F(AtlasTest, BandwidthIsThatOfTheLineWhenAgeSaysAll) {
  const RunDirectory run{folder_ / "line"};
  write_disc_run(run, ageing_discs());
  const RunSubjects subjects(run.folder);
  const Plan plan = plan_atlases(subjects, at("age=50"), {});
  ASSERT_TRUE(plan.choice);
  EXPECT_LT(plan.choice->trials[plan.choice->best].error, .05);
}

TEST_F(AtlasTest, SaysWhatARunLacks) {
  const RunDirectory run{folder_ / "lacking"};
  write_disc_run(run, ageing_discs());
  const auto error = [&] { return error_of([&] { RunSubjects subjects(run.folder); }); };
  std::filesystem::remove(run.folder / "images" / "s3.nii.gz");
  EXPECT_THAT(error(), HasSubstr("the image of 's3' is not at"));
  std::filesystem::remove_all(run.velocities());
  EXPECT_THAT(error(), HasSubstr("has no velocities of its subjects"));
}

}  // namespace
}  // namespace aladdin::condition
