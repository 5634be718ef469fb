#include <fmt/format.h>

#include <algorithm>

#include "aladdin/core/text.h"
#include "aladdin/evaluate/evaluation_report.h"

namespace aladdin::evaluate {
namespace {

std::string format(const Statistic& s, int digits) {
  if (s.count == 0) return "-";
  return fmt::format("{:.{}f} ({:.{}f})", s.mean, digits, s.sd, digits);
}

std::string dice_table(const Evaluation& e, std::span<const Group> groups) {
  const auto rows = rows_of(e, groups);
  std::size_t width = 8;
  for (const Row& row : rows) width = std::max(width, row.title.size());
  const bool surfaces = !e.subjects.front().surface.empty();
  std::string text = fmt::format("{:<{}}  {:>15}  {:>15}  {:>15}  {:>15}", "Dice", width, "bridge",
                                 "image", "atlas", "atlas pairs");
  if (surfaces) text += fmt::format("  {:>13}  {:>13}", "HD95 mm", "distance mm");
  text += '\n';
  for (const Row& row : rows) {
    Statistic pairs;
    if (e.pairs && row.name == "mean") pairs = e.pairs->mean;
    if (e.pairs && row.name != "mean" && row.structures.size() == 1)
      pairs = e.pairs->of[row.structures[0]];
    text +=
        fmt::format("{:<{}}  {:>15}  {:>15}  {:>15}  {:>15}", row.title, width,
                    format(statistic_of(e, Measure::bridge, row.structures), 4),
                    format(statistic_of(e, Measure::image, row.structures), 4),
                    format(statistic_of(e, Measure::atlas, row.structures), 4), format(pairs, 4));
    if (surfaces)
      text += fmt::format("  {:>13}  {:>13}",
                          format(statistic_of(e, Measure::hd95_mm, row.structures), 2),
                          format(statistic_of(e, Measure::average_mm, row.structures), 2));
    text += '\n';
  }
  return text;
}

std::string folds_line(const Evaluation& e, const char* name, Folds SubjectScores::*part) {
  std::vector<double> folds, volume;
  std::int64_t cells = 0;
  double smallest = 1, largest = 1, log_sd = 0;
  for (const auto& subject : e.subjects) {
    const Folds& f = subject.*part;
    folds.push_back(static_cast<double>(f.negative));
    volume.push_back(f.volume_percent());
    cells += f.folded_cells;
    smallest = std::min(smallest, f.smallest);
    largest = std::max(largest, f.largest);
    log_sd += f.log_sd / static_cast<double>(e.subjects.size());
  }
  return fmt::format(
      "{:<18}folds {} per subject, most {:.0f}; folded cells {}, volume {:.4f} %; Jacobian {:.3f} to "
      "{:.3f}, log sd {:.3f}\n",
      name, format(statistic(folds), 1), *std::max_element(folds.begin(), folds.end()), cells,
      statistic(volume).mean, smallest, largest, log_sd);
}

template <class Centre>
std::string centrality_line(const char* name, const char* what, const Centre& centre,
                            const std::string& whose) {
  return fmt::format("{:<18}mean {} {:.4f} mm, max {:.4f} mm, shift {:.4f} mm ({})\n", name, what,
                     centre.mean_mm, centre.max_mm, centre.shift_mm, whose);
}

std::string similarity_line(const Evaluation& e) {
  Similarity mean;
  double count = 0;
  for (const auto& subject : e.subjects) count += subject.similarity.has_value();
  if (count == 0) return "";
  for (const auto& subject : e.subjects) {
    if (!subject.similarity) continue;
    mean.ncc_before += subject.similarity->ncc_before / count;
    mean.ncc_after += subject.similarity->ncc_after / count;
    mean.mse_before += subject.similarity->mse_before / count;
    mean.mse_after += subject.similarity->mse_after / count;
  }
  return fmt::format("{:<18}NCC {:.4f} -> {:.4f}, MSE {:.5f} -> {:.5f}\n", "similarity",
                     mean.ncc_before, mean.ncc_after, mean.mse_before, mean.mse_after);
}

}  // namespace

std::string to_text(const Evaluation& e, std::span<const Group> groups) {
  const auto subjects = static_cast<long long>(e.subjects.size());
  std::string text = fmt::format("{}: {}{}", e.name, counted(subjects, "subject"),
                                 e.split.empty() ? "" : fmt::format(" (split {})", e.split));
  if (e.has_labels()) {
    text += fmt::format(", {}; bridge votes {}, atlas segmentation {}; mean (sd)\n",
                        counted(static_cast<long long>(e.table.size()) - 1, "structure"),
                        e.exact ? "exact" : "summed", e.voted_segmentation ? "voted" : "given");
    text += dice_table(e, groups);
  } else {
    text += " without labels: registration quality only; mean (sd)\n";
  }
  text += folds_line(e, "native to atlas", &SubjectScores::to_atlas);
  text += folds_line(e, "atlas to native", &SubjectScores::to_native);
  const InverseError inverse = inverse_error_of(e);
  text += fmt::format("{:<18}mean {:.4f} mm, max {:.4f} mm\n", "inverse error", inverse.mean_mm,
                      inverse.max_mm);
  text +=
      centrality_line("centrality", "displacement", e.centrality,
                      fmt::format("of the {} above", counted(e.centrality.subjects, "subject")));
  const auto as_built = [&](const char* what, const std::optional<BuiltCentrality>& built) {
    if (built)
      text += centrality_line(
          "", what, *built,
          fmt::format("of {}, as built", counted(built->subjects, "training subject")));
  };
  as_built("displacement", e.displacement);
  as_built("velocity", e.velocity);
  text += similarity_line(e);
  if (e.sharpness)
    text += fmt::format(
        "{:<18}gradient energy {:.6g} / mm2, relative {:.6g}, entropy {:.4f} bits\n", "atlas",
        e.sharpness->gradient_energy, e.sharpness->relative_energy, e.sharpness->entropy_bits);
  return text;
}

}  // namespace aladdin::evaluate
