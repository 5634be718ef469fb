#include "aladdin/image/outliers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"
#include "aladdin/image/working_grid.h"

namespace aladdin {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Grid cube(std::int64_t side, double spacing = 1) {
  Grid grid;
  grid.size = {side, side + 2, side - 2};
  grid.spacing = {spacing, spacing, spacing};
  return grid;
}

// Something like a head: a shell, a dark middle, brighter in front; no two subjects quite the same.
Image head(const Grid& grid, int subject) {
  Image image(grid);
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const auto at = [](std::int64_t n, std::int64_t size) {
          return (2.0 * static_cast<double>(n) + 1) / static_cast<double>(size) - 1;
        };
        const double x = at(i, grid.size[0]), y = at(j, grid.size[1]), z = at(k, grid.size[2]);
        const double r = std::sqrt(x * x + y * y + z * z);
        image.at(i, j, k) = static_cast<float>(
            200 + 300 * std::exp(-8 * std::pow(r - 0.6 - 0.01 * subject, 2)) - 120 * y +
            60 * (x > 0.2) + 3 * std::sin(5.0 * static_cast<double>(i + j + k + subject)));
      }
  return image;
}

class OutliersTest : public ::testing::Test {
 protected:
  // Eight heads, the last of which is changed.
  WorkingGrid look(const std::function<void(Image&)>& change, int changed = 1, int all = 8) {
    for (int n = 0; n < all; ++n) {
      Image image = head(cube(24), n);
      if (n >= all - changed) change(image);
      write_image(folder_ / fmt::format("cohort/s{}.nii", n), image);
    }
    const Cohort cohort = read_cohort((folder_ / "cohort").string());
    scans_ = scan_cohort(cohort);
    return choose_working_grid(cohort, scans_);
  }

  testing::TemporaryFolder folder_;
  std::vector<SubjectScan> scans_;
};

TEST_F(OutliersTest, NoneAmongTheLike) {
  EXPECT_THAT(look([](Image&) {}).notes, IsEmpty());
}

TEST_F(OutliersTest, TheGridFollowsTheOthers) {
  const WorkingGrid working = look([](Image& image) { image = head(cube(60, 4), 7); });
  EXPECT_THAT(
      working.notes,
      ElementsAre(AllOf(HasSubstr("s7 is unlike the other subjects: its content is 240 x 248 x "
                                  "232 mm, the median is 24 x 26 x 22 mm"),
                        HasSubstr("the working grid follows the others"),
                        HasSubstr("to omit it: exclude s7")),
                  HasSubstr("its voxels are 4 x 4 x 4 mm, the median is 1 x 1 x 1 mm")));
  EXPECT_EQ(format_size(working.visible), "24 x 26 x 22");
}

TEST_F(OutliersTest, HalfTheSizeIsNamedToo) {
  EXPECT_THAT(look([](Image& image) { image = head(cube(11), 7); }).notes,
              ElementsAre(HasSubstr("its content is 11 x 13 x 9 mm, the median is 24 x 26 x 22 mm; "
                                    "to omit it")));
}

TEST_F(OutliersTest, TwoOfAKindAreOneNote) {
  EXPECT_THAT(look([](Image& image) { image = head(cube(60, 4), 7); }, 2).notes,
              Contains(AllOf(HasSubstr("s6 and 1 other are unlike"),
                             HasSubstr("to omit them: exclude s6 exclude s7"))));
}

TEST_F(OutliersTest, WhatManyHaveIsTheNatureOfTheCohort) {
  const WorkingGrid working = look([](Image& image) { image = head(cube(60, 4), 7); }, 3);
  EXPECT_THAT(working.notes, IsEmpty());
  EXPECT_GT(working.visible.extent_mm()[0], 239);
}

TEST_F(OutliersTest, InvertedContrast) {
  EXPECT_THAT(look([](Image& image) {
                for (float& value : image.values) value = 700 - value;
              }).notes,
              ElementsAre(AllOf(HasSubstr("s7 is unlike the other subjects: its contrast is the "
                                          "inverse of theirs (the correlation"),
                                HasSubstr("exclude s7"))));
}

TEST_F(OutliersTest, AnImageWithoutItsHeadersOrientation) {
  const auto notes = look([](Image& image) {  // upside down, as its header does not say
                       Image turned(image.grid);
                       std::copy(image.values.rbegin(), image.values.rend(), turned.values.begin());
                       image = turned;
                     })
                         .notes;
  EXPECT_THAT(notes, ElementsAre(HasSubstr("is its contrast another one, or is it turned?")));
}

TEST_F(OutliersTest, OtherAxes) {
  EXPECT_THAT(look([](Image& image) { image.grid.direction[0][0] = -1; }).notes,
              Contains(HasSubstr("its header gives the axes RPS, theirs LPS")));
  const double c = std::cos(0.6), s = std::sin(0.6);
  EXPECT_THAT(look([&](Image& image) {
                image.grid.direction = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
              }).notes,
              Contains(HasSubstr("its axes are tilted by 34 degrees, the median is 0")));
}

TEST_F(OutliersTest, ASpotThatTakesTheWholeRange) {
  EXPECT_THAT(look([](Image& image) {
                for (std::size_t v = 0; v < 200; ++v) image.values[v] = 1e5F;
              }).notes,
              Contains(HasSubstr("the mean of its intensities is 0.0")));
}

TEST_F(OutliersTest, ThumbnailsLieInTheWorldAndSurviveTheirText) {
  look([](Image& image) {
    Image other = head(cube(24), 7);
    other.grid.direction[1][1] = -1;
    for (std::int64_t k = 0; k < other.grid.size[2]; ++k)
      for (std::int64_t j = 0; j < other.grid.size[1]; ++j)
        for (std::int64_t i = 0; i < other.grid.size[0]; ++i)
          other.at(i, j, k) = image.at(i, other.grid.size[1] - 1 - j, k);
    image = other;
  });
  ASSERT_EQ(scans_[7].thumbnail.size(), 512U);
  const auto back = parse_scan(to_json(scans_[7]));
  EXPECT_EQ(back.thumbnail, scans_[7].thumbnail);
  for (std::size_t cell = 0; cell < 512; ++cell)
    EXPECT_NEAR(scans_[7].thumbnail[cell], scans_[6].thumbnail[cell], 0.13);
}

TEST(Exclude, LeavesOutWhoIsThere) {
  const testing::TemporaryFolder folder;
  for (const char* id : {"a", "b", "c"})
    write_image(folder / "cohort" / (std::string(id) + ".nii"), head(cube(8), 0));
  const std::string source = (folder / "cohort").string();
  const Cohort cohort = read_cohort(source, {.exclude = {"b", "b"}});
  ASSERT_EQ(cohort.subjects.size(), 2U);
  EXPECT_EQ(cohort.subjects[1].id, "c");
  EXPECT_THAT(testing::error_of([&] { read_cohort(source, {.exclude = {"d"}}); }),
              HasSubstr("there is no subject 'd' to exclude from"));
}

}  // namespace
}  // namespace aladdin
