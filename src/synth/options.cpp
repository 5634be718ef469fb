#include "aladdin/synth/options.h"

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/synth/shape_variation.h"

namespace aladdin::synth {
namespace {

constexpr double kCoarsest_mm = 4.2;  // voxels that are larger, at life size, lose the cartilage
constexpr std::int64_t kMostVoxels = std::int64_t{1} << 29;
constexpr int kMostSubjects = 100000;

void require_range(const char* option, double value, double low, double high) {
  if (!(value >= low && value <= high))
    fail_usage("{} {:g} is out of range, expected {:g} to {:g}", option_name(option), value, low,
               high);
}

void validate_grid(const SynthOptions& options) {
  if (options.size.size() != 3)
    fail_usage("{} has {} numbers, expected 3 (left-right, front-back, up-down)",
               option_name("size"), options.size.size());
  if (options.spacing_mm.size() != 3)
    fail_usage("{} has {} numbers, expected 3 (mm; left-right, front-back, up-down)",
               option_name("spacing"), options.spacing_mm.size());
  std::int64_t voxels = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (options.size[axis] < 8 || options.size[axis] > 2048)
      fail_usage("{} has {} voxels along axis {}, expected 8 to 2048", option_name("size"),
                 options.size[axis], axis);
    if (!(options.spacing_mm[axis] >= 0.05 && options.spacing_mm[axis] <= 20))
      fail_usage("{} has {:g} mm along axis {}, expected 0.05 to 20", option_name("spacing"),
                 options.spacing_mm[axis], axis);
    voxels *= options.size[axis];
  }
  if (voxels > kMostVoxels)
    fail_usage("{} asks for {} voxels, expected at most {}", option_name("size"), voxels,
               kMostVoxels);
}

void validate_coarseness(const SynthOptions& options) {
  Vec3 extent_mm{};
  for (int axis = 0; axis < 3; ++axis)
    extent_mm[axis] = static_cast<double>(options.size[axis]) * options.spacing_mm[axis];
  const Vec3 squeeze = embedding_for(extent_mm, 3).squeeze;
  for (int axis = options.slice ? 1 : 0; axis < 3; ++axis) {
    const double life_size_mm = options.spacing_mm[axis] / squeeze[axis];
    if (life_size_mm <= kCoarsest_mm) continue;
    throw Error(
        fmt::format(
            "{} {} with {} {:g} along axis {} is too coarse: a voxel would be {:.1f} mm of a knee, "
            "and cartilage is 3 mm thick",
            option_name("size"), options.size[axis], option_name("spacing"),
            options.spacing_mm[axis], axis, life_size_mm),
        ExitCode::usage)
        .hint(fmt::format("take more voxels, of at most {:g} mm each", kCoarsest_mm));
  }
}

}  // namespace

void SynthOptions::validate() const {
  require_range("subjects", subjects, 1, kMostSubjects);
  require_range("val", val, -1, kMostSubjects);
  require_range("test", test, -1, kMostSubjects);
  if (val_subjects() + test_subjects() > subjects)
    fail_usage("{} {} and {} {} are more than {} {}", option_name("val"), val_subjects(),
               option_name("test"), test_subjects(), option_name("subjects"), subjects);
  validate_grid(*this);
  validate_coarseness(*this);
  // Up to these the maps stay diffeomorphic and the knee stays in view.
  require_range("affine", affine, 0, 2);
  require_range("shape", shape, 0, 1.5);
  require_range("thickness", thickness, 0, 2);
  require_range("planted", planted, 0, 0.4);
  require_range("noise", noise, 0, 20);
  require_range("texture", texture, 0, 2);
  require_range("bias", bias, 0, 4);
  require_range("lesions", lesions, 0, 20);
  require_range("oblique", oblique_deg, 0, 45);
}

}  // namespace aladdin::synth
