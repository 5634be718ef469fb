#include "aladdin/synth/cohort.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/synth/subject.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::synth {
namespace {

class CohortFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = Path(::testing::TempDir()) /
              ("aladdin_cohort_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    options_.subjects = 3;
    options_.val = 1;
    options_.test = 0;
    options_.size = {24, 32, 32};
    options_.spacing_mm = {4, 4, 4};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Path folder_;
  SynthOptions options_;
};

TEST_F(CohortFolder, HoldsWhatTheCsvNames) {
  const Path csv = write_cohort(folder_, options_, false);
  const auto rows = parse_csv(read_text(csv));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0][0], "id");
  EXPECT_EQ(rows[1][3], "train");
  EXPECT_EQ(rows[3][3], "val");
  for (std::size_t r = 1; r < rows.size(); ++r) {
    ASSERT_EQ(rows[r].size(), rows[0].size());
    const Image image = read_image(folder_ / rows[r][1]);
    const Labels labels = read_labels(folder_ / rows[r][2]);
    EXPECT_TRUE(same_grid(image.grid, labels.grid));
    EXPECT_EQ(image.grid.size, (Size3{24, 32, 32}));
  }
}

TEST_F(CohortFolder, TransformsLiveOnTheGridsTheirNamesSay) {
  write_cohort(folder_, options_, false);
  const Path transforms = folder_ / "transforms";
  const Subject subject = make_subject(options_, 1);
  const auto to_atlas =
      read_vectors(transforms / "knee002_from-native_to-atlas_mode-image_xfm.nii.gz");
  const auto to_native =
      read_vectors(transforms / "knee002_from-atlas_to-native_mode-image_xfm.nii.gz");
  EXPECT_TRUE(same_grid(to_atlas.grid, read_image(folder_ / "atlas/image.nii.gz").grid));
  EXPECT_TRUE(same_grid(to_native.grid, read_image(folder_ / "images/knee002.nii.gz").grid));
  EXPECT_EQ(to_atlas.values, subject.pull_native_to_atlas.vectors.values);
  const Chain chain =
      read_transform(transforms / "knee002_from-native_to-atlas_mode-image_affine.tfm");
  ASSERT_EQ(chain.size(), 1U);
  const Vec3 point{10, -20, 30};
  EXPECT_LT(norm(std::get<Affine>(chain[0])(point) - subject.affine(point)), 1e-9);
}

TEST_F(CohortFolder, SameSeedSameBytes) {
  set_threads(1);
  write_cohort(folder_, options_, false);
  set_threads(2);
  const Path again = folder_.string() + "_again";
  write_cohort(again, options_, true);
  set_threads(0);
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    if (!entry.is_regular_file()) continue;
    const Path other = again / std::filesystem::relative(entry.path(), folder_);
    EXPECT_EQ(read_text(entry.path()), read_text(other)) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 1 + 2 + 3 * 5);
  std::filesystem::remove_all(again);
}

TEST_F(CohortFolder, SlicesAreTwoDimensional) {
  options_.slice = true;
  options_.size = {8, 48, 48};
  options_.spacing_mm = {1, 3, 3};
  write_cohort(folder_, options_, false);
  EXPECT_EQ(read_image(folder_ / "images/knee001.nii.gz").grid.dims, 2);
  const auto field =
      read_vectors(folder_ / "transforms/knee001_from-native_to-atlas_mode-image_xfm.nii.gz");
  EXPECT_EQ(field.grid.dims, 2);
  EXPECT_EQ(field.values, make_subject(options_, 0).pull_native_to_atlas.vectors.values);
}

TEST_F(CohortFolder, IsNotOverwrittenUnasked) {
  write_text(folder_ / "precious.txt", "mine");
  try {
    write_cohort(folder_, options_, false);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("replace the cohort"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "atlas"));
  write_cohort(folder_, options_, true);
  options_.subjects = 1;
  options_.val = 0;
  write_cohort(folder_, options_, true);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "precious.txt"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "images/knee001.nii.gz"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "images/knee002.nii.gz"));
}

TEST_F(CohortFolder, MayNotBeAFile) {
  write_text(folder_, "a file");
  EXPECT_THROW(write_cohort(folder_, options_, true), Error);
  EXPECT_EQ(read_text(folder_), "a file");
}

TEST_F(CohortFolder, NothingIsMadeOnBadOptions) {
  options_.noise = -1;
  EXPECT_THROW(write_cohort(folder_, options_, false), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

}  // namespace
}  // namespace aladdin::synth
