// The label-free measures of a registration: folds, inverse consistency, centrality and
// similarity.
#pragma once

#include "aladdin/evaluate/centrality.h"
#include "aladdin/evaluate/folds.h"
#include "aladdin/evaluate/inverse_consistency.h"
#include "aladdin/evaluate/source.h"

namespace aladdin::evaluate {

// With the atlas, intensities of both in 0 … 1; before is with the subject's shift alone.
struct Similarity {
  double ncc_before = 0, ncc_after = 0, mse_before = 0, mse_after = 0;
};

// On the field's own grid.
Folds folds_of(const Displacement& field);
// The same for a chain that is one field; any other chain is measured on `grid`.
Folds folds_of(const Chain& chain, const Grid& grid);

// Adds native_to_atlas on the atlas grid without the translation `shift` (mm).
void add_to_centre(Centrality& centrality, const Chain& native_to_atlas, const Vec3& shift,
                   const Grid& atlas);

// `image` is on its own grid, native = atlas + shift before it was registered; both have intensities in 0 … 1. Over the
// voxels of `atlas`.
Similarity similarity_of(const Image& image, const Vec3& shift, const Chain& native_to_atlas,
                         const Image& atlas);
// Reads the subject's image.
Similarity similarity_of(const SourceSubject& subject, const Chain& native_to_atlas,
                         const Image& atlas);

}  // namespace aladdin::evaluate
