// Where a map x -> x + u(x) is not one-to-one, u in voxels, planar (kernels/field.h).
//
// 1. As the paper (Sec. 4): voxels with a determinant of the Jacobian below 0, by central differences
//    (kernels/jacobian.h; one-sided at the border). `not_positive` counts 0 as well.
//
// 2. Stricter, the non-diffeomorphic volume of Liu et al. ("On finite difference Jacobian computation
//    in deformable image registration", arXiv 2212.06060, 2022): central differences do not see the
//    voxel between them, so a field can fold at every second voxel unnoticed. Each cell of 2 x 2 x 2
//    voxels is cut into five tetrahedra, in both ways that there are:
//
//      volume = sum_cells 1/2 sum_t max(0, -D_t) / 6,   D_t = 6 x the signed volume of tetrahedron t
//
//    t runs over ten: the eight corners of the cell, where D is the determinant of the forward or
//    backward differences along the cell's edges (all combinations +++ … ---), and the two tetrahedra
//    of alternate corners (J*_1 and J*_2). D is 1 at the corners and 2 for the other two when u = 0,
//    so that a cell that is turned inside out as a whole counts 1. In 2-D four triangles, the corners
//    ++ +- -+ --, halved: sum_cells 1/2 sum_t max(0, -D_t) / 2.
//    A cell is folded if any D_t <= 0. A central difference is the mean of the eight corner
//    differences around its voxel, so where no cell is folded none is negative inside the grid.
//
//    Deviation from Liu et al., deliberate: they sum over voxels and leave out the outermost; here
//    each cell counts once, those at the border too. An axis of one voxel has no cells.
#pragma once

#include <vector>

#include "aladdin/kernels/field.h"

namespace aladdin::evaluate {

struct Folds {
  std::int64_t voxels = 0, cells = 0;
  std::int64_t negative = 0;      // voxels with det J < 0: the paper's folds
  std::int64_t not_positive = 0;  // voxels with det J <= 0
  std::int64_t folded_cells = 0;
  double volume_vox = 0;             // non-diffeomorphic volume (2-D: area), in voxels
  double smallest = 1, largest = 1;  // det J
  double log_sd = 0;                 // standard deviation of log det J, over voxels with det J > 0

  double negative_percent() const { return voxels ? 100.0 * double(negative) / double(voxels) : 0; }
  double volume_percent() const { return cells ? 100.0 * volume_vox / double(cells) : 0; }
};

// For one item; shape.n is ignored. A field that is not finite has determinants that count as folds.
Folds count_folds(const float* u, const kernels::Shape& shape);

// 1 at the lowest voxel of each folded cell, else 0; one value per voxel.
std::vector<std::uint8_t> folded_cells(const float* u, const kernels::Shape& shape);

}  // namespace aladdin::evaluate
