// Fig. 4 of the paper as an experiment: with a fixed atlas, do pairwise terms make a training converge faster
// and end higher?
//
//   aladdin_fig4 OUT
//
// OUT holds the runs VARIANT-SEED and their evaluations VARIANT-SEED.csv (fig4/run.sh), VARIANT being R, A
// or I. Writes fig4.csv (a line an epoch and run), fig4.svg and fig4.txt, the finding, which is printed too.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>

#include "../chart.h"
#include "../statistics.h"
#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "table.h"

namespace {

using namespace aladdin;
using namespace aladdin::bench;

const std::vector<std::pair<std::string, std::string>> kVariants{
    {"R", "R"}, {"A", "R + atlas pairs"}, {"I", "R + image pairs"}};

// One training and its evaluation.
struct Run {
  std::string variant, seed;
  Table metrics, evaluation;
};

std::vector<Run> read_runs(const Path& folder) {
  std::vector<Run> runs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || name.size() < 3 || name[1] != '-') continue;
    runs.push_back({name.substr(0, 1), name.substr(2), read_table(entry.path() / "metrics.csv"),
                    read_table(folder / (name + ".csv"))});
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return std::pair(a.variant, a.seed) < std::pair(b.variant, b.seed);
  });
  return runs;
}

// fig4.csv: of the training loss only what all variants have, as in the paper.
std::string csv_of(const std::vector<Run>& runs) {
  std::string out = "variant,seed,epoch,coarsening,sim,reg,val_energy,val_bridge_dice,val_folds\n";
  for (const Run& run : runs)
    for (std::size_t row = 0; row < run.metrics.rows(); ++row) {
      out += run.variant + "," + run.seed;
      for (const char* column :
           {"epoch", "coarsening", "sim", "reg", "val_energy", "val_bridge_dice", "val_folds"})
        out += "," + run.metrics.text(row, column);
      out += "\n";
    }
  return out;
}

// The mean over the seeds and their extremes, at every epoch where `column` has a value.
Curve curve_of(const std::vector<Run>& runs, const std::string& variant, const std::string& name,
               const std::string& column) {
  std::map<double, std::vector<double>> by_epoch;
  for (const Run& run : runs) {
    if (run.variant != variant) continue;
    for (std::size_t row = 0; row < run.metrics.rows(); ++row)
      if (const auto value = run.metrics.number(row, column))
        by_epoch[*run.metrics.number(row, "epoch")].push_back(*value);
  }
  Curve curve{name, {}, {}, {}, {}};
  for (const auto& [epoch, values] : by_epoch) {
    curve.x.push_back(epoch);
    curve.y.push_back(std::accumulate(values.begin(), values.end(), 0.0) /
                      static_cast<double>(values.size()));
    curve.low.push_back(*std::min_element(values.begin(), values.end()));
    curve.high.push_back(*std::max_element(values.begin(), values.end()));
  }
  return curve;
}

Panel panel_of(const std::vector<Run>& runs, const std::string& title, const std::string& column) {
  Panel panel{title, "epoch", column, {}};
  for (const auto& [variant, name] : kVariants)
    panel.curves.push_back(curve_of(runs, variant, name, column));
  return panel;
}

// The mean over the seeds of a measure of every subject, in the order of their names.
std::vector<double> by_subject(const std::vector<Run>& runs, const std::string& variant,
                               const std::string& column) {
  std::map<std::string, std::pair<double, double>> sums;
  for (const Run& run : runs) {
    if (run.variant != variant) continue;
    for (std::size_t row = 0; row < run.evaluation.rows(); ++row)
      if (const auto value = run.evaluation.number(row, column)) {
        auto& [sum, count] = sums[run.evaluation.text(row, "id")];
        sum += *value;
        count += 1;
      }
  }
  std::vector<double> out;
  for (const auto& [id, sum] : sums) out.push_back(sum.first / sum.second);
  return out;
}

// The first epoch at which the mean validation Dice reaches `level`.
std::string epoch_reaching(const Curve& curve, double level) {
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (curve.y[i] >= level) return fmt::format("reached after {:.0f} epochs", curve.x[i]);
  return "never reached";
}

std::string finding_of(const std::vector<Run>& runs, const std::string& variant,
                       const std::string& name) {
  const auto dice = [&](const std::string& of) {
    return curve_of(runs, of, of, "val_bridge_dice");
  };
  std::string out = name + ": ";
  const Curve plain = dice("R");
  if (!plain.y.empty()) {
    const auto best = std::max_element(plain.y.begin(), plain.y.end());
    out += fmt::format("the best validation Dice of R ({:.4f}, {}) is {}; ", *best,
                       epoch_reaching(plain, *best), epoch_reaching(dice(variant), *best));
  }
  const std::pair<const char*, const char*> measures[] = {
      {"atlas space", "atlas_mean"}, {"image space", "image_mean"}, {"bridge", "bridge_mean"}};
  std::vector<std::string> parts;
  std::size_t subjects = 0;
  for (const auto& [space, column] : measures) {
    const auto with = by_subject(runs, variant, column), without = by_subject(runs, "R", column);
    if (with.size() != without.size())
      fail("{} of {} and {} subjects: the runs were evaluated on different ones", space,
           with.size(), without.size());
    std::vector<double> gain;
    for (std::size_t i = 0; i < with.size(); ++i) gain.push_back(with[i] - without[i]);
    subjects = gain.size();
    parts.push_back(fmt::format("{} {}", space, describe(mean_of(gain), 4)));
  }
  const auto seeds = std::count_if(runs.begin(), runs.end(),
                                   [&](const Run& run) { return run.variant == variant; });
  return out + fmt::format("gain in Dice over R at the end: {} ({} subjects, {} seeds).\n",
                           fmt::join(parts, ", "), subjects, seeds);
}

void require_all(const std::vector<Run>& runs, const Path& folder) {
  for (const auto& [variant, unused] : kVariants) {
    const auto of = [&, wanted = variant](const Run& run) { return run.variant == wanted; };
    if (std::none_of(runs.begin(), runs.end(), of))
      throw Error(fmt::format("'{}' has no run {}-SEED", folder.string(), variant))
          .hint("bench/paper/fig4/run.sh makes them");
  }
}

void run(const Path& folder) {
  const auto runs = read_runs(folder);
  require_all(runs, folder);
  std::string findings;
  for (const auto& [variant, name] : kVariants)
    if (variant != "R") findings += finding_of(runs, variant, name);
  write_text(folder / "fig4.csv", csv_of(runs));
  write_text(folder / "fig4.svg", draw({panel_of(runs, "training: similarity", "sim"),
                                        panel_of(runs, "training: regularity", "reg"),
                                        panel_of(runs, "validation", "val_bridge_dice")}));
  write_text(folder / "fig4.txt", findings);
  fmt::print("{}", findings);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Fig. 4: a fixed atlas, with and without pairwise terms");
  std::string folder;
  app.add_option("OUT", folder, "The folder with the runs of fig4/run.sh")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    run(folder);
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.exit_code());
  }
}
