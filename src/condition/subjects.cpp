#include "aladdin/condition/subjects.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/image/label_map.h"
#include "aladdin/image/prepare.h"
#include "aladdin/image/resample.h"
#include "aladdin/image/shape.h"
#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/pyramid.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::condition {
namespace {

constexpr std::int64_t kMostKept = 1LL << 30;  // bytes

bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

stats::Table table_of(const RunRecord& record, const std::vector<std::size_t>& training) {
  stats::Table table;
  for (const auto& subject : record.subjects)
    for (const auto& [name, unused] : subject.covariates) table.columns[name];
  for (const std::size_t i : training) {
    const SubjectRecord& subject = record.subjects[i];
    table.ids.push_back(subject.id);
    const std::map<std::string, std::string> own(subject.covariates.begin(),
                                                 subject.covariates.end());
    for (auto& [name, values] : table.columns)
      values.push_back(own.contains(name) ? own.at(name) : "");
  }
  return table;
}

}  // namespace

RunSubjects::RunSubjects(const Path& folder)
    : run_{folder},
      record_(read_finished_record(run_)),
      model_(read_model(run_.model())),
      room_(kMostKept) {
  model_.parameters.clear();
  for (std::size_t i = 0; i < record_.subjects.size(); ++i)
    if (record_.subjects[i].is_for_training()) training_.push_back(i);
  table_ = table_of(record_, training_);
  shape_ = shape_of(model_.padded);
  coarse_ = shape_of(velocity_grid(model_));
  kept_.resize(training_.size());
  if (!is_there(run_.velocities()))
    throw Error(fmt::format("'{}' has no velocities of its subjects", folder.string()))
        .hint("build it again with this version; only methods that find velocities have any");
  for (std::size_t i = 0; i < size(); ++i) {
    require_file(run_.velocities() / native_to_atlas_velocity_name(subject(i).id));
    if (!is_there(subject(i).image))
      throw Error(
          fmt::format("the image of '{}' is not at '{}'", subject(i).id, subject(i).image.string()))
          .hint("an atlas is made of the cohort's images: bring them back to where they were");
  }
}

RunSubjects::Values RunSubjects::refined(Values v) const {
  if (coarse_.voxels() == shape_.voxels()) return v;
  Values out(static_cast<std::size_t>(shape_.dims * shape_.voxels()));
  kernels::refine(v.data(), out.data(), shape_);
  return out;
}

RunSubjects::Values RunSubjects::velocity(std::size_t i) const {
  const Path path = run_.velocities() / native_to_atlas_velocity_name(subject(i).id);
  const Velocity mm = read_velocity(path);
  const Grid grid = velocity_grid(model_);
  if (!same_grid(mm.grid(), grid))
    fail("'{}' is {}, expected the velocity grid, {}", path.string(), describe(mm.grid()),
         describe(grid));
  VectorImage on_grid = mm.vectors;
  on_grid.grid = grid;
  return mm_to_voxels(on_grid).values;
}

RunSubjects::Values RunSubjects::exponential(std::size_t i) const {
  const Values v = refined(velocity(i));
  Values u(v.size());
  kernels::exponential(v.data(), u.data(), shape_, model_.squarings, 1.0F,
                       border_of(model_.network));
  return u;
}

RunSubjects::Values RunSubjects::displacement(std::size_t i) const {
  {
    const std::lock_guard lock(mutex_);
    if (!kept_[i].empty()) return kept_[i];
  }
  Values u = exponential(i);
  const auto bytes = static_cast<std::int64_t>(u.size() * sizeof(float));
  const std::lock_guard lock(mutex_);
  if (kept_[i].empty() && bytes <= room_) {
    room_ -= bytes;
    kept_[i] = u;
  }
  return u;
}

std::optional<Affine> RunSubjects::placed(std::size_t i) const {
  const Path path = run_.affines() / native_to_atlas_affine_name(subject(i).id);
  if (!is_there(path)) return std::nullopt;
  // Native points; the working space is theirs without the shift.
  Affine affine = read_affine(path);
  affine.offset = affine.offset - subject(i).shift_mm;
  return affine;
}

Image RunSubjects::image(std::size_t i) const {
  const SubjectRecord& who = subject(i);
  if (!who.intensity)
    fail("the record of '{}' has no intensities of '{}'", run_.folder.string(), who.id);
  Image image = prepare(read_image(who.image), *who.intensity, model_.padded, who.shift_mm);
  if (const auto affine = placed(i)) image = pull_back(image, {*affine}, model_.padded);
  return image;
}

std::vector<evaluate::LabelIndex> RunSubjects::indices(const Labels& labels, std::size_t i) const {
  try {
    return evaluate::index_labels(labels, label_table());
  } catch (Error& error) {
    throw error.within(fmt::format("'{}' has changed since the run", subject(i).label.string()));
  }
}

std::vector<evaluate::LabelIndex> RunSubjects::labels(std::size_t i) const {
  Labels labels = resample(read_labels(subject(i).label), model_.padded, subject(i).shift_mm);
  if (const auto affine = placed(i)) labels = pull_back(labels, {*affine}, model_.padded);
  return indices(labels, i);
}

std::vector<double> RunSubjects::own_volumes(std::size_t i) const {
  const Labels labels = read_labels(subject(i).label);
  std::vector<double> out(label_table().size(), 0);
  for (const auto index : indices(labels, i)) out[index] += voxel_volume(labels.grid);
  return out;
}

}  // namespace aladdin::condition
