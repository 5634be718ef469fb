#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "aladdin/image/nifti_file.h"

namespace aladdin {
namespace {

constexpr int kScanner = 1;
constexpr double kTolerated = 0.1;  // voxels between two forms that mean the same

// Index to world in the header's units, RAS. The rows of `axes` are unit vectors.
struct Form {
  Mat3 axes = kIdentity3;
  Vec3 offset{};
  const char* source = "";       // "sform", "qform" or neither
  std::optional<Vec3> length{};  // of a sheared sform, whose spacing counts in place of pixdim's
};

enum class Fault { none, singular, sheared, scaled };

struct Sform {
  Form form;
  Vec3 length{};
  Fault fault = Fault::none;
};

Sform sform_of(const NiftiHeader& nifti, int dims) {
  Sform out;
  out.form.source = "sform";
  for (int row = 0; row < 3; ++row) {
    out.form.offset[row] = nifti.sform[row][3];
    for (int axis = 0; axis < 3; ++axis) out.form.axes[axis][row] = nifti.sform[row][axis];
  }
  auto& axes = out.form.axes;
  bool scaled = false, sheared = false;
  for (int axis = 0; axis < dims; ++axis) {
    out.length[axis] = norm(axes[axis]);
    if (!(out.length[axis] > 0)) return {out.form, out.length, Fault::singular};
    axes[axis] = (1 / out.length[axis]) * axes[axis];
    scaled |= !(std::abs(out.length[axis] - nifti.pixdim[axis + 1]) <= 1e-3);
    for (int other = 0; other < axis; ++other)
      sheared |= !(std::abs(dot(axes[axis], axes[other])) <= 1e-4);
  }
  if (dims == 3 && !(std::abs(determinant(axes)) > 1e-6))
    out.fault = Fault::singular;
  else if (sheared)
    out.fault = Fault::sheared;
  else if (scaled)
    out.fault = Fault::scaled;
  return out;
}

Form qform_of(const NiftiHeader& nifti) {
  auto [b, c, d] = nifti.quaternion;
  const double rest = 1 - (b * b + c * c + d * d);
  const double a = rest > 1e-7 ? std::sqrt(rest) : 0;
  if (a == 0) {  // a half turn, or longer than 1 by rounding
    const double length = std::sqrt(b * b + c * c + d * d);
    b /= length, c /= length, d /= length;
  }
  const double qfac = nifti.pixdim[0] < 0 ? -1 : 1;
  const Mat3 columns{
      {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), qfac * 2 * (b * d + a * c)},
       {2 * (b * c + a * d), a * a + c * c - b * b - d * d, qfac * 2 * (c * d - a * b)},
       {2 * (b * d - a * c), 2 * (c * d + a * b), qfac * (a * a + d * d - b * b - c * c)}}};
  return {transpose(columns), nifti.qoffset, "qform"};
}

[[noreturn]] void refuse(const Path& path, const NiftiHeader& nifti, const Sform& sform) {
  if (sform.fault == Fault::sheared) refuse_shear(path);
  if (sform.fault == Fault::singular)
    throw Error(fmt::format("'{}' has an unusable geometry: its sform is singular", path.string()))
        .hint("repair its header");
  int axis = 0;
  while (axis < 2 && std::abs(sform.length[axis] - nifti.pixdim[axis + 1]) <= 1e-3) ++axis;
  throw Error(fmt::format("'{}' has an unusable geometry: its sform has a spacing of {:g} along "
                          "axis {}, pixdim one of {:g}",
                          path.string(), sform.length[axis], axis, nifti.pixdim[axis + 1]))
      .hint("make them agree");
}

constexpr double kShear = 1e-3;  // cosine from which on shear is meant

double largest_cosine(const Mat3& axes, int dims) {
  double most = 0;
  for (int axis = 0; axis < dims; ++axis)
    for (int other = 0; other < axis; ++other)
      most = std::max(most, std::abs(dot(axes[axis], axes[other])));
  return most;
}

Form form_of(const Path& path, const NiftiHeader& nifti, int dims) {
  const bool has_qform = nifti.qform_code > 0;
  if (nifti.sform_code > 0) {
    Sform sform = sform_of(nifti, dims);
    // No qform can say this; without one even the rounding of a shear is kept.
    const bool meant = largest_cosine(sform.form.axes, dims) > kShear;
    if (dims == 3 && sform.fault == Fault::sheared &&
        (!has_qform || (meant && nifti.sform_code == kScanner))) {
      sform.form.length = sform.length;
      return sform.form;
    }
    if (sform.fault == Fault::none && (!has_qform || nifti.sform_code == kScanner))
      return sform.form;
    if (!has_qform) refuse(path, nifti, sform);
  }
  if (has_qform) return qform_of(nifti);
  return {{{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}}, {}};  // LPS
}

// How far apart the two forms put a corner of the image at the most, in the header's units.
double disagreement(const NiftiHeader& nifti, int dims) {
  const Form qform = qform_of(nifti);
  double most = 0;
  for (int corner = 0; corner < 1 << dims; ++corner) {
    Vec3 apart = qform.offset;
    for (int row = 0; row < 3; ++row) apart[row] -= nifti.sform[row][3];
    for (int axis = 0; axis < dims; ++axis) {
      if ((corner >> axis & 1) == 0) continue;
      const auto last = static_cast<double>(nifti.size[axis] - 1);
      for (int row = 0; row < 3; ++row)
        apart[row] +=
            last * (nifti.pixdim[axis + 1] * qform.axes[axis][row] - nifti.sform[row][axis]);
    }
    most = std::max(most, norm(apart));
  }
  return most;
}

}  // namespace

double nifti_mm(const NiftiHeader& nifti) {
  return nifti.units % 8 == 1 ? 1e3 : nifti.units % 8 == 3 ? 1e-3 : 1.0;
}

bool nifti_slice_lies_flat(const Path& path, const NiftiHeader& nifti) {
  const Form form = form_of(path, nifti, 2);
  return std::hypot(form.axes[0][2], form.axes[1][2]) < 1e-2;
}

namespace {

// What the forms leave open.
std::string form_note(const Path& path, const NiftiHeader& nifti, int dims) {
  const Form form = form_of(path, nifti, dims);
  const std::string source = form.source;
  if (form.length && largest_cosine(form.axes, dims) > kShear)
    return fmt::format(
        "its axes are sheared, by up to {:.3g} degrees: its sform is taken as it is",
        std::asin(std::min(1.0, largest_cosine(form.axes, dims))) * 180 / std::numbers::pi);
  if (source.empty())
    return "the header does not say how it lies in the scanner: its axes are taken as L, P and S, its first "
           "voxel as the origin";
  if (nifti.qform_code <= 0 || nifti.sform_code <= 0) return "";
  const double apart = disagreement(nifti, dims);
  double smallest = std::abs(nifti.pixdim[1]);
  for (int axis = 1; axis < dims; ++axis)
    smallest = std::min(smallest, std::abs(nifti.pixdim[axis + 1]));
  if (apart <= kTolerated * smallest) return "";
  return fmt::format(
      "its qform (code {}) and its sform (code {}) are up to {:.3g} mm apart: the {} is taken, as "
      "ITK does",
      nifti.qform_code, nifti.sform_code, nifti_mm(nifti) * apart, source);
}

// With the two axes of a slice in the three of the world.
Grid world_grid(const Path& path, const NiftiHeader& nifti, int dims) {
  const Form form = form_of(path, nifti, dims);
  const double mm = nifti_mm(nifti);
  Grid grid;
  // NIfTI's world is RAS, ours LPS.
  const Vec3 sign{-1, -1, 1};
  for (int axis = 0; axis < 3; ++axis) {
    grid.origin[axis] = sign[axis] * mm * form.offset[axis];
    for (int row = 0; row < 3; ++row) grid.direction[row][axis] = sign[row] * form.axes[axis][row];
  }
  for (int axis = 0; axis < dims; ++axis) {
    grid.size[axis] = nifti.size[axis];
    grid.spacing[axis] = mm * (form.length ? (*form.length)[axis] : nifti.pixdim[axis + 1]);
  }
  return grid;
}

}  // namespace

std::string nifti_geometry_note(const Path& path, const NiftiHeader& nifti, int dims) {
  const std::string form = form_note(path, nifti, dims);
  const std::string shape = shape_note(world_grid(path, nifti, dims), dims);
  return form + (form.empty() || shape.empty() ? "" : "; ") + shape;
}

Grid nifti_grid(const Path& path, const NiftiHeader& nifti, int dims) {
  const Grid grid = world_grid(path, nifti, dims);
  return usable_grid(dims == 2 ? slice_grid(grid) : grid, path);
}

}  // namespace aladdin
