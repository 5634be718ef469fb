#include "aladdin/network/affine_placement.h"

#include "aladdin/transform/affine_registration.h"

namespace aladdin {

bool places_by_ncc(SimilarityKind similarity) { return !keeps_scale(similarity); }

Affine place_on_mean(const Image& mean, const Image& image, SimilarityKind similarity) {
  AffineRegistrationOptions options;
  options.ncc = places_by_ncc(similarity);
  options.coarsest = 4;
  options.finest = 1;
  return register_affine(mean, image, Affine{.dims = mean.grid.dims}, options);
}

Grid placed(const Grid& grid, const Affine& to_subject) {
  Grid out = grid;
  const Mat3 axes = to_subject.matrix * grid.index_to_point();
  for (int axis = 0; axis < grid.dims; ++axis) {
    const Vec3 along{axes[0][axis], axes[1][axis], axes[2][axis]};
    out.spacing[axis] = norm(along);
    for (int row = 0; row < 3; ++row) out.direction[row][axis] = along[row] / out.spacing[axis];
  }
  out.origin = to_subject(grid.origin);
  return out;
}

}  // namespace aladdin
