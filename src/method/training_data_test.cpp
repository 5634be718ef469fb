#include "aladdin/method/training_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "aladdin/image/resample.h"
#include "aladdin/method/test_cohort.h"

namespace aladdin {
namespace {

using testing::BallCohort;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

TrainingData load(const testing::TemporaryFolder& folder, const BallCohort& cohort) {
  return {cohort.write(folder), at::kCPU};
}

TEST(TrainingData, AnOrderIsAPermutationAndEveryEpochHasItsOwn) {
  const testing::TemporaryFolder folder;
  const TrainingData data = load(folder, {.subjects = 7, .splits = {"val", "test"}});
  EXPECT_THAT(data.training(), ElementsAre(2, 3, 4, 5, 6));
  EXPECT_THAT(data.validation(), ElementsAre(0));
  std::set<std::vector<std::size_t>> orders;
  for (int epoch = 0; epoch < 20; ++epoch) {
    const auto order = data.order(1, epoch);
    EXPECT_THAT(order, UnorderedElementsAreArray(data.training()));
    EXPECT_EQ(order, data.order(1, epoch));
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 10U);  // of 120
  EXPECT_NE(data.order(1, 0), data.order(2, 0));
}

TEST(TrainingData, RefusesWhatIsNoCohort) {
  const testing::TemporaryFolder folder;
  EXPECT_THAT(testing::error_of([&] { load(folder, {.subjects = 1}); }),
              HasSubstr("has one subject for training, expected at least 2"));
  EXPECT_THAT(testing::error_of([&] {
                load(folder, {.subjects = 2, .splits = {"val", "test"}});
              }),
              HasSubstr("has no subject for training"));
  EXPECT_THAT(testing::error_of([&] { load(folder, {.subjects = 3, .alike = true}); }),
              HasSubstr("all 3 training images of"));
}

TEST(TrainingData, AxesAndSpacingAreThoseOfTheGrid) {
  const testing::TemporaryFolder folder;
  const BallCohort cohort{.dims = 3, .subjects = 2};
  const TrainingData data = load(folder, cohort);
  EXPECT_THAT(data.image_shape(), ElementsAre(1, 1, 12, 20, 16));
  EXPECT_NEAR(data.spacing()[2], 1.3, 1e-6);
  // The ball of subject 1 lies off the middle by the same along every axis.
  const at::Tensor image = data.image(1),
                   expected = at::tensor(cohort.image(1).values).view(image.sizes());
  EXPECT_GT((image * expected).sum().item<double>(),
            0.99 * std::sqrt((image.square().sum() * expected.square().sum()).item<double>()));
}

TEST(TrainingData, LabelsOnlyWhereAllOfABatchHaveThem) {
  const testing::TemporaryFolder folder;
  BallCohort cohort{.subjects = 3, .labels = true};
  {
    const TrainingData data = load(folder, cohort);
    const Batch batch = data.batch({0, 2}, true);
    ASSERT_TRUE(batch.labels.defined());
    EXPECT_EQ(batch.labels.size(1), 1);  // one structure, no background
    EXPECT_TRUE(batch.labels.eq(0).logical_or(batch.labels.eq(1)).all().item<bool>());
    EXPECT_FALSE(data.batch({0, 2}, false).labels.defined());
  }
  cohort.write(folder);
  std::string csv = read_text(folder / "cohort.csv");
  csv.erase(csv.find("label_s2.nii.gz"), std::string("label_s2.nii.gz").size());
  testing::write_bytes(folder / "cohort.csv", csv);
  const Cohort read = read_cohort((folder / "cohort.csv").string());
  const auto scans = scan_cohort(read);
  const TrainingData data(Dataset(read, scans, choose_working_grid(read, scans, {})), at::kCPU);
  EXPECT_TRUE(data.batch({0, 1}, true).labels.defined());
  EXPECT_FALSE(data.batch({0, 2}, true).labels.defined());
}

TEST(TrainingData, AnImageCountsInItsFieldOfView) {
  const testing::TemporaryFolder folder;
  const BallCohort cohort{.subjects = 2};
  cohort.write(folder);
  // Subject 1 lacks the first four columns.
  const Image whole = cohort.image(1);
  Grid grid = whole.grid;
  grid.size[0] -= 4;
  grid.origin = whole.grid.to_point({4, 0, 0});
  write_image(folder / "s1.nii.gz", resample(whole, grid));
  const TrainingData data(testing::load_cohort(folder, "id,image\ns0,s0.nii.gz\ns1,s1.nii.gz\n"),
                          at::kCPU);
  EXPECT_FALSE(data.has_mask(0));
  EXPECT_FALSE(data.mask(0).defined());
  ASSERT_TRUE(data.has_mask(1));
  const at::Tensor mask = data.mask(1);
  EXPECT_TRUE(mask.slice(3, 0, 4).eq(0).all().item<bool>());
  EXPECT_TRUE(mask.slice(3, 4).eq(1).all().item<bool>());
  const Batch batch = data.batch({0, 1}, false);
  ASSERT_TRUE(batch.masks.defined());
  EXPECT_TRUE(batch.masks[0].eq(1).all().item<bool>());
  EXPECT_TRUE(batch.masks[1].equal(mask[0]));
}

}  // namespace
}  // namespace aladdin
