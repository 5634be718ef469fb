#include <fmt/format.h>

#include "aladdin/report/figures/figures.h"
#include "aladdin/report/plane_row.h"

namespace aladdin::report {
namespace {

constexpr double kWidth = 640, kCaption = 20, kGap = 12;

struct Row {
  std::string caption;
  const Image* image;
  const Labels* labels;
};

// g++ 12 warns of a literal that becomes a std::string inside a vector's element.
std::string caption(std::string_view text) { return std::string(text); }

// What the run adds to the energy: the paper compares atlases without and with pairwise losses.
std::string pairs_of(const RunData& run) {
  if (!run.config) return "";
  const LossConfig& loss = run.config->loss;
  if (loss.gamma1 > 0 && loss.gamma2 > 0) return ", pairs in atlas and image space";
  if (loss.gamma1 > 0) return ", pairs in atlas space";
  if (loss.gamma2 > 0) return ", pairs in image space";
  return ", without pairwise losses";
}

}  // namespace

std::optional<Figure> atlas_means(std::span<const RunFindings> runs) {
  std::vector<Row> rows;
  for (const RunFindings& run : runs) {
    if (!run.survey) continue;
    const Survey& survey = *run.survey;
    const Labels* labels = survey.atlas_labels ? &*survey.atlas_labels : nullptr;
    if (rows.empty() && survey.initial_mean) {
      rows.push_back({caption("mean of the images, shifted only"), &*survey.initial_mean, labels});
      rows.push_back(
          {caption("mean after the affine part of each transform"), &*survey.affine_mean, labels});
    }
    const std::string name = runs.size() > 1 ? shorten(run.data.name, 40) : "atlas";
    rows.push_back({name + pairs_of(run.data), &survey.atlas, labels});
  }
  if (rows.empty()) return std::nullopt;
  std::vector<PlaneRow> planes;
  double height = 0;
  for (const Row& row : rows) {
    const Grid& grid = row.image->grid;
    planes.emplace_back(grid, row.labels ? centroid_of(*row.labels) : grid.centre(), kWidth);
    height += kCaption + planes.back().height() + kGap;
  }
  const Window window{0, window_of(*rows.back().image).high};
  Svg svg(kWidth, height - kGap, "Means and atlases in three planes");
  double y = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    svg.text({0, y + 13}, rows[r].caption);
    planes[r].draw(svg, 0, y + kCaption, *rows[r].image, window, nullptr, rows[r].caption);
    y += kCaption + planes[r].height() + kGap;
  }
  return Figure{
      "means", "From a blur to an atlas",
      "Sagittal, coronal and axial planes through the middle of the labels (or of the grid), all "
      "with the same grey values; training subjects only.",
      svg};
}

}  // namespace aladdin::report
