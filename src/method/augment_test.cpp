#include "aladdin/method/augment.h"

#include <gtest/gtest.h>

namespace aladdin {
namespace {

using Spacing = std::array<double, 3>;

AugmentOptions none() { return {1, 0, 0, 0, 0}; }

// 10 + the place in mm along an axis (0 = x), zero in the middle.
at::Tensor ramp(int dims, int axis, const Spacing& spacing) {
  const int64_t size = 41;
  std::vector<int64_t> sizes(dims + 2, size), view(dims + 2, 1);
  sizes[0] = sizes[1] = 1;
  view[dims + 1 - axis] = size;
  return (10 + (at::arange(size, at::kFloat) - 20) * spacing[axis])
      .view(view)
      .expand(sizes)
      .contiguous();
}

// What the augmentation adds to a ramp along each axis at a voxel: the shift there, in mm.
std::vector<double> shift_mm(int dims, const Spacing& spacing, const AugmentOptions& options,
                             int64_t at = 20) {
  std::vector<double> out;
  for (int axis = 0; axis < dims; ++axis) {
    const at::Tensor before = ramp(dims, axis, spacing);
    Rng rng(5);
    at::Tensor moved = augment({before, {}, {}}, spacing, options, rng).images - before;
    for (int d = 0; d < dims; ++d) moved = moved.select(2, at);
    out.push_back(moved.item<double>());
  }
  return out;
}

TEST(Augment, OfStrengthZeroIsTheIdentity) {
  const at::Tensor image = at::rand({2, 1, 9, 10});
  Rng rng(1);
  EXPECT_TRUE(augment({image, {}, {}}, {1, 1, 1}, {.strength = 0}, rng).images.equal(image));
  EXPECT_LT(
      (augment({image, {}, {}}, {1, 1, 1}, none(), rng).images - image).abs().max().item<double>(),
      1e-6);
}

TEST(Augment, TheSameSeedGivesTheSameBits) {
  const at::Tensor image = at::rand({2, 1, 9, 10, 11});
  const auto run = [&](std::uint64_t stream) {
    Rng rng(1, stream);
    return augment({image, {}, {}}, {1, 2, 1}, {}, rng).images;
  };
  EXPECT_TRUE(run(7).equal(run(7)));
  EXPECT_FALSE(run(7).equal(run(8)));
  const at::Tensor twice = at::cat({image.narrow(0, 0, 1), image.narrow(0, 0, 1)});
  Rng rng(1);
  const at::Tensor changed = augment({twice, {}, {}}, {1, 1, 1}, {}, rng).images;
  EXPECT_FALSE(changed[0].equal(changed[1]));  // each item has its own
}

TEST(Augment, AShiftIsInMillimetresWhateverTheSpacing) {
  for (const int dims : {2, 3}) {
    AugmentOptions options = none();
    options.shift_mm = 1.5;
    const auto isotropic = shift_mm(dims, {1, 1, 1}, options);
    const auto awkward = shift_mm(dims, {0.5, 2, 3}, options);
    options.shift_mm = 3;
    const auto twice = shift_mm(dims, {0.5, 2, 3}, options);
    for (int axis = 0; axis < dims; ++axis) {
      EXPECT_GT(std::abs(isotropic[axis]), 1e-3);
      EXPECT_NEAR(awkward[axis], isotropic[axis], 1e-4);
      EXPECT_NEAR(twice[axis], 2 * isotropic[axis], 1e-4);
    }
  }
}

TEST(Augment, RotatesAndScalesAboutTheMiddle) {
  AugmentOptions options = none();
  options.rotation_deg = 10;
  options.log_scale = 0.05;
  for (const int dims : {2, 3}) {
    for (const double shift : shift_mm(dims, {0.5, 2, 1}, options)) EXPECT_NEAR(shift, 0, 1e-4);
    double off = 0;
    for (const double shift : shift_mm(dims, {0.5, 2, 1}, options, 26)) off += std::abs(shift);
    EXPECT_GT(off, 0.05);
  }
}

TEST(Augment, ARotationInMillimetresKeepsLengths) {
  AugmentOptions options = none();
  options.rotation_deg = 10;
  const Spacing spacing{0.5, 2, 1};
  for (const int dims : {2, 3}) {
    const int64_t at = 23;  // 3 voxels from the middle along every axis
    const auto shift = shift_mm(dims, spacing, options, at);
    double before = 0, after = 0;
    for (int axis = 0; axis < dims; ++axis) {
      before += std::pow(3 * spacing[axis], 2);
      after += std::pow(3 * spacing[axis] + shift[axis], 2);
    }
    EXPECT_NEAR(after, before, 1e-3);
  }
}

TEST(Augment, LabelsAndMasksGoWithTheImage) {
  const at::Tensor image = at::rand({2, 1, 9, 10});
  AugmentOptions options;
  options.log_power = 0;
  Rng rng(1);
  const Batch out = augment({image, image, image}, {1, 1, 1}, options, rng);
  EXPECT_TRUE(out.labels.equal(out.images));
  EXPECT_TRUE(out.masks.equal(out.images));
  options.log_power = 0.5;  // intensities are the image's alone
  const Batch changed = augment({image, image, image}, {1, 1, 1}, options, rng);
  EXPECT_FALSE(changed.labels.equal(changed.images));
  EXPECT_LE(changed.images.max().item<double>(), 1);
}

}  // namespace
}  // namespace aladdin
