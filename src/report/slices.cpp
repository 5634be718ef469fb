#include "aladdin/report/slices.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/parallel.h"
#include "aladdin/image/sample.h"
#include "aladdin/report/font.h"

namespace aladdin::report {
namespace {

constexpr Colour kBackground{0, 0, 0};
constexpr Colour kInk{225, 225, 225};
constexpr int kGap_px = 4;

// Point -> index with the matrix inverted once.
class Sampler {
 public:
  explicit Sampler(const Grid& grid) : grid_(grid), to_index_(grid.point_to_index()) {}

  // False outside the image (beyond half a voxel).
  bool locate(const Vec3& point, Vec3& index) const {
    index = to_index_ * (point - grid_.origin);
    for (int axis = 0; axis < grid_.dims; ++axis) {
      const double last = static_cast<double>(grid_.size[axis]) - 1;
      if (!(index[axis] >= -0.5 && index[axis] <= last + 0.5)) return false;
      index[axis] = std::clamp(index[axis], 0.0, last);
    }
    for (int axis = grid_.dims; axis < 3; ++axis) index[axis] = 0;
    return true;
  }

 private:
  const Grid& grid_;
  Mat3 to_index_;
};

std::int32_t nearest_at(const Labels& labels, const Vec3& index) {
  return labels.at(std::llround(index[0]), std::llround(index[1]), std::llround(index[2]));
}

Vec3 position(const SliceRow& row, const SliceOptions& options) {
  if (options.at_mm) return *options.at_mm + options.offset_mm;
  return (row.labels ? centroid_of(*row.labels) : row.image->grid.centre()) + options.offset_mm;
}

std::string format_box(const WorldBox& box, int dims) {
  std::string text;
  for (int axis = 0; axis < dims; ++axis)
    text += fmt::format("{}{:.6g} to {:.6g}", axis ? ", " : "", box.low[axis], box.high[axis]);
  return text + " mm";
}

// A picture on which nothing shows is refused.
void require_visible(const SliceRow& row, const Vec3& through) {
  const Grid& grid = row.image->grid;
  const WorldBox box = world_box(grid);
  if (row.labels) {
    const WorldBox other = world_box(row.labels->grid);
    for (int axis = 0; axis < grid.dims; ++axis)
      if (other.high[axis] <= box.low[axis] || other.low[axis] >= box.high[axis])
        throw Error(
            fmt::format("the labels of '{}' are in another place: they span {}, the image {}",
                        row.caption, format_box(other, grid.dims), format_box(box, grid.dims)))
            .hint("are they the labels of this image?");
  }
  for (int axis = 0; axis < grid.dims; ++axis)
    if (!(through[axis] >= box.low[axis] && through[axis] <= box.high[axis]))
      throw Error(fmt::format("the slices would miss '{}': they go through ({:.6g}), the image "
                              "spans {}",
                              row.caption, fmt::join(&through[0], &through[0] + grid.dims, ", "),
                              format_box(box, grid.dims)))
          .hint(fmt::format("choose a point inside with {} (LPS)", option_name("at")));
}

Colour blend(float grey, std::int32_t label, double opacity) {
  const double base = 255.0 * std::clamp(grey, 0.0F, 1.0F);
  const Colour tint = label_colour(label);
  const double share = label == 0 ? 0.0 : opacity;
  Colour colour;
  for (int c = 0; c < 3; ++c)
    colour[c] = static_cast<std::uint8_t>(std::lround((1 - share) * base + share * tint[c]));
  return colour;
}

// Hue 0 … 1 around the circle.
Colour from_hsl(double hue, double saturation, double light) {
  const double reach = saturation * std::min(light, 1 - light);
  Colour colour;
  for (int c = 0; c < 3; ++c) {
    const double k = std::fmod((c == 0 ? 0 : c == 1 ? 8 : 4) + 12 * hue, 12.0);
    const double value = light - reach * std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0);
    colour[c] = static_cast<std::uint8_t>(std::lround(255 * value));
  }
  return colour;
}

struct Column {
  Plane plane;
  double opacity;  // of the labels
};

std::vector<Column> columns_for(const std::vector<SliceRow>& rows, const SliceOptions& options) {
  std::vector<Column> columns;
  for (const bool plain : {true, false}) {
    if (plain && !options.plain_too) continue;
    for (const Plane& plane : planes_for(rows.front().image->grid.dims, options.neurological))
      columns.push_back({plane, plain ? 0.0 : options.opacity});
  }
  return columns;
}

void paste(Picture& onto, const Picture& panel, int left, int top) {
  for (int y = 0; y < panel.height; ++y)
    std::copy_n(&panel.at(0, y), panel.width, &onto.at(left, top + y));
}

// Letters keep their share of a panel.
int letter_scale(const SliceOptions& options) { return std::max(1, options.panel_px / 256); }

void mark_sides(Picture& sheet, const Plane& plane, const Picture& panel, int left, int top,
                int scale) {
  const int y = top + (panel.height - kGlyphHeight * scale) / 2;
  const int right = left + panel.width - (kGlyphWidth + 1) * scale;
  draw_outlined_text(sheet, left + 2 * scale, y, plane.left_mark, kInk, kBackground, scale);
  draw_outlined_text(sheet, right, y, plane.right_mark, kInk, kBackground, scale);
}

void require_same_dims(const std::vector<SliceRow>& rows) {
  if (rows.empty()) fail("there is no image to draw");
  for (const SliceRow& row : rows) {
    if (row.image->grid.dims != rows.front().image->grid.dims)
      fail("'{}' is {}-D but '{}' is {}-D, expected images of the same kind", row.caption,
           row.image->grid.dims, rows.front().caption, rows.front().image->grid.dims);
    if (row.labels && row.labels->grid.dims != row.image->grid.dims)
      fail("the labels of '{}' are {}-D, expected {}-D as its image", row.caption,
           row.labels->grid.dims, row.image->grid.dims);
  }
}

double pixel_size(const std::vector<SliceRow>& rows, int panel_px) {
  double longest_mm = 0;
  for (const SliceRow& row : rows) {
    const WorldBox box = world_box(row.image->grid);
    for (int axis = 0; axis < row.image->grid.dims; ++axis)
      longest_mm = std::max(longest_mm, box.high[axis] - box.low[axis]);
  }
  return longest_mm / panel_px;
}

// Widths of the columns and heights of the rows that hold every panel.
struct Layout {
  std::vector<int> widths, heights;
  int caption_px;

  int left(std::size_t column) const {
    int sum = kGap_px;
    for (std::size_t c = 0; c < column; ++c) sum += widths[c] + kGap_px;
    return sum;
  }
  int top(std::size_t row) const {
    int sum = kGap_px;
    for (std::size_t r = 0; r < row; ++r) sum += heights[r] + caption_px + kGap_px;
    return sum;
  }
};

}  // namespace

Window window_of(const Image& image) {
  std::vector<float> values = image.values;
  const auto percentile = [&](double fraction) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(fraction * (values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
  };
  return {percentile(0.005), percentile(0.995)};
}

Vec3 centroid_of(const Labels& labels) {
  Vec3 sum{};
  double count = 0;
  const Size3& size = labels.grid.size;
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j)
      for (std::int64_t i = 0; i < size[0]; ++i)
        if (labels.at(i, j, k) != 0) {
          sum = sum + Vec3{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
          ++count;
        }
  return count > 0 ? labels.grid.to_point((1 / count) * sum) : labels.grid.centre();
}

Picture render_plane(const Image& image, const PlaneView& view, const Painter& paint) {
  Picture panel(view.width(), view.height(), kBackground);
  const Sampler sampler(image.grid);
  parallel_for(panel.height, [&](std::int64_t y) {
    for (int x = 0; x < panel.width; ++x) {
      const Vec3 point = view.point_at(x + 0.5, static_cast<double>(y) + 0.5);
      Vec3 index;
      if (sampler.locate(point, index))
        panel.at(x, static_cast<int>(y)) = paint(
            static_cast<float>(linear_at(image.values.data(), cell_of(image.grid.size, index))),
            point);
    }
  });
  return panel;
}

Picture render_plane(const Image& image, const Labels* labels, const PlaneView& view,
                     const Window& window, double opacity) {
  const Sampler sampler(labels ? labels->grid : image.grid);
  const float range = std::max(window.high - window.low, 1e-12F);
  return render_plane(image, view, [&](float value, const Vec3& point) {
    Vec3 index;
    const bool labelled = labels && sampler.locate(point, index);
    return blend((value - window.low) / range, labelled ? nearest_at(*labels, index) : 0, opacity);
  });
}

void SliceOptions::validate() const {
  if (panel_px < 16 || panel_px > 4096)
    fail_usage("{} {} is out of range, expected 16 to 4096 pixels", option_name("panel"), panel_px);
  if (!(opacity >= 0 && opacity <= 1))
    fail_usage("{} {:g} is out of range, expected 0 to 1", option_name("opacity"), opacity);
}

Colour label_colour(std::int32_t label) {
  static constexpr Colour kPalette[] = {{0, 114, 178},   {230, 159, 0},  {0, 158, 115},
                                        {204, 121, 167}, {86, 180, 233}, {213, 94, 0},
                                        {240, 228, 66}};
  const auto at = static_cast<std::uint32_t>(label) - 1;
  if (at < std::size(kPalette)) return kPalette[at];
  // Multiples of the golden angle spread over the circle however many there are.
  const double hue = std::fmod(at * 0.6180339887498949, 1.0);
  const double light = at % 2 == 0 ? 0.42 : 0.68, saturation = at % 3 == 0 ? 0.55 : 0.9;
  return from_hsl(hue, saturation, light);
}

Picture render_slices(const std::vector<SliceRow>& rows, const SliceOptions& options) {
  options.validate();
  require_same_dims(rows);
  const auto columns = columns_for(rows, options);
  const double pixel_mm = pixel_size(rows, options.panel_px);
  const int scale = letter_scale(options);
  std::vector<std::vector<Picture>> panels(rows.size());
  Layout layout{std::vector<int>(columns.size(), 0), std::vector<int>(rows.size(), 0),
                options.captions ? kGlyphHeight * scale + 2 : 0};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Window window = window_of(*rows[r].image);
    const Vec3 through = position(rows[r], options);
    require_visible(rows[r], through);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const PlaneView view{columns[c].plane, world_box(rows[r].image->grid), through, pixel_mm};
      panels[r].push_back(
          render_plane(*rows[r].image, rows[r].labels, view, window, columns[c].opacity));
      layout.widths[c] = std::max(layout.widths[c], panels[r][c].width);
      layout.heights[r] = std::max(layout.heights[r], panels[r][c].height);
    }
  }
  Picture sheet(layout.left(columns.size()), layout.top(rows.size()), kBackground);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Picture& panel = panels[r][c];
      const int left = layout.left(c) + (layout.widths[c] - panel.width) / 2;
      const int top = layout.top(r) + layout.caption_px + (layout.heights[r] - panel.height) / 2;
      paste(sheet, panel, left, top);
      if (options.captions) mark_sides(sheet, columns[c].plane, panel, left, top, scale);
    }
    if (options.captions) draw_text(sheet, kGap_px, layout.top(r), rows[r].caption, kInk, scale);
  }
  return sheet;
}

}  // namespace aladdin::report
