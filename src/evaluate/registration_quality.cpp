#include "aladdin/evaluate/registration_quality.h"

#include "aladdin/evaluate/subject_reader.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/image/io.h"
#include "aladdin/kernels/similarity.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin::evaluate {
namespace {

// A chain in voxels of `grid`. A field that is on it is taken as it is.
VectorImage in_voxels(const Chain& chain, const Grid& grid) {
  const Displacement* field = only_field(chain);
  if (field && same_grid(field->grid(), grid)) return mm_to_voxels(field->vectors);
  return mm_to_voxels(to_displacement(chain, grid).vectors);
}

}  // namespace

Folds folds_of(const Displacement& field) {
  return count_folds(mm_to_voxels(field.vectors).values.data(), shape_of(field.grid()));
}

Folds folds_of(const Chain& chain, const Grid& grid) {
  if (const Displacement* field = only_field(chain)) return folds_of(*field);
  return folds_of(to_displacement(chain, grid));
}

void add_to_centre(Centrality& centrality, const Chain& native_to_atlas, const Vec3& shift,
                   const Grid& atlas) {
  VectorImage field = in_voxels(native_to_atlas, atlas);
  const Vec3 shift_vox = atlas.point_to_index() * shift;
  for (int c = 0; c < atlas.dims; ++c)
    for (std::int64_t v = 0; v < atlas.voxels(); ++v)
      field.component(c)[v] -= static_cast<float>(shift_vox[c]);
  centrality.add(field.values.data());
}

Similarity similarity_of(const SourceSubject& subject, const Chain& native_to_atlas,
                         const Image& atlas) {
  Image image = read_image(subject.image);
  apply(subject.intensity ? *subject.intensity
                          : find_intensity_map(image, nullptr, {}, subject.image.string()),
        image);
  return similarity_of(image, subject.shift, native_to_atlas, atlas);
}

Similarity similarity_of(const Image& image, const Vec3& shift, const Chain& native_to_atlas,
                         const Image& atlas) {
  const Grid& grid = atlas.grid;
  const Image before = pull_back(image, {translation(shift, grid.dims)}, grid);
  const Image after = pull_back(image, native_to_atlas, grid);
  const auto ncc = [&](const Image& other) {
    return 1 -
           kernels::ncc(atlas.values.data(), other.values.data(), nullptr, nullptr, shape_of(grid));
  };
  const auto mse = [&](const Image& other) {
    return kernels::mse(atlas.values.data(), other.values.data(), nullptr, nullptr, shape_of(grid));
  };
  return {ncc(before), ncc(after), mse(before), mse(after)};
}

}  // namespace aladdin::evaluate
