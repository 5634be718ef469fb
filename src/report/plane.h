// The planes of a volume that a picture shows: cut along the world's axes, whatever those of the image.
#pragma once

#include <vector>

#include "aladdin/image/grid.h"

namespace aladdin::report {

// The world's box around all voxels of a grid, mm.
struct WorldBox {
  Vec3 low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
};
WorldBox world_box(const Grid& grid);

// World axes that run to the right and downwards, and whether against their direction.
struct Plane {
  int right, down;
  bool flip_right, flip_down;
  const char* left_mark;
  const char* right_mark;
  const char* name;
};
// Sagittal, coronal, axial; one plane in 2-D.
std::vector<Plane> planes_for(int dims, bool neurological = false);

// A plane through a point, drawn with `pixel_mm` mm a pixel from the corner of a box.
struct PlaneView {
  Plane plane;
  WorldBox box;
  Vec3 through;
  double pixel_mm;

  int width() const;
  int height() const;
  Vec3 point_at(double x, double y) const;  // of the picture, in pixels
  // Pixels; the point is projected onto the plane.
  std::array<double, 2> pixel_of(const Vec3& point) const;
};

}  // namespace aladdin::report
