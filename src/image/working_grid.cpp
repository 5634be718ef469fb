#include "aladdin/image/working_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aladdin/core/error.h"
#include "aladdin/core/median.h"
#include "aladdin/core/option_name.h"
#include "aladdin/image/io.h"
#include "aladdin/image/outliers.h"
#include "aladdin/image/resample.h"

namespace aladdin {
namespace {

constexpr double kSliver = 1e-3;  // voxels: content that sticks out by less needs no further voxel

// Along the world's axes.
Vec3 canonical_spacing(const Grid& grid) {
  const auto axes = nearest_axes(grid);
  return {grid.spacing[axes[0]], grid.spacing[axes[1]], grid.spacing[axes[2]]};
}

Vec3 choose_spacing(const Cohort& cohort, const WorkingGridOptions& options) {
  Vec3 spacing{1, 1, 1};
  for (int axis = 0; axis < cohort.dims; ++axis) {
    if (!options.spacing.empty()) {
      spacing[axis] = options.spacing[options.spacing.size() == 1 ? 0 : axis];
      continue;
    }
    std::vector<double> all;
    for (const auto& subject : cohort.subjects)
      all.push_back(canonical_spacing(subject.grid)[axis]);
    spacing[axis] = options.downsample * median(all);
  }
  return spacing;
}

// Axes of `native` run along those of `grid` (either way round) with the same spacing: a shift can
// put voxels onto voxels all over the field of view.
bool voxels_can_meet(const Grid& native, const Grid& grid) {
  const Mat3 map = native.point_to_index() * grid.index_to_point();
  for (int row = 0; row < native.dims; ++row)
    for (int axis = 0; axis < native.dims; ++axis) {
      const double whole = std::round(map[row][axis]);
      const auto span = static_cast<double>(std::max<std::int64_t>(1, native.size[row]));
      if (std::abs(whole) > 1 || std::abs(map[row][axis] - whole) * span > 1e-4) return false;
    }
  return true;
}

// The shift nearest to `shift` that puts the voxels of `grid` onto those of `native`.
Vec3 rounded_shift(const Grid& native, const Grid& grid, const Vec3& shift) {
  const Vec3 index = native.to_index(grid.origin + shift);
  Vec3 whole = index;
  // Halves are common (an even beside an odd size), and must fall to the same side whatever the
  // rounding error.
  for (int axis = 0; axis < native.dims; ++axis)
    whole[axis] = std::floor(index[axis] + 0.5 + kSliver);
  return native.to_point(whole) - grid.origin;
}

struct Placed {
  std::vector<Vec3> shift;
  Extent all;  // of every content but those that are outliers, in working space
  std::vector<Extent> each;
};

Vec3 shift_to(const Vec3& middle, const Grid& native, const Extent& content, const Grid& lattice) {
  const Vec3 shift = content.centre() - middle;
  return voxels_can_meet(native, lattice) ? rounded_shift(native, lattice, shift) : shift;
}

void include(Extent& all, const Extent& one) {
  for (int axis = 0; axis < 3; ++axis) {
    all.low[axis] = std::min(all.low[axis], one.low[axis]);
    all.high[axis] = std::max(all.high[axis], one.high[axis]);
  }
}

// Moves every content's centre to `middle`, or leaves it where it is. `lattice` is any grid that
// has the voxel positions of the working grid.
Placed place(const Cohort& cohort, const std::vector<Extent>& native,
             const std::vector<bool>& large, const Vec3& middle, const Grid& lattice, bool centre) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Placed placed;
  placed.all = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  for (std::size_t i = 0; i < native.size(); ++i) {
    const Vec3 shift =
        centre ? shift_to(middle, cohort.subjects[i].grid, native[i], lattice) : Vec3{0, 0, 0};
    placed.shift.push_back(shift);
    placed.each.push_back({native[i].low - shift, native[i].high - shift});
    if (!large[i]) include(placed.all, placed.each[i]);
  }
  return placed;
}

Vec3 median_centre(const std::vector<Extent>& extents) {
  Vec3 out;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> all;
    for (const auto& extent : extents) all.push_back(extent.centre()[axis]);
    out[axis] = median(all);
  }
  return out;
}

// One axis of the grid that holds [low, high]: voxels at anchor + n * spacing if there is an
// anchor, else centred. `size` 0: as many as it takes.
void lay_out(double low, double high, double spacing, const double* anchor, std::int64_t& size,
             double& origin) {
  if (!anchor) {
    if (size == 0) size = static_cast<std::int64_t>(std::ceil((high - low) / spacing - kSliver));
    size = std::max<std::int64_t>(size, 1);
    origin = 0.5 * (low + high) - 0.5 * spacing * static_cast<double>(size - 1);
    return;
  }
  // Voxel n reaches from n - 1/2 to n + 1/2.
  const double from = std::floor((low - *anchor) / spacing + 0.5 + kSliver);
  const double to = std::ceil((high - *anchor) / spacing - 0.5 - kSliver);
  double begin = from;
  if (size == 0) {
    size = std::max<std::int64_t>(1, static_cast<std::int64_t>(to - from) + 1);
  } else {
    begin = std::floor(0.5 * (from + to) - 0.5 * static_cast<double>(size - 1) + 0.5);
  }
  origin = *anchor + spacing * begin;
}

std::string axis_list(const Vec3& values, int dims) {
  return dims == 2 ? fmt::format("{:.4g} x {:.4g}", values[0], values[1])
                   : fmt::format("{:.4g} x {:.4g} x {:.4g}", values[0], values[1], values[2]);
}

void require_affordable(const WorkingGrid& working, const Cohort& cohort, const Placed& placed,
                        std::int64_t most_voxels) {
  double voxels = 1;
  for (const auto size : working.padded.size) voxels *= static_cast<double>(size);
  if (voxels <= static_cast<double>(most_voxels)) return;
  std::size_t largest = 0;
  const auto volume = [&](std::size_t i) {
    const Vec3 size = placed.each[i].high - placed.each[i].low;
    return size[0] * size[1] * size[2];
  };
  for (std::size_t i = 1; i < placed.each.size(); ++i)
    if (volume(i) > volume(largest)) largest = i;
  throw Error(
      fmt::format("the working grid would be {} voxels ({:.1f} GB an image), expected at most "
                  "{:.3g} voxels; the largest subject is {} ({} mm)",
                  format_size(working.padded), voxels * 4 / 1e9, static_cast<double>(most_voxels),
                  cohort.subjects[largest].id,
                  axis_list(placed.each[largest].high - placed.each[largest].low, cohort.dims)))
      .hint(fmt::format("choose {}, {} or {}", option_name("downsample"), option_name("spacing"),
                        option_name("size")));
}

// Outliers have a note of their own.
void note_cut_contents(WorkingGrid& working, const Cohort& cohort, const Placed& placed,
                       const std::vector<bool>& large) {
  std::size_t cut = 0, first = 0;
  for (std::size_t i = 0; i < placed.each.size(); ++i) {
    if (large[i]) continue;
    // In index space, since the grid of --like may be turned.
    const Mat3 to_index = working.visible.point_to_index();
    bool out = false;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 point;
      for (int axis = 0; axis < 3; ++axis)
        point[axis] = (corner >> axis & 1) ? placed.each[i].high[axis] : placed.each[i].low[axis];
      const Vec3 index = to_index * (point - working.visible.origin);
      for (int axis = 0; axis < cohort.dims; ++axis)
        out |= index[axis] < -0.51 ||
               index[axis] > static_cast<double>(working.visible.size[axis]) - 0.49;
    }
    if (out && cut++ == 0) first = i;
  }
  if (cut > 0)
    working.notes.push_back(
        fmt::format("the content of {} of {} subjects ({}{}) reaches beyond the working grid", cut,
                    placed.each.size(), cohort.subjects[first].id, cut > 1 ? ", …" : ""));
}

}  // namespace

void WorkingGridOptions::validate(int dims) const {
  const auto count_is_wrong = [&](std::size_t count, bool one_will_do) {
    return count != 0 && count != static_cast<std::size_t>(dims) && !(one_will_do && count == 1);
  };
  if (like && (!spacing.empty() || !size.empty() || downsample != 1))
    fail_usage("{} fixes the whole grid; omit {}, {} and {}", option_name("like"),
               option_name("spacing"), option_name("size"), option_name("downsample"));
  if (!spacing.empty() && downsample != 1)
    fail_usage("{} and {} both set the spacing; omit one of them", option_name("spacing"),
               option_name("downsample"));
  if (count_is_wrong(spacing.size(), true))
    fail_usage("{} has {} numbers, expected 1 or {} for {}-D images", option_name("spacing"),
               spacing.size(), dims, dims);
  if (count_is_wrong(size.size(), false))
    fail_usage("{} has {} numbers, expected {} for {}-D images", option_name("size"), size.size(),
               dims, dims);
  for (const auto mm : spacing)
    if (!(mm > 0) || !std::isfinite(mm))
      fail_usage("{} {} is not a positive number of mm", option_name("spacing"), mm);
  for (const auto voxels : size)
    if (voxels < 1 || voxels > 100000)
      fail_usage("{} {} is not between 1 and 100000 voxels", option_name("size"), voxels);
  if (!(downsample >= 1 && downsample <= 64))
    fail_usage("{} {} is not between 1 and 64", option_name("downsample"), downsample);
  if (multiple < 1) fail_usage("sizes cannot be multiples of {}", multiple);
}

Vec3 content_shift(const Grid& native, const Box& content, const Vec3& centre,
                   const Grid& working) {
  return shift_to(centre, native, extent_of(native, content), working);
}

Size3 pad_to_multiple(const Grid& grid, int multiple, Grid& padded) {
  Size3 before{0, 0, 0};
  padded = grid;
  for (int axis = 0; axis < grid.dims; ++axis) {
    padded.size[axis] = (grid.size[axis] + multiple - 1) / multiple * multiple;
    before[axis] = (padded.size[axis] - grid.size[axis]) / 2;
  }
  padded.origin = grid.to_point({-static_cast<double>(before[0]), -static_cast<double>(before[1]),
                                 -static_cast<double>(before[2])});
  return before;
}

namespace {

void require_right_angles(const Grid& grid, const Path& path) {
  if (!is_sheared(grid)) return;
  throw Error(fmt::format("'{}' has sheared axes, an atlas is built on a grid at right angles",
                          path.string()))
      .hint("resample it onto one with 'aladdin warp --like'");
}

}  // namespace

WorkingGrid choose_working_grid(const Cohort& cohort, const std::vector<SubjectScan>& scans,
                                const WorkingGridOptions& options) {
  options.validate(cohort.dims);
  std::vector<Extent> native;
  for (std::size_t i = 0; i < scans.size(); ++i)
    native.push_back(extent_of(cohort.subjects[i].grid, scans[i].content));
  const Outliers outliers = find_outliers(cohort, scans);
  WorkingGrid working;
  working.notes = outliers.notes;
  std::optional<Extent> around;  // the content of an image that stays where it is
  std::optional<Grid> around_grid;
  if (options.around) {
    const Image image = read_image(*options.around);
    if (image.grid.dims != cohort.dims)
      fail("'{}' is {}-D, but the cohort is {}-D", options.around->string(), image.grid.dims,
           cohort.dims);
    require_right_angles(image.grid, *options.around);
    around_grid = image.grid;
    around = extent_of(image.grid, find_content(image, nullptr, options.around->string()));
  }
  Placed placed;
  if (options.like) {
    const Image like = read_image(*options.like);
    if (like.grid.dims != cohort.dims)
      fail_usage("{} '{}' is {}-D, the cohort is {}-D", option_name("like"), options.like->string(),
                 like.grid.dims, cohort.dims);
    require_right_angles(like.grid, *options.like);
    working.visible = like.grid;
    working.content_centre =
        around ? around->centre()
               : extent_of(like.grid, find_content(like, nullptr, options.like->string())).centre();
    placed =
        place(cohort, native, outliers.large, working.content_centre, like.grid, options.centre);
  } else {
    Grid& grid = working.visible;
    grid.dims = cohort.dims;
    grid.spacing = choose_spacing(cohort, options);
    // The voxels of a typical subject that can meet the working grid's fix where those are.
    const Vec3 middle = around ? around->centre() : median_centre(native);
    const Grid* anchor = nullptr;
    double nearest = std::numeric_limits<double>::infinity();
    if (around && voxels_can_meet(*around_grid, grid)) anchor = &*around_grid;
    for (std::size_t i = 0; i < native.size() && !around; ++i) {
      const double distance = norm(native[i].centre() - middle);
      if (distance < nearest && voxels_can_meet(cohort.subjects[i].grid, grid)) {
        nearest = distance;
        anchor = &cohort.subjects[i].grid;
      }
    }
    if (anchor) grid.origin = anchor->origin;
    working.content_centre = middle;
    placed = place(cohort, native, outliers.large, middle, grid, options.centre);
    if (around) include(placed.all, *around);
    for (int axis = 0; axis < cohort.dims; ++axis) {
      grid.size[axis] = options.size.empty() ? 0 : options.size[axis];
      lay_out(placed.all.low[axis], placed.all.high[axis], grid.spacing[axis],
              anchor ? &anchor->origin[axis] : nullptr, grid.size[axis], grid.origin[axis]);
    }
  }
  working.shift = placed.shift;
  working.centred = options.centre;
  working.pad_before = pad_to_multiple(working.visible, options.multiple, working.padded);
  require_affordable(working, cohort, placed, options.most_voxels);
  note_cut_contents(working, cohort, placed, outliers.large);
  return working;
}

}  // namespace aladdin
