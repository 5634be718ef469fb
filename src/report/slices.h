// Slices of volumes as pictures: sagittal, coronal and axial, side by side, one row an image.
//
// Planes are cut along the world's axes, whatever the axes of the image, with one scale in mm for
// all panels. Radiological convention: the patient's left is on the right; anterior is up on axial
// and left on sagittal slices; superior is up. Neurological: the patient's left is on the left. A
// 2-D image has one panel, its first world axis to the right and its second downwards.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aladdin/image/image.h"
#include "aladdin/image/png.h"
#include "aladdin/report/plane.h"

namespace aladdin::report {

struct SliceOptions {
  int panel_px = 256;     // the longest side of the largest panel
  double opacity = 0.45;  // of label colours, 0 … 1
  bool neurological = false;
  bool captions = true;
  bool plain_too = false;  // each slice without its labels as well, to the left
  std::optional<Vec3>
      at_mm;  // world point all planes go through; else the labels' centroid or the middle
  Vec3 offset_mm{0, 0, 0};  // added to it

  void validate() const;
};

struct SliceRow {
  std::string caption;
  const Image* image = nullptr;
  const Labels* labels = nullptr;  // optional, on any grid of the same space
};

// All rows 2-D or all 3-D. Slices that miss their image, and labels beside it, are refused. Grey values: the 0.5 to the 99.5 percentile of each image.
Picture render_slices(const std::vector<SliceRow>& rows, const SliceOptions& options);

// The values that become black and white.
struct Window {
  float low = 0, high = 1;
};
// The 0.5 to the 99.5 percentile.
Window window_of(const Image& image);

// The mean point of all voxels that have a label; the middle of the grid if none has.
Vec3 centroid_of(const Labels& labels);

// One plane of an image, black beside it.
Picture render_plane(const Image& image, const Labels* labels, const PlaneView& view,
                     const Window& window, double opacity = 0.45);
// The same with a colour for each value, at its world point.
using Painter = std::function<Colour(float value, const Vec3& point)>;
Picture render_plane(const Image& image, const PlaneView& view, const Painter& paint);

// Labels 1 to 7: a palette that colour-blind readers can tell apart (Okabe and Ito). Beyond: hues a
// golden angle apart, dark and bright in turn.
Colour label_colour(std::int32_t label);

}  // namespace aladdin::report
