// What one walk through the registered subjects of a finished run gives: one subject in memory at a
// time, so that the cost is linear and the memory does not grow with the cohort.
#pragma once

#include "aladdin/evaluate/evaluation.h"
#include "aladdin/report/subject_view.h"

namespace aladdin::report {

// Counts log2 det J from -kReach to kReach.
struct JacobianHistogram {
  static constexpr int kBins = 81;
  static constexpr double kReach = 2;
  std::vector<double> share = std::vector<double>(kBins, 0.0);  // of all voxels, sums to 1

  static double middle(int bin) { return kReach * (2 * (bin + 0.5) / kBins - 1); }
};

struct SubjectSurvey {
  std::size_t subject = 0;  // of RunData::subjects
  JacobianHistogram histogram;
  double mean_mm = 0, max_mm = 0;  // of the displacement
  Bytes packed;                    // pack(); empty: beyond the budget
};

// A subject that a figure shows in full.
struct Portrait {
  std::size_t subject = 0;
  SubjectView view;
};

struct Survey {
  Image atlas;
  std::optional<Labels> atlas_labels;
  std::vector<SubjectSurvey> subjects;  // those that could be read, in the order of the run
  std::optional<Image> initial_mean, affine_mean;  // of the training subjects
  std::optional<Image> centrality_mm;              // |mean displacement| of the training subjects
  evaluate::CentralitySummary centrality;          // of these
  std::vector<std::size_t> ranking;                // RunData::subjects, worst first
  std::vector<Portrait>
      portraits;          // of choose_portraits(ranking), in its order, those that could be read
  std::string ranked_by;  // "bridge Dice" or "energy"
  std::vector<std::string> notes;  // what could not be read

  // Null: not chosen, or it could not be read.
  const Portrait* portrait(std::size_t subject) const;
};

struct SurveyOptions {
  std::size_t embed_bytes = 0;  // of packed subjects
};

// `evaluation` ranks the subjects; without one, the energy of subjects.csv does.
Survey survey(const RunData& run, const evaluate::Evaluation* evaluation,
              const SurveyOptions& options);

constexpr std::size_t kWorst = 5;

// The worst kWorst of a ranking, its middle (ranking[size / 2]) and the best one, each once.
std::vector<std::size_t> choose_portraits(const std::vector<std::size_t>& ranking);

}  // namespace aladdin::report
