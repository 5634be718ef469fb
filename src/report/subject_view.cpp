#include "aladdin/report/subject_view.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/image/resample.h"
#include "aladdin/transform/jacobian.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::report {
namespace {

void add(VectorImage& field, const Vec3& offset) {
  const auto voxels = static_cast<std::size_t>(field.grid.voxels());
  for (int c = 0; c < field.grid.dims; ++c)
    for (std::size_t v = 0; v < voxels; ++v) field.component(c)[v] += static_cast<float>(offset[c]);
}

std::uint8_t jacobian_byte(float determinant) {
  if (!(determinant > 0)) return 0;
  return static_cast<std::uint8_t>(
      std::clamp(std::lround(128 + 63 * std::log2(determinant)), 1L, 255L));
}

}  // namespace

SubjectView view_subject(const RunData& run, const RunSubject& subject, const Grid& atlas) {
  const Path file = run.run.transforms() / native_to_atlas_name(subject.id);
  const Chain chain = read_transform(file);
  SubjectView view;
  view.displacement = to_displacement(chain, atlas);
  Image native = read_image(subject.image);
  if (native.grid.dims != atlas.dims)
    fail("'{}' is {}-D, expected {}-D as the atlas", subject.image.string(), native.grid.dims,
         atlas.dims);
  apply(subject.intensity ? *subject.intensity
                          : find_intensity_map(native, nullptr, {}, subject.image.string()),
        native);
  view.before = resample(native, atlas, subject.shift_mm);
  view.after = pull_back(native, chain, atlas);
  if (!subject.label.empty() && !run.labels.empty()) {
    const Labels labels = read_labels(subject.label);
    view.labels_before = resample(labels, atlas, subject.shift_mm);
    view.labels_after = pull_back(labels, chain, atlas);
  }
  view.jacobian = jacobian_determinant(view.displacement);
  add(view.displacement.vectors, -1 * subject.shift_mm);
  return view;
}

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0F, 1.0F)));
}

void append_labels(Bytes& out, const Labels& labels, const std::vector<std::int32_t>& table) {
  for (const std::int32_t value : labels.values) {
    const auto at = std::lower_bound(table.begin(), table.end(), value);
    const std::size_t index = at != table.end() && *at == value ? at - table.begin() : 0;
    out.push_back(static_cast<std::uint8_t>(index));
    if (table.size() > 256) out.push_back(static_cast<std::uint8_t>(index >> 8));
  }
}

Bytes pack(const SubjectView& view, const std::vector<std::int32_t>& table) {
  Bytes planes;
  for (const Image* image : {&view.before, &view.after})
    for (const float value : image->values) planes.push_back(to_byte(value));
  for (const float value : view.jacobian.values) planes.push_back(jacobian_byte(value));
  for (const auto* labels : {&view.labels_before, &view.labels_after})
    if (*labels) append_labels(planes, **labels, table);
  return gzip(planes);
}

Affine affine_part(const Displacement& displacement, const Vec3& shift, const Image& atlas) {
  const Grid& grid = displacement.grid();
  const Mat3 to_point = grid.index_to_point();
  Vec3 x_mean{}, y_mean{};
  Mat3 xx{}, yx{};
  double total = 0;
  const auto visit = [&](auto&& use) {
    for (std::int64_t k = 0; k < grid.size[2]; ++k)
      for (std::int64_t j = 0; j < grid.size[1]; ++j)
        for (std::int64_t i = 0; i < grid.size[0]; ++i) {
          const Vec3 x = grid.origin + to_point * Vec3{double(i), double(j), double(k)};
          Vec3 y = x + shift;
          const std::int64_t v = grid.offset(i, j, k);
          for (int c = 0; c < grid.dims; ++c) y[c] += displacement.vectors.component(c)[v];
          use(double(atlas.values[v]) + 0.01, x, y);
        }
  };
  visit([&](double w, const Vec3& x, const Vec3& y) {
    x_mean = x_mean + w * x;
    y_mean = y_mean + w * y;
    total += w;
  });
  x_mean = (1 / total) * x_mean;
  y_mean = (1 / total) * y_mean;
  visit([&](double w, const Vec3& x, const Vec3& y) {
    for (int r = 0; r < grid.dims; ++r)
      for (int c = 0; c < grid.dims; ++c) {
        xx[r][c] += w * (x[r] - x_mean[r]) * (x[c] - x_mean[c]);
        yx[r][c] += w * (y[r] - y_mean[r]) * (x[c] - x_mean[c]);
      }
  });
  if (grid.dims == 2) xx[2][2] = yx[2][2] = 1;
  Affine affine;
  affine.dims = grid.dims;
  affine.matrix = yx * inverse(xx);
  affine.offset = y_mean - affine.matrix * x_mean;
  return affine;
}

}  // namespace aladdin::report
