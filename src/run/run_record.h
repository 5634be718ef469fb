// run.json: what a build was asked for, what it found of its cohort and what came out of it. One reader and one writer,
// which go through the same list of keys (run_record.cpp). docs/run_directory.md describes each key.
//
// Version 1 stays readable: what older programs did not write is empty here, and keys that are not known are passed over.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aladdin/core/linear.h"
#include "aladdin/image/intensity.h"
#include "aladdin/image/label_names.h"
#include "aladdin/run/run_directory.h"

namespace aladdin {

constexpr int kRunVersion = 1;

enum class RunState { training, done };

struct SubjectRecord {
  std::string id;                    // fits into a file name (check_id)
  std::string split{};               // "": for training
  Path image{}, label{};             // absolute; label "": none
  std::vector<std::int64_t> size{};  // of the image, one per dimension; not in runs of early 0.1
  std::vector<double> spacing_mm{};
  Vec3 shift_mm{0, 0, 0};  // native point = working point + shift
  std::optional<IntensityMap> intensity{};
  std::vector<std::pair<std::string, std::string>> covariates{};  // as the cohort wrote them

  bool is_for_training() const { return split.empty() || split == "train"; }
};

struct CohortRecord {
  std::string source{}, kind{};
  int dims = 0;  // 0: an older run
  LabelNames label_names{};
  std::vector<std::string> notes{};
};

// How far a mean over the training subjects is from 0 (evaluate/centrality.h).
struct CentralityRecord {
  std::optional<double> mean_mm{}, max_mm{}, shift_mm{};
};

struct RunResults {
  std::optional<std::int64_t> subjects{}, folds{}, folded_cells{};
  std::optional<double> inverse_error_mm{};
  std::optional<double> inverse_error_vox{};  // until 0.1: before the export, on the padded grid
  std::optional<std::int64_t> training_subjects{};
  CentralityRecord displacement{}, velocity{};
  std::vector<std::string> poor{};     // subjects that match far worse than the others
  std::vector<std::int32_t> labels{};  // [0] is 0; empty: no subject had labels
  std::optional<double> val_score{};
  std::optional<std::int64_t> epochs{}, steps{};
};

struct RunTiming {
  double training_minutes = 0, peak_memory_gb = 0;
};

struct RunRecord {
  RunState state = RunState::training;
  std::string identity{};  // of the training: settings and cohort
  std::string command{}, preset{};
  std::string settings{};             // a hash of config.toml
  std::vector<std::string> chosen{};  // settings that the program chose
  std::optional<std::uint64_t> seed{};
  std::string device{};
  std::optional<int> threads{}, processes{};
  std::map<std::string, std::string> versions{};
  CohortRecord cohort{};
  std::string grid{};  // the atlas grid, described
  std::vector<SubjectRecord> subjects{};
  std::optional<RunResults> results{};  // of a finished run
  std::optional<RunTiming> timing{};

  bool is_done() const { return state == RunState::done; }
};

// Throws one sentence, naming the key, on a folder that is no run directory, one of another version and a record that is
// damaged.
RunRecord read_record(const RunDirectory& run);
void write_record(const RunDirectory& run, const RunRecord& record);
// Is there a run.json at all?
bool has_record(const RunDirectory& run);

// The same, of a run that must be finished.
RunRecord read_finished_record(const RunDirectory& run);

}  // namespace aladdin
