// The working grid: one grid for a cohort whose subjects may have any size, spacing, orientation
// and origin. Unless told otherwise its axes are canonical (LPS), its spacing is the median of the
// subjects' along each of those axes, and it is as large as the largest content (see content.h)
// once the centres of all contents coincide. Contents that are outliers (outliers.h) do not count.
//
// A subject gets there by a translation only:   native point = working point + shift[subject]
// The shift ends up inside exported transforms, so that results are exact in the subject's own
// space. Where a subject's voxels have the axes and the spacing of the working grid, its shift is
// rounded (by at most half a voxel) so that voxels fall onto voxels and nothing is interpolated.
//
// The network needs sizes that are multiples of some number: `padded` is `visible` with voxels
// added on both sides, in the same positions. Nothing a user sees has that padding.
#pragma once

#include <algorithm>
#include <optional>

#include "aladdin/image/cohort.h"
#include "aladdin/image/scan.h"

namespace aladdin {

struct WorkingGrid {
  Grid visible;
  Grid padded;
  Size3 pad_before{0, 0, 0};  // padded index = visible index + pad_before
  std::vector<Vec3> shift;    // mm, one a subject
  std::vector<std::string>
      notes;                     // e.g. whose content does not fit into a size that the user chose
  bool centred = true;           // false: every shift is 0
  Vec3 content_centre{0, 0, 0};  // the point where the centres of all contents are
};

struct WorkingGridOptions {
  std::vector<double> spacing{};  // mm along L, P(, S); one number: the same for all; empty: median
  std::vector<std::int64_t> size{};  // voxels along L, P(, S); empty: what the contents need
  std::optional<Path> like{};        // take the grid of this image as it is; excludes the others
  // An atlas that is given: it stays where it is, the subjects move to it, and the grid covers it.
  std::optional<Path> around{};
  double downsample = 1;               // the median spacing times this
  bool centre = true;                  // false: leave every subject where its header says
  int multiple = 16;                   // sizes of `padded`
  std::int64_t most_voxels = 1 << 27;  // of `padded`: 512 x 512 x 512

  // Throws (usage) on contradictions and on numbers that make no sense for `dims` dimensions.
  void validate(int dims) const;
};

WorkingGrid choose_working_grid(const Cohort& cohort, const std::vector<SubjectScan>& scans,
                                const WorkingGridOptions& options = {});

// The shift that takes the centre of a subject's content to the point `centre` of the working space,
// rounded where the voxels of `native` can meet those of `working` (any grid that has its voxel
// positions). The one rule for the cohort and for a new image.
Vec3 content_shift(const Grid& native, const Box& content, const Vec3& centre, const Grid& working);

// `grid` with voxels added on both sides until each size is a multiple; returns how many before.
Size3 pad_to_multiple(const Grid& grid, int multiple, Grid& padded);

// The visible part of a volume on the padded grid.
template <class T>
Volume<T> crop_padding(const Volume<T>& padded, const WorkingGrid& working) {
  Volume<T> out(working.visible);
  const auto& size = working.visible.size;
  const auto& before = working.pad_before;
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j)
      std::copy_n(&padded.at(before[0], j + before[1], k + before[2]), size[0], &out.at(0, j, k));
  return out;
}

}  // namespace aladdin
