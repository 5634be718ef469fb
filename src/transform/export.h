// From the working space, in which an atlas is built, to the two fields that a subject gets. A
// subject came there by a translation only (image/working_grid.h), native = working + shift:
//
//   native_to_atlas, on the atlas grid:    x -> to_subject(x) + shift    pulls the native image
//   atlas_to_native, in native space:      y -> to_atlas(y - shift)      pulls the atlas
//
// A native grid may reach beyond the working grid. There the displacements go on as at their edge,
// the border rule of the exponential and of the inverse: as identities they would tear the anatomy
// along the border of the working grid. Far beyond it the two are therefore translations, each by
// its own edge value, and inverse to each other only as far as these agree.
//
// A file knows nothing of that: beyond its own grid, a field read back is the identity, in ITK as
// here. native_to_atlas thus holds for atlas points inside the atlas grid, and a native point that
// atlas_to_native takes out of that grid does not come back.
#pragma once

#include <string>

#include "aladdin/transform/chain.h"

namespace aladdin {

struct ExportedFields {
  Displacement native_to_atlas;
  Displacement atlas_to_native;
};

// The grid of atlas_to_native that keeps all that a registration on `working` knows, in as few voxels as that takes:
// the voxel positions of `working`, moved by `shift` into the subject's space and going on until they cover the field
// of view of `native`. Samples there are samples of to_atlas itself, and linear interpolation between them gives what it
// gives on the working grid: nothing is lost, however fine `native` is. With an affine part in to_atlas the samples lie
// between those of the working grid, as on any other grid. `native` itself where that has no more voxels and no shear.
Grid registration_grid(const Grid& working, const Vec3& shift, const Grid& native);

// Which grid atlas_to_native is written on.
enum class FieldGrid {
  registration,  // registration_grid
  native         // that of the subject's image
};
// "registration" or "native"; an unknown name is a usage error.
FieldGrid parse_field_grid(const std::string& name);
Grid choose_field_grid(FieldGrid which, const Grid& working, const Vec3& shift, const Grid& native);

// to_subject takes atlas points to the subject's points, to_atlas is its inverse; both in the
// working space, in mm, on any grids. `atlas` is the visible working grid, `native` any grid in the subject's space.
ExportedFields export_fields(Chain to_subject, Chain to_atlas, const Vec3& shift, const Grid& atlas,
                             const Grid& native);

}  // namespace aladdin
