// The training subjects of a finished run, each with its velocity in the run's centred space, its image and its labels as the
// build had them: on the padded working grid.
//
// Read one at a time. Displacements are kept up to a limit, so that a second look at a small cohort costs nothing, and found
// again beyond it: memory does not grow with the cohort.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "aladdin/evaluate/dice.h"
#include "aladdin/image/image.h"
#include "aladdin/kernels/field.h"
#include "aladdin/network/model.h"
#include "aladdin/run/run_record.h"
#include "aladdin/stats/table.h"
#include "aladdin/transform/affine.h"

namespace aladdin::condition {

class RunSubjects {
 public:
  using Values = std::vector<float>;

  // Throws one sentence on a run that is not finished, whose method has no velocities, or that an older version built.
  explicit RunSubjects(const Path& folder);

  const RunDirectory& run() const { return run_; }
  const RunRecord& record() const { return record_; }
  LabelNames& label_names() {
    return record_.cohort.label_names;
  }                                              // those of the cohort, to be changed
  const Model& model() const { return model_; }  // without its weights
  std::size_t size() const { return training_.size(); }
  const SubjectRecord& subject(std::size_t i) const { return record_.subjects[training_[i]]; }
  const stats::Table& covariates() const { return table_; }  // a line for each
  bool has_labels() const { return record_.results && record_.results->labels.size() > 1; }
  const std::vector<std::int32_t>& label_table() const { return record_.results->labels; }

  const kernels::Shape& shape() const { return shape_; }            // of the padded grid
  const kernels::Shape& velocity_shape() const { return coarse_; }  // of the velocity grid
  Values refined(Values v) const;  // from the velocity grid onto the padded grid, in its voxels

  // All of these may be called from several threads.
  Values velocity(std::size_t i) const;  // voxels of the velocity grid, planar
  Values displacement(
      std::size_t i) const;  // exp(velocity) - id on the padded grid, in voxels: atlas to subject
  Image image(std::size_t i) const;  // intensities 0 … 1, placed as the build had it
  bool is_labelled(std::size_t i) const { return !subject(i).label.empty(); }
  std::vector<evaluate::LabelIndex> labels(
      std::size_t i) const;  // indices into label_table(), likewise
  // Of each label, in the order of label_table(): mm³, or mm² in 2-D, counted in the subject's own label map.
  std::vector<double> own_volumes(std::size_t i) const;

 private:
  std::optional<Affine> placed(std::size_t i) const;
  Values exponential(std::size_t i) const;
  std::vector<evaluate::LabelIndex> indices(const Labels& labels, std::size_t i) const;

  RunDirectory run_;
  RunRecord record_;
  Model model_;
  std::vector<std::size_t> training_;
  stats::Table table_;
  kernels::Shape shape_, coarse_;
  mutable std::mutex mutex_;
  mutable std::vector<Values> kept_;
  mutable std::int64_t room_;
};

}  // namespace aladdin::condition
