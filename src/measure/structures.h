// Sizes of the structures of one subject, in two ways that should agree: counted in its own label map,
// and measured by the transform that carries the atlas's structures to the subject.
#pragma once

#include <string>
#include <vector>

#include "aladdin/evaluate/source.h"
#include "aladdin/image/image.h"

namespace aladdin::measure {

struct StructureSize {
  std::int32_t label = 0;
  std::string name;
  // Voxels of the native label map times the volume of one, mm^3 (mm^2 in 2-D); NaN without a label map.
  double volume = 0;
  // Sum of exp(absolute log-Jacobian) times the volume of a voxel over the atlas's structure.
  double jacobian_volume = 0;
  // Means over the atlas's structure, unsmoothed (log_jacobian.h).
  double log_jacobian = 0, relative_log_jacobian = 0;
};

struct SubjectMeasures {
  std::string id, split;
  std::int64_t folds = 0;  // voxels of the atlas grid with a determinant <= 0
  double affine_log_jacobian = 0;
  // One per label of the atlas, in ascending order; then the total: label 0, name "total".
  std::vector<StructureSize> structures;
};

struct MeasureOptions {
  double smooth_mm = 0;             // full width at half maximum; of the maps alone
  std::vector<std::int32_t> total;  // labels that make up the total; empty: all
};

struct Measured {
  SubjectMeasures measures;
  Image absolute, relative;  // smoothed, in atlas space; 0 outside the mask
};

class Measurer {
 public:
  // Reads the atlas. `mask` (1 inside) is on its grid; empty: atlas_mask of mask.h. It bounds the maps
  // and the affine fit, never the structures. An atlas without labels has no structure but the total, which
  // is the mask; the total volume then counts all of the native labels. Throws unless the image and
  // the labels of the atlas are on one grid, and on a label in `options.total` that the atlas lacks.
  Measurer(const evaluate::Source& source, MeasureOptions options,
           std::vector<std::uint8_t> mask = {});

  // Where the source names no image of the atlas: 1 where it has a label.
  const Image& atlas() const { return atlas_; }
  const Labels& labels() const { return labels_; }  // no values where the atlas has none
  const std::vector<std::uint8_t>& mask() const { return mask_; }
  const MeasureOptions& options() const { return options_; }
  // The atlas's labels without 0, ascending.
  const std::vector<std::int32_t>& table() const { return table_; }

  // Thread-safe, and serial where the caller runs subjects in parallel. Errors name the subject.
  Measured measure(const evaluate::SourceSubject& subject) const;

 private:
  void read_atlas(const evaluate::Source& source);
  void find_structures();
  std::vector<double> native_volumes(const evaluate::SourceSubject& subject) const;
  std::vector<StructureSize> sizes(const Image& absolute, double affine_log_jacobian,
                                   const std::vector<double>& volumes) const;
  Measured measure_read(const evaluate::SourceSubject& subject) const;

  MeasureOptions options_;
  std::map<std::int32_t, std::string> names_;
  Image atlas_;
  Labels labels_;
  std::vector<std::uint8_t> mask_;
  std::vector<std::int32_t> table_;
  std::vector<std::uint32_t> structure_of_;  // by voxel: 1 + place in table_, 0 outside
  std::vector<std::uint8_t> in_total_;       // by such a number
};

}  // namespace aladdin::measure
