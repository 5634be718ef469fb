#include "aladdin/image/working_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/rng.h"
#include "aladdin/image/io.h"
#include "aladdin/image/resample.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A cohort that exists in memory only; its contents are the whole fields of view.
struct Study {
  Cohort cohort;
  std::vector<SubjectScan> scans;

  Study& add(const Grid& grid) {
    Subject subject;
    subject.id = fmt::format("s{}", scans.size());
    subject.grid = grid;
    cohort.dims = grid.dims;
    cohort.subjects.push_back(subject);
    SubjectScan scan;
    scan.content.last = {grid.size[0] - 1, grid.size[1] - 1, grid.size[2] - 1};
    scans.push_back(scan);
    return *this;
  }
  WorkingGrid choose(const WorkingGridOptions& options = {}) const {
    return choose_working_grid(cohort, scans, options);
  }
  std::string refusal(const WorkingGridOptions& options) const {
    return testing::error_of([&] { choose(options); });
  }
};

Grid plain(Size3 size, Vec3 spacing = {1, 1, 1}, Vec3 origin = {0, 0, 0}) {
  Grid grid;
  grid.size = size;
  grid.spacing = spacing;
  grid.origin = origin;
  return grid;
}

WorkingGridOptions with_size(std::vector<std::int64_t> size) {
  WorkingGridOptions options;
  options.size = std::move(size);
  return options;
}
WorkingGridOptions with_spacing(std::vector<double> spacing) {
  WorkingGridOptions options;
  options.spacing = std::move(spacing);
  return options;
}
WorkingGridOptions downsampled(double factor) {
  WorkingGridOptions options;
  options.downsample = factor;
  return options;
}

TEST(WorkingGrid, OneGridForAllIsKeptToTheBit) {
  const Grid grid = plain({80, 192, 190}, {0.7, 0.73, 0.73}, {-31.7, 12.3, 5.1});
  const WorkingGrid working = Study().add(grid).add(grid).add(grid).choose();
  EXPECT_TRUE(same_grid(working.visible, grid, 1e-9));
  for (const auto& shift : working.shift) EXPECT_NEAR(norm(shift), 0, 1e-9);
  EXPECT_EQ(format_size(working.padded), "80 x 192 x 192");
  EXPECT_THAT(working.pad_before, ElementsAre(0, 0, 1));
}

TEST(WorkingGrid, PaddingKeepsThePositions) {
  Grid padded;
  Grid grid = plain({31, 40, 17}, {0.7, 0.8, 0.9}, {1, 2, 3});
  grid.direction = {{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
  const Size3 before = pad_to_multiple(grid, 16, padded);
  EXPECT_EQ(format_size(padded), "32 x 48 x 32");
  EXPECT_NEAR(norm(padded.to_point({3. + before[0], 4. + before[1], 5. + before[2]}) -
                   grid.to_point({3, 4, 5})),
              0, 1e-12);
  WorkingGrid working{grid, padded, before, {}, {}};
  EXPECT_EQ(crop_padding(resample(testing::ramp(grid), padded), working).values,
            testing::ramp(grid).values);
}

TEST(WorkingGrid, BrainsFarApartAreCentred) {
  const Grid a = plain({100, 120, 90}, {1, 1, 1}, {-50, 0, 0});
  Grid b = plain({91, 120, 90}, {1, 1, 1}, {250.25, -70.5, 13});
  b.direction = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
  const WorkingGrid working = Study().add(a).add(b).choose();
  EXPECT_THAT(working.visible.size, ElementsAre(100, 120, 90));
  // Centres coincide within half a voxel, voxels fall onto voxels.
  for (int i = 0; i < 2; ++i) {
    const Grid& native = i == 0 ? a : b;
    const Vec3 off = native.to_index(working.visible.centre() + working.shift[i]) -
                     native.to_index(native.centre());
    EXPECT_LE(std::max({std::abs(off[0]), std::abs(off[1]), std::abs(off[2])}), 0.5 + 1e-9);
    const Vec3 first = native.to_index(working.visible.origin + working.shift[i]);
    for (const double index : first) EXPECT_NEAR(index, std::round(index), 1e-6);
  }
}

TEST(WorkingGrid, ANewImageGetsTheShiftThatItWouldHaveInTheCohort) {
  // Odd beside even sizes: centres that lie half a voxel apart, where rounding could go either way.
  Study study;
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    Grid grid = plain({30 + i % 3, 41 - i % 4, 20 + i % 2}, {0.7, 1.1, 1.3});
    for (double& mm : grid.origin) mm = 100 * rng.uniform();
    if (i % 2) grid.direction = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
    if (i == 7) grid.spacing[1] = 1.2;
    study.add(grid);
  }
  const WorkingGrid working = study.choose();
  for (std::size_t i = 0; i < 20; ++i)
    for (const Grid& grid : {working.visible, working.padded})
      EXPECT_LT(norm(content_shift(study.cohort.subjects[i].grid, study.scans[i].content,
                                   working.content_centre, grid) -
                     working.shift[i]),
                1e-9);
}

TEST(WorkingGrid, MedianSpacingAlongTheWorldsAxes) {
  const Grid a = plain({50, 60, 70}, {1, 2, 3});
  Grid b = plain({70, 50, 60}, {3, 1.2, 2.2});  // its axes run along S, L, P
  b.direction = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
  const Grid c = plain({50, 60, 70}, {1.4, 2.4, 3});
  const WorkingGrid working = Study().add(a).add(b).add(c).choose();
  EXPECT_NEAR(norm(working.visible.spacing - Vec3{1.2, 2.2, 3}), 0, 1e-12);
  EXPECT_EQ(axis_codes(working.visible), "LPS");
  EXPECT_EQ(working.visible.size[0], 60);  // 50 x 1.4 mm at 1.2 mm, on the voxels of b
}

TEST(WorkingGrid, EveryContentFits) {
  Rng rng(3);
  Study study;
  for (int n = 0; n < 20; ++n) {
    Grid grid = plain({30 + rng.below(15), 40 + rng.below(20), 24 + rng.below(20)}, {1, 1, 1},
                      {rng.uniform(-90, 90), rng.uniform(-90, 90), rng.uniform(-90, 90)});
    if (n % 3 == 0) {
      const double a = rng.uniform(-0.2, 0.2);
      grid.direction = {{{std::cos(a), -std::sin(a), 0}, {std::sin(a), std::cos(a), 0}, {0, 0, 1}}};
    }
    study.add(grid);
  }
  const WorkingGrid working = study.choose();
  EXPECT_TRUE(working.notes.empty());
  for (std::size_t n = 0; n < 20; ++n) {
    const Grid& native = study.cohort.subjects[n].grid;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 index;
      for (int axis = 0; axis < 3; ++axis)
        index[axis] = (corner >> axis & 1) ? static_cast<double>(native.size[axis]) - 0.5 : -0.5;
      const Vec3 at = working.visible.to_index(native.to_point(index) - working.shift[n]);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(at[axis], -0.502);
        EXPECT_LE(at[axis], static_cast<double>(working.visible.size[axis]) - 0.498);
      }
    }
  }
}

TEST(WorkingGrid, HalvingHalvesTheSize) {
  const Grid grid = plain({160, 384, 384}, {0.7, 0.365, 0.365}, {3, 4, 5});
  const WorkingGrid working = Study().add(grid).add(grid).choose(downsampled(2));
  EXPECT_EQ(describe(working.visible), "80 x 192 x 192, 1.4 x 0.73 x 0.73 mm, axes LPS");
  EXPECT_NEAR(norm(working.visible.centre() - grid.centre()), 0, 1e-9);
}

TEST(WorkingGrid, SizesAndSpacingsOfTheUser) {
  const Study study = Study().add(plain({50, 60, 70})).add(plain({52, 61, 70}));
  const WorkingGrid small = study.choose(with_size({32, 64, 80}));
  EXPECT_THAT(small.visible.size, ElementsAre(32, 64, 80));
  EXPECT_THAT(small.notes,
              ElementsAre(HasSubstr("the content of 2 of 2 subjects (s0, …) reaches beyond")));
  const WorkingGrid fine = study.choose(with_spacing({0.5}));
  EXPECT_THAT(fine.visible.size, ElementsAre(104, 122, 140));
  const WorkingGrid each = study.choose(with_spacing({2, 1, 0.5}));
  EXPECT_THAT(each.visible.spacing, ElementsAre(2, 1, 0.5));
}

TEST(WorkingGrid, SubjectsMayStayWhereTheyAre) {
  WorkingGridOptions options;
  options.centre = false;
  const WorkingGrid working = Study()
                                  .add(plain({10, 10, 10}))
                                  .add(plain({10, 10, 10}, {1, 1, 1}, {20, 0, 0}))
                                  .choose(options);
  EXPECT_THAT(working.visible.size, ElementsAre(30, 10, 10));
  EXPECT_EQ(norm(working.shift[1]), 0);
}

TEST(WorkingGrid, FlatCohort) {
  Grid a = plain({50, 60, 1}), b = plain({48, 63, 1}, {1, 1, 1}, {100, -30, 0});
  a.dims = b.dims = 2;
  const WorkingGrid working = Study().add(a).add(b).choose();
  EXPECT_EQ(working.visible.dims, 2);
  EXPECT_EQ(format_size(working.padded), "64 x 64");
  EXPECT_EQ(working.padded.size[2], 1);
  EXPECT_EQ(working.shift[1][2], 0);
  EXPECT_THAT(Study().add(a).refusal(with_size({4, 4, 4})),
              HasSubstr("size has 3 numbers, expected 2"));
}

TEST(WorkingGrid, LikeAnImage) {
  const testing::TemporaryFolder folder;
  Grid like = plain({20, 22, 24}, {2, 2, 2}, {5, 5, 5});
  like.direction = {{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};
  write_image(folder / "like.nii.gz", testing::ramp(like));
  WorkingGridOptions options;
  options.like = folder / "like.nii.gz";
  const Study study = Study().add(plain({30, 31, 32}));
  const WorkingGrid working = study.choose(options);
  EXPECT_TRUE(same_grid(working.visible, like, 1e-4));
  EXPECT_NEAR(
      norm(working.visible.centre() + working.shift[0] - study.cohort.subjects[0].grid.centre()), 0,
      1e-3);
  options.downsample = 2;
  EXPECT_THAT(study.refusal(options), HasSubstr("like fixes the whole grid"));
  options.downsample = 1;
  Grid flat = plain({5, 5, 1});
  flat.dims = 2;
  EXPECT_THAT(Study().add(flat).refusal(options), HasSubstr("is 3-D, the cohort is 2-D"));
}

TEST(WorkingGrid, AGivenAtlasStaysWhereItIs) {
  const testing::TemporaryFolder folder;
  const Grid atlas = plain({40, 44, 36}, {1, 1, 1}, {-300, 200, 77.25});
  write_image(folder / "atlas.nii", testing::ramp(atlas));
  const Study study =
      Study().add(plain({30, 31, 32})).add(plain({30, 31, 32}, {1, 1, 1}, {5, 6, 7}));
  WorkingGridOptions options;
  options.around = folder / "atlas.nii";
  // At its own spacing its voxels are the grid's, at another it is inside.
  EXPECT_TRUE(same_grid(study.choose(options).visible, atlas, 1e-4));
  options.spacing = {4};
  const WorkingGrid coarse = study.choose(options);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(coarse.visible.centre()[axis], atlas.centre()[axis], 2);
  EXPECT_GE(coarse.visible.extent_mm()[0], 40);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(norm(study.cohort.subjects[i].grid.centre() - coarse.shift[i] - atlas.centre()), 0,
                1e-3);
  options.around = folder / "gone.nii";
  EXPECT_THAT(study.refusal(options), HasSubstr("no such file"));
}

TEST(WorkingGrid, Refusals) {
  const Study study = Study().add(plain({50, 60, 70})).add(plain({50, 60, 70}, {90, 90, 90}));
  EXPECT_THAT(study.refusal(with_spacing({1})),
              ::testing::AllOf(HasSubstr("the working grid would be"),
                               HasSubstr("the largest subject is s1 (4500 x 5400 x 6300 mm)"),
                               HasSubstr("choose downsample")));
  EXPECT_THAT(study.refusal(with_size({1, 2})), HasSubstr("size has 2 numbers, expected 3"));
  EXPECT_THAT(study.refusal(with_size({1, 2, 0})), HasSubstr("size 0 is not between"));
  EXPECT_THAT(study.refusal(with_spacing({1, 2})),
              HasSubstr("spacing has 2 numbers, expected 1 or 3"));
  EXPECT_THAT(study.refusal(with_spacing({-1})), HasSubstr("spacing -1 is not a positive number"));
  EXPECT_THAT(study.refusal(downsampled(0.5)), HasSubstr("downsample 0.5 is not between 1 and 64"));
  WorkingGridOptions both = with_spacing({1});
  both.downsample = 2;
  EXPECT_THAT(study.refusal(both), HasSubstr("both set the spacing"));
}

TEST(Content, BackgroundMaskOrFieldOfView) {
  Image image{Grid{3, {12, 11, 10}}, -5.F};
  const auto box_of = [&](const Labels* mask) { return find_content(image, mask, "x"); };
  EXPECT_EQ(box_of(nullptr).last, (Size3{11, 10, 9}));  // constant: all of it
  image.at(3, 4, 5) = 1;
  image.at(7, 4, 0) = 1;  // touches a face, as a neck does
  EXPECT_EQ(box_of(nullptr).first, (Size3{3, 4, 0}));
  EXPECT_EQ(box_of(nullptr).last, (Size3{7, 4, 5}));
  Labels mask(image.grid);
  mask.at(2, 2, 2) = mask.at(6, 5, 4) = 9;
  EXPECT_EQ(box_of(&mask).first, (Size3{2, 2, 2}));
  EXPECT_EQ(box_of(&mask).last, (Size3{6, 5, 4}));
  EXPECT_THAT(testing::error_of([&] {
                Labels none(image.grid);
                box_of(&none);
              }),
              HasSubstr("the mask of 'x' is empty"));
  image = testing::ramp(image.grid);
  EXPECT_EQ(box_of(nullptr).first, (Size3{0, 0, 0}));
  Image flat(Grid{2, {9, 8, 1}});
  flat.at(2, 3) = flat.at(4, 6) = 1;
  EXPECT_EQ(find_content(flat, nullptr, "x").last, (Size3{4, 6, 0}));
}

}  // namespace
}  // namespace aladdin
