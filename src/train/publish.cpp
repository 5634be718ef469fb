#include "aladdin/train/publish.h"

#include <cmath>
#include <numeric>
#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/centrality.h"
#include "aladdin/evaluate/registration_quality.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/image/io.h"
#include "aladdin/image/shape.h"
#include "aladdin/method/atlas.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/method/velocity_learner.h"
#include "aladdin/network/model.h"
#include "aladdin/train/registrations.h"
#include "aladdin/train/run_model.h"
#include "aladdin/train/team_sums.h"
#include "aladdin/transform/export.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin {
namespace {

class Publisher {
 public:
  Publisher(const RunDirectory& run, const Config& config, const TrainingData& data,
            TrainingState& state, const std::string& identity, const PublishOptions& options)
      : run_(run),
        config_(config),
        data_(data),
        options_(options),
        registrations_(run, config, data, state, identity),
        flow_(config.network),
        energy_(config.loss) {}

  RunResults write() {
    write_subjects();
    RunResults results;
    data_.team().lead([&] {
      write_text(run_.subjects(), lines_);
      write_atlas();
      Model model = registrations_.model();
      if (registrations_.registrar()->has_mismatch()) model.notes[kMismatches] = usual().text();
      write_model(run_.model(), model);
      results = summary();
    });
    return results;
  }

 private:
  ExportedFields export_subject(std::size_t i, const Maps& maps) const {
    return registrations_.registrar()->fields(
        maps, data_.placed(i), data_.dataset().working().shift[i],
        data_.dataset().cohort().subjects[i].grid, options_.fields);
  }

  // A field of the maps, on the device that trains.
  at::Tensor tensor_of(const std::vector<float>& u) const {
    std::vector<int64_t> sizes = data_.image_shape();
    sizes[1] = static_cast<int64_t>(sizes.size()) - 2;
    return at::tensor(u).view(sizes).to(data_.device());
  }

  Velocity velocity_mm(const at::Tensor& velocity) const {
    VectorImage voxels(velocity_grid());
    voxels.values = values_of(velocity);
    return Velocity(voxels_to_mm(voxels));
  }

  // What the energy is of: the maps, and for its regularity those of their voxels that are the velocity's.
  Fields fields_of(const at::Tensor& velocity, const Maps& maps) const {
    Fields out;
    out.velocity = velocity.to(data_.device());
    if (!flow_.is_velocity()) return flow_(out.velocity, data_.image_shape());
    out.to_subject = tensor_of(maps.to_subject);
    out.to_atlas = out.to_atlas_coarse = tensor_of(maps.to_atlas);
    const int scale = flow_.velocity_scale();
    for (int64_t dim = 2; dim < out.to_atlas.dim(); ++dim)
      out.to_atlas_coarse = out.to_atlas_coarse.slice(dim, 0, {}, scale);
    if (scale > 1) out.to_atlas_coarse = (out.to_atlas_coarse / scale).contiguous();
    return out;
  }

  void write_subjects() {
    prepare_sums();
    std::vector<std::size_t> all(data_.dataset().size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    publish_each(
        "registering", run_, data_, all,
        [&](const std::vector<std::size_t>& some) { registrations_.prepare(some); },
        [&](std::size_t i) { write_subject(i); });
    sum_over_team();
  }

  evaluate::Centrality no_displacements() const {
    const Grid& atlas = data_.dataset().working().visible;
    return {shape_of(atlas), atlas.spacing};
  }
  evaluate::Centrality no_velocities() const {
    const Grid grid = velocity_grid();
    return {shape_of(grid), grid.spacing};
  }
  Grid velocity_grid() const {
    return every(data_.dataset().grid(), config_.network.velocity_scale);
  }

  void prepare_sums() {
    const Dataset& dataset = data_.dataset();
    mismatches_.assign(dataset.size(), 0);
    centrality_ = no_displacements();
    if (flow_.is_velocity()) mean_velocity_ = no_velocities();
    for (const std::size_t i : data_.training())
      if (!votes_ && dataset.has_labels(i))
        votes_.emplace(shape_of(dataset.grid()), static_cast<int>(dataset.label_table().size()));
  }

  void sum_over_team() {
    const Team& team = data_.team();
    std::vector<double> sums(mismatches_.size(), 0);
    for (const auto& one : team.gather(mismatches_))
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += one[i];
    mismatches_ = sums;
    sum_.sum_over(team, data_.image_shape(), data_.device());
    if (votes_) sum_over(team, *votes_);
    const Grid& grid = data_.dataset().grid();
    mean_over(team, *centrality_, grid.dims * data_.dataset().working().visible.voxels(),
              no_displacements());
    if (mean_velocity_)
      mean_over(team, *mean_velocity_, grid.dims * velocity_grid().voxels(), no_velocities());
    for (std::int64_t* count : {&folds_, &folded_cells_, &measured_})
      *count = static_cast<std::int64_t>(sum_over(team, double(*count)));
    inverse_error_mm_ = sum_over(team, inverse_error_mm_);
    // Each subject's line is with the process that registered it.
    std::vector<std::vector<std::string>> lines;
    for (const std::string& text : team.gather(lines_)) lines.push_back(split(text, '\n'));
    std::vector<std::size_t> next(lines.size());
    lines_ =
        "id,split,folds,folded_cells,smallest_jacobian,largest_jacobian,"
        "inverse_error_mm,energy,mismatch\n";
    for (std::size_t i = 0; i < data_.dataset().size(); ++i)
      lines_ += lines[data_.owner(i)][next[data_.owner(i)]++] + "\n";
  }

  void write_subject(std::size_t i) {
    const Subject& subject = data_.dataset().cohort().subjects[i];
    const at::Tensor velocity = registrations_.velocity(i).cpu().contiguous();
    const Maps maps = registrations_.registrar()->maps(values_of(velocity));
    const bool training = subject.is_for_training();
    if (training) {
      sum_.add(data_.image(i), tensor_of(maps.to_subject));
      if (data_.dataset().has_labels(i))
        votes_->add(data_.labels(i).data(), maps.to_subject.data());
    }
    const ExportedFields exported = export_subject(i, maps);
    write_displacement(run_.transforms() / native_to_atlas_name(subject.id),
                       exported.native_to_atlas);
    write_displacement(run_.transforms() / atlas_to_native_name(subject.id),
                       exported.atlas_to_native);
    if (has_velocities(config_))
      write_velocity(run_.velocities() / native_to_atlas_velocity_name(subject.id),
                     velocity_mm(velocity));
    measure(i, velocity, maps, exported);
    if (options_.warped)
      write_image(run_.warped() / (subject.id + ".nii.gz"),
                  pull_back(read_image(subject.image), {exported.native_to_atlas},
                            data_.dataset().working().visible));
  }

  // Of the fields that are written, by the functions of `aladdin evaluate`: its figures are these.
  void measure(std::size_t i, const at::Tensor& velocity, const Maps& maps,
               const ExportedFields& exported) {
    const at::NoGradGuard no_grad;
    const Subject& subject = data_.dataset().cohort().subjects[i];
    const WorkingGrid& working = data_.dataset().working();
    const Chain native_to_atlas{exported.native_to_atlas};
    const auto there = evaluate::folds_of(exported.native_to_atlas);
    const auto back = evaluate::folds_of(exported.atlas_to_native);
    const auto inverse =
        evaluate::inverse_consistency(native_to_atlas, {exported.atlas_to_native}, working.visible);
    const Terms terms = energy_(registrations_.atlas(), data_.batch({i}, false),
                                fields_of(velocity, maps), data_.spacing(), flow_.velocity_scale());
    const double energy = terms.energy.item<double>();
    mismatches_[i] = terms.sim;
    if (registrations_.registrar()->has_mismatch()) {  // as `aladdin register` finds it
      const ImagePair images = image_pair(registrations_.atlas(), data_, i);
      mismatches_[i] =
          registrations_.registrar()->mismatch(images.image, images.mask, values_of(velocity));
    }
    folds_ += there.negative + back.negative;
    folded_cells_ += there.folded_cells + back.folded_cells;
    inverse_error_mm_ += inverse.mean_mm;
    ++measured_;
    if (subject.is_for_training()) {
      evaluate::add_to_centre(*centrality_, native_to_atlas, working.shift[i], working.visible);
      if (mean_velocity_) mean_velocity_->add(velocity.data_ptr<float>());
    }
    lines_ +=
        fmt::format("{},{},{},{},{:.5f},{:.5f},{:.6f},{:.6f},{:.6f}\n", csv_field(subject.id),
                    subject.split, there.negative + back.negative,
                    there.folded_cells + back.folded_cells, std::min(there.smallest, back.smallest),
                    std::max(there.largest, back.largest), inverse.mean_mm, energy, mismatches_[i]);
  }

  void write_atlas() {
    const Dataset& dataset = data_.dataset();
    write_image(run_.atlas(), visible_image(registrations_.atlas(), dataset));
    write_image(run_.atlas_variability(), visible_image(sum_.variability(), dataset));
    if (!votes_) return;
    const auto voxels = static_cast<std::size_t>(dataset.grid().voxels());
    std::vector<std::uint16_t> consensus(voxels);
    votes_->consensus(consensus.data());
    Labels labels(dataset.grid());
    const auto& table = dataset.label_table();
    for (std::size_t v = 0; v < voxels; ++v) labels.values[v] = table[consensus[v]];
    write_labels(run_.atlas_labels(), crop_padding(labels, dataset.working()));
    std::vector<float> all;
    Image one(dataset.grid());
    for (std::size_t k = 0; k < table.size(); ++k) {
      votes_->probability(static_cast<int>(k), one.values.data());
      const Image cropped = crop_padding(one, dataset.working());
      all.insert(all.end(), cropped.values.begin(), cropped.values.end());
    }
    write_volumes(run_.atlas_probabilities(), dataset.working().visible, all);
  }

  RunResults summary() const {
    const auto record_of = [](const evaluate::Centrality& centrality) {
      const auto summary = centrality.summary();
      return CentralityRecord{summary.mean_mm, summary.max_mm, summary.shift_mm};
    };
    RunResults out;
    out.subjects = measured_;
    out.folds = folds_;
    out.folded_cells = folded_cells_;
    out.inverse_error_mm = inverse_error_mm_ / double(measured_);
    out.training_subjects = static_cast<std::int64_t>(data_.training().size());
    out.displacement = record_of(*centrality_);
    if (mean_velocity_) out.velocity = record_of(*mean_velocity_);
    out.labels = data_.dataset().label_table();
    const Mismatches all = usual();
    for (std::size_t i = 0; i < mismatches_.size(); ++i)
      if (all.is_poor(mismatches_[i])) out.poor.push_back(data_.dataset().cohort().subjects[i].id);
    return out;
  }

  // Of the training subjects.
  Mismatches usual() const {
    std::vector<double> training;
    for (const std::size_t i : data_.training()) training.push_back(mismatches_[i]);
    return Mismatches(training);
  }

  const RunDirectory& run_;
  const Config& config_;
  const TrainingData& data_;
  PublishOptions options_;
  Registrations registrations_;
  Flow flow_;
  Energy energy_;
  AtlasSum sum_{config_.atlas};
  std::optional<evaluate::BridgeVotes> votes_;
  std::optional<evaluate::Centrality> centrality_, mean_velocity_;
  std::string lines_;
  std::vector<double> mismatches_;  // by subject
  std::int64_t folds_ = 0, folded_cells_ = 0, measured_ = 0;
  double inverse_error_mm_ = 0;
};

}  // namespace

Image visible_image(const at::Tensor& tensor, const Dataset& dataset) {
  Image padded(dataset.grid());
  padded.values = values_of(tensor);
  return crop_padding(padded, dataset.working());
}

RunResults publish(const RunDirectory& run, const Config& config, const TrainingData& data,
                   TrainingState& state, const std::string& identity,
                   const PublishOptions& options) {
  return Publisher(run, config, data, state, identity, options).write();
}

}  // namespace aladdin
