// All figures of a report, one file each. Each is made from what a run directory holds, and none is
// made where that holds nothing to show: it returns nothing then.
#pragma once

#include <span>

#include "aladdin/evaluate/evaluation_report.h"
#include "aladdin/report/survey.h"
#include "aladdin/report/svg.h"

namespace aladdin::report {

// A run and what was found out about it.
struct RunFindings {
  RunData data;
  std::optional<evaluate::Evaluation> evaluation;  // of the labelled subjects
  std::string split = "all";                       // which of them
  std::optional<Survey> survey;                    // of a finished run
};

// training_curves.cpp: a figure for each column of metrics.csv that says something, over the epochs;
// several runs in one.
std::vector<Figure> training_curves(std::span<const RunFindings> runs);

// dice_boxes.cpp: d^bridge of each structure as box plots with every subject.
std::optional<Figure> dice_boxes(const RunFindings& run);
// The mean of all structures, a box a run.
std::optional<Figure> dice_of_runs(std::span<const RunFindings> runs);

// jacobian_histogram.cpp: log2 det J over all subjects; and how near each comes to folding.
std::optional<Figure> jacobian_histogram(const RunFindings& run);
std::optional<Figure> smallest_jacobians(const RunFindings& run);

// displacement.cpp: how far each subject moved; the mean displacement of the cohort as a map.
std::optional<Figure> displacement_lengths(const RunFindings& run);
std::optional<Figure> centrality_map(const RunFindings& run);

// deformation_grid.cpp: grids through the transforms of the worst, a middle and the best subject.
std::vector<Figure> deformation_grids(const RunFindings& run);

// atlas_evolution.cpp: the atlas after its updates.
std::optional<Figure> atlas_evolution(const RunFindings& run);

// atlas_means.cpp: the paper's figure of atlases, three planes a row: the mean of the images as they
// are, after their affine parts, and the atlas of each run.
std::optional<Figure> atlas_means(std::span<const RunFindings> runs);

// worst_subjects.cpp: before, after and difference.
std::optional<Figure> worst_subjects(const RunFindings& run);

}  // namespace aladdin::report
