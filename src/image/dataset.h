// A cohort on its working grid, ready for training: loaded once, in parallel, and kept compact.
//
// Images: the [0, 1] intensities as 16-bit fixed point, so that a value comes back within 7.6e-6
// (1 / 131070). Labels: numbers into one table for the cohort, 8 bits if that has at most 256
// entries, else 16. Both are on the padded working grid, 0 outside a subject's field of view.
//
// The records live in memory, or, when they need more than the budget, in a memory-mapped file in
// the cache folder. That file is written whole or not at all; it is used again when its key (paths,
// sizes and times of the files, grid, shifts, percentiles) is the same and its checksums hold, else
// rebuilt. The resulting bits are the same either way.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "aladdin/image/scan.h"
#include "aladdin/image/working_grid.h"

namespace aladdin {

enum class Storage { automatic, memory, disk };

struct DatasetOptions {
  Storage storage = Storage::automatic;
  std::uint64_t memory_budget = 0;  // bytes; 0: half of what this machine can still give
  Path cache_folder{};         // empty: $ALADDIN_CACHE, $XDG_CACHE_HOME/aladdin or ~/.cache/aladdin
  std::vector<bool> wanted{};  // subjects to load; empty: all
  std::function<bool()> given_up = [] { return false; };  // true: loading ends soon, with an Error
};

// Whether so many bytes of records stay in the cache folder rather than in memory.
bool is_streamed(std::uint64_t bytes, const DatasetOptions& options);

class Dataset {
 public:
  Dataset(Cohort cohort, std::vector<SubjectScan> scans, WorkingGrid working,
          const DatasetOptions& options = {});
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  std::size_t size() const { return cohort_.subjects.size(); }
  const Cohort& cohort() const { return cohort_; }
  const WorkingGrid& working() const { return working_; }
  const Grid& grid() const { return working_.padded; }
  bool on_disk() const { return on_disk_; }

  // Reads all records anew: from now on subject i is seen on seen[i], the padded grid as it lies in the subject's space but
  // for the shift (network/affine_placement.h), so that what moves it further is part of the one interpolation.
  void place(std::vector<Grid> seen);
  const Grid& seen(std::size_t subject) const;  // grid() unless it was placed

  // Whether the subject was loaded; the functions below throw if it was not.
  bool has(std::size_t subject) const { return subject < size() && place_[subject] != kNowhere; }

  // The original label values, ascending; [0] is 0, the background.
  const std::vector<std::int32_t>& label_table() const { return label_table_; }
  bool has_labels(std::size_t subject) const { return cohort_.subjects[subject].label.has_value(); }
  const IntensityMap& intensity(std::size_t subject) const { return scans_[subject].intensity; }

  // All of these fill grid().voxels() values and may be called from any thread.
  void image(std::size_t subject, float* out) const;
  void label_indices(std::size_t subject, std::uint16_t* out) const;  // into label_table()
  void labels(std::size_t subject, std::int32_t* out) const;          // the original values

 private:
  class Records;

  void load();
  void fill(std::size_t subject, std::byte* out) const;
  const std::byte* record(std::size_t subject) const;

  Cohort cohort_;
  std::vector<SubjectScan> scans_;
  WorkingGrid working_;
  DatasetOptions options_;
  std::vector<Grid> seen_;  // of each subject; empty: grid()
  static constexpr std::size_t kNowhere = -1;
  std::vector<std::size_t> place_;  // of a subject's record
  std::vector<std::int32_t> label_table_;
  std::size_t label_bytes_ = 0;  // a voxel; 0: the cohort has no labels
  std::size_t record_bytes_ = 0;
  bool on_disk_ = false;
  std::unique_ptr<Records> records_;
};

// Bytes that a Dataset of these subjects would take.
std::uint64_t dataset_bytes(const Cohort& cohort, const std::vector<SubjectScan>& scans,
                            const WorkingGrid& working);
// As DatasetOptions says; without a home a folder in /tmp that only this user may enter, which is made.
Path default_cache_folder();

}  // namespace aladdin
