// Slices of volumes as pictures: sagittal, coronal and axial, side by side, one row an image.
//
// Planes are cut along the world's axes, whatever the axes of the image, with one scale in mm for
// all panels. Radiological convention: the patient's left is on the right; anterior is up on axial
// and left on sagittal slices; superior is up. Neurological: the patient's left is on the left. A
// 2-D image has one panel, its first world axis to the right and its second downwards.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aladdin/image/image.h"
#include "aladdin/image/png.h"

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

// All rows 2-D or all 3-D. Grey values: the 0.5 to the 99.5 percentile of each image.
Picture render_slices(const std::vector<SliceRow>& rows, const SliceOptions& options);

// A palette that colour-blind readers can tell apart (Okabe and Ito); repeats after seven.
Colour label_colour(std::int32_t label);

}  // namespace aladdin::report
