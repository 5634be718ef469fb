#include "aladdin/transform/export.h"

#include <gtest/gtest.h>

#include "aladdin/transform/test_fields.h"
#include "aladdin/transform/transform_file.h"
#include "aladdin/transform/velocity.h"

namespace aladdin {
namespace {

using namespace testing;

// A canonical working grid about the origin.
Grid working_grid(int dims) {
  Grid grid;
  grid.dims = dims;
  grid.size = dims == 2 ? Size3{44, 40, 1} : Size3{36, 32, 28};
  grid.spacing = dims == 2 ? Vec3{1.1, 1.2, 1} : Vec3{1.1, 1.2, 1.4};
  grid.origin = grid.origin - grid.centre();
  if (dims == 2) grid.origin[2] = 0;
  return grid;
}

// Oblique and anisotropic, its centre `shift` away from the working grid's; `factor` times as wide.
Grid native_grid(int dims, const Vec3& shift, double factor) {
  Grid grid = oblique_grid(dims, dims == 2 ? Size3{40, 36, 1} : Size3{38, 30, 20});
  for (int axis = 0; axis < dims; ++axis) grid.spacing[axis] *= factor;
  const Vec3 centre = grid.centre();
  for (int axis = 0; axis < dims; ++axis) grid.origin[axis] += shift[axis] - centre[axis];
  return grid;
}

Vec3 far_shift(int dims) { return {123.4, -87.6, dims == 3 ? 301.2 : 0.0}; }

class Export : public ::testing::TestWithParam<int> {};

TEST_P(Export, ANativeLandmarkSurvivesTheWayToTheAtlasAndBack) {
  const int dims = GetParam();
  const Grid atlas = working_grid(dims);
  const Vec3 shift = far_shift(dims);
  const Grid native = native_grid(dims, shift, 0.8);
  const Velocity velocity(smooth_field(atlas, 2.5, 0.7, 11).vectors);
  const ExportedFields fields =
      export_fields({exponential(velocity, Direction::forward)},
                    {exponential(velocity, Direction::backward)}, shift, atlas, native);
  const TemporaryFolder folder;
  const Path to_atlas = folder / native_to_atlas_name("s"),
             to_native = folder / atlas_to_native_name("s");
  write_displacement(to_atlas, fields.native_to_atlas);
  write_displacement(to_native, fields.atlas_to_native);
  // Points go against the images.
  const Chain go = read_transform(to_native), come = read_transform(to_atlas);
  const Chain exact{translation(-1.0 * shift, dims), exponential(velocity, Direction::backward)};
  double farthest = 0;
  for (const Vec3& landmark : points_inside(native, 1, 200)) {
    const Vec3 there = map_point(go, landmark);
    EXPECT_LT(norm(there - map_point(exact, landmark)), 0.05);
    EXPECT_LT(norm(map_point(come, there) - landmark), 0.1);
    farthest = std::max(farthest, norm(there - (landmark - shift)));
  }
  EXPECT_GT(farthest, 1.0);  // more than the shift
}

TEST_P(Export, BeyondTheWorkingGridTheEdgeGoesOn) {
  const int dims = GetParam();
  const Grid atlas = working_grid(dims);
  const Vec3 shift = far_shift(dims);
  const Grid native = native_grid(dims, shift, 3);
  Displacement constant(atlas);  // 4 mm along x, at the edge as well
  std::fill_n(constant.vectors.component(0), atlas.voxels(), 4.0F);
  const ExportedFields fields =
      export_fields({constant}, inverse(Chain{constant}), shift, atlas, native);
  const ExportedFields swapped = export_fields({constant}, {constant}, shift, atlas, native);
  std::int64_t beyond = 0;
  for (std::int64_t v = 0; v < native.voxels(); ++v) {
    const Vec3 at = atlas.to_index(native.to_point(index_of(native, v)) - shift);
    for (int axis = 0; axis < dims; ++axis)
      if (at[axis] < -1 || at[axis] > static_cast<double>(atlas.size[axis])) {
        ++beyond;
        break;
      }
    ASSERT_NEAR(fields.atlas_to_native.vectors.component(0)[v], -shift[0] - 4, 1e-3);
    ASSERT_NEAR(swapped.atlas_to_native.vectors.component(0)[v], -shift[0] + 4, 1e-3);
    ASSERT_NEAR(fields.atlas_to_native.vectors.component(1)[v], -shift[1], 1e-3);
  }
  EXPECT_GT(beyond, native.voxels() / 4);
  EXPECT_NEAR(fields.native_to_atlas.vectors.component(0)[0], shift[0] + 4, 1e-3);
}

// A native image four times as fine as the registration: the small field says at every native point what the
// registration says, which samples on the native grid say only at their voxels.
TEST_P(Export, TheGridOfTheRegistrationLosesNothing) {
  const int dims = GetParam();
  const Grid working = working_grid(dims);
  const Vec3 shift = far_shift(dims);
  Grid native = native_grid(dims, shift, 0.3);
  for (int axis = 0; axis < dims; ++axis) native.size[axis] *= 4;
  native = [&] {
    Grid moved = native;
    const Vec3 centre = moved.centre();
    for (int axis = 0; axis < dims; ++axis) moved.origin[axis] += shift[axis] - centre[axis];
    return moved;
  }();
  const Grid small = registration_grid(working, shift, native);
  EXPECT_LT(small.voxels(), native.voxels() / (dims == 2 ? 3 : 5));
  const Velocity velocity(smooth_field(working, 2.5, 0.7, 11).vectors);
  Displacement back = exponential(velocity, Direction::backward);
  back.beyond = Beyond::edge;
  const ExportedFields fields =
      export_fields({exponential(velocity, Direction::forward)}, {back}, shift, working, small);
  const TemporaryFolder folder;
  write_displacement(folder / "small.nii.gz", fields.atlas_to_native);
  const Chain read = read_transform(folder / "small.nii.gz");
  const Chain exact{translation(-1.0 * shift, dims), back};
  for (const Vec3& point : points_inside(native, -0.49, 500))
    ASSERT_LT(norm(map_point(read, point) - map_point(exact, point)), 2e-4);
  // Beyond its grid a field is the identity, whatever its grid.
  const Vec3 beyond = small.to_point({-0.6, 0, 0});
  EXPECT_LT(norm(map_point(read, beyond) - beyond), 1e-9);
}

TEST_P(Export, ANativeGridThatIsNoFinerIsKept) {
  const int dims = GetParam();
  const Grid working = working_grid(dims);
  EXPECT_TRUE(same_grid(registration_grid(working, far_shift(dims), working), working));
  Grid coarse = native_grid(dims, far_shift(dims), 1.5);
  EXPECT_TRUE(same_grid(registration_grid(working, far_shift(dims), coarse), coarse));
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Export, ::testing::Values(2, 3));

}  // namespace
}  // namespace aladdin
