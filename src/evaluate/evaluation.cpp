#include "aladdin/evaluate/evaluation.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/progress.h"
#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/consensus.h"
#include "aladdin/evaluate/image_space.h"
#include "aladdin/evaluate/subject_reader.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin::evaluate {
namespace {

constexpr std::int64_t kKept_bytes = std::int64_t{512} << 20;

class Evaluator {
 public:
  Evaluator(const Source& source, const EvaluationOptions& options)
      : source_(source), options_(options), labelled_(source.has_labels()) {
    if (source.subjects.empty()) fail("'{}' has no subjects", source.name);
    if (labelled_ && source.subjects.size() < 2)
      fail("'{}' has one subject with labels, an evaluation needs at least two", source.name);
    if (source.subjects.size() < options.shard.count)
      fail_usage("{} {}: '{}' has only {} subjects", option_name("shard"), options.shard.text(),
                 source.name, source.subjects.size());
  }

  Evaluation run() {
    out_.name = source_.name;
    out_.exact = options_.exact;
    out_.shard = options_.shard;
    out_.velocity = source_.velocity;
    out_.displacement = source_.displacement;
    out_.label_names = source_.label_names;
    out_.split = source_.split;
    out_.all_subjects = source_.subjects.size();
    out_.subjects.resize(source_.subjects.size());
    if (labelled_) read_table();
    choose_atlas();
    const bool all = labelled_ && options_.exact;
    reader_.emplace(source_, out_.table, atlas_,
                    all         ? std::numeric_limits<std::int64_t>::max()
                    : labelled_ ? kKept_bytes
                                : 0);
    first_pass();
    if (labelled_) second_pass();
    if (all) exact_bridge();
    keep_share();
    out_.centrality = centrality_->summary();
    if (pairs_) out_.pair_moments = pairs_->pair_moments(options_.shard);
    summarise_subjects(out_);
    return std::move(out_);
  }

 private:
  void read_table() {
    std::set<std::int32_t> found{0};
    Progress progress("reading labels", static_cast<std::int64_t>(source_.subjects.size()));
    for (const auto& subject : source_.subjects) {
      const Labels labels = read_labels(subject.label);
      std::int32_t last = 0;
      for (const std::int32_t value : labels.values)
        if (value != last) found.insert(last = value);
      progress.advance();
    }
    if (found.size() < 2) fail("the label maps of '{}' have no structure", source_.name);
    out_.table.assign(found.begin(), found.end());
    labels_ = static_cast<int>(out_.table.size());
  }

  void choose_atlas() {
    if (!source_.atlas.empty()) {
      atlas_image_ = read_image(source_.atlas);
      atlas_ = atlas_image_->grid;
      out_.sharpness = measure_sharpness(*atlas_image_);
      if (!source_.atlas_is_mapped)
        apply(find_intensity_map(*atlas_image_, nullptr, {}, source_.atlas.string()),
              *atlas_image_);
    } else {
      atlas_ = source_.segmentation.empty() ? grid_of_transforms()
                                            : read_header(source_.segmentation).grid;
    }
    if (labelled_ && !source_.segmentation.empty()) {
      segmentation_ = read_labels(source_.segmentation);
      require_known(*segmentation_);
    }
    out_.voted_segmentation = !segmentation_;
  }

  Grid grid_of_transforms() const {
    const auto& first = source_.subjects.front();
    const Chain chain = first.native_to_atlas ? first.native_to_atlas() : Chain{};
    if (const auto* field = chain.empty() ? nullptr : std::get_if<Displacement>(&chain.front()))
      return field->grid();
    // The identity for all: the first subject's grid is as good as any.
    if (first.native_to_atlas && chain.empty())
      return read_header(first.label.empty() ? first.image : first.label).grid;
    throw Error(fmt::format("the grid of the atlas of '{}' is not known", source_.name))
        .hint(fmt::format("name its image with {}", option_name("atlas")));
  }

  // A structure that no subject has cannot be compared; it counts as background.
  void require_known(Labels& segmentation) const {
    for (std::int32_t& value : segmentation.values)
      if (!std::binary_search(out_.table.begin(), out_.table.end(), value)) value = 0;
  }

  template <class Work>
  void each_subject(const char* what, Work&& work) {
    Progress progress(what, static_cast<std::int64_t>(source_.subjects.size()));
    for (std::size_t i = 0; i < source_.subjects.size(); ++i) {
      try {
        work(i);
      } catch (Error& error) {
        throw error.within(fmt::format("subject '{}'", source_.subjects[i].id));
      }
      progress.advance();
    }
  }

  std::vector<LabelIndex> pulled(const LoadedSubject& subject) const {
    return index_labels(pull_back(subject.labels, subject.native_to_atlas, atlas_), out_.table);
  }

  void first_pass() {
    centrality_.emplace(shape_of(atlas_), atlas_.spacing);
    if (labelled_) {
      votes_.emplace(atlas_, labels_);
      hard_votes_.emplace(atlas_, labels_);
      plan_pairs();
    }
    each_subject("measuring transforms", [&](std::size_t i) {
      LoadedSubject loaded = reader_->take(i);
      add_to_centre(*centrality_, loaded.native_to_atlas, source_.subjects[i].shift, atlas_);
      if (labelled_) vote(loaded);
      if (options_.shard.has(i)) measure(i, loaded);
      if (options_.exact || options_.shard.has(i)) reader_->keep(i, std::move(loaded));
    });
  }

  void plan_pairs() {
    const auto subjects = static_cast<std::int64_t>(source_.subjects.size());
    const std::int64_t bytes =
        subjects * atlas_.voxels() * static_cast<std::int64_t>(sizeof(LabelIndex));
    if (bytes <= options_.most_pair_bytes)
      pairs_.emplace(atlas_.voxels(), labels_);
    else
      log::warn("the Dice of all pairs is omitted: it would need {:.1f} GB",
                static_cast<double>(bytes) / 1e9);
    nowhere_.resize(static_cast<std::size_t>(atlas_.voxels() * atlas_.dims));
  }

  void vote(const LoadedSubject& loaded) {
    votes_->add(loaded.map(), loaded.native_to_atlas);
    const auto map = pulled(loaded);
    hard_votes_->add(map.data(), nowhere_.data());
    if (pairs_) pairs_->add(map.data());
  }

  void measure(std::size_t i, const LoadedSubject& loaded) {
    const SourceSubject& subject = source_.subjects[i];
    SubjectScores& scores = out_.subjects[i];
    scores.id = subject.id;
    scores.split = subject.split;
    scores.to_atlas = folds_of(loaded.native_to_atlas, atlas_);
    scores.to_native = folds_of(loaded.atlas_to_native, loaded.grid);
    scores.inverse = inverse_consistency(loaded.native_to_atlas, loaded.atlas_to_native, atlas_);
    if (atlas_image_ && !subject.image.empty())
      scores.similarity = similarity_of(subject, loaded.native_to_atlas, *atlas_image_);
  }

  void second_pass() {
    std::vector<LabelIndex> consensus(static_cast<std::size_t>(atlas_.voxels()));
    hard_votes_->consensus(consensus.data());
    hard_votes_.reset();
    const std::vector<LabelIndex> atlas_indices =
        segmentation_ ? index_labels(*segmentation_, out_.table) : consensus;
    if (!segmentation_) {
      segmentation_.emplace(atlas_);
      for (std::size_t v = 0; v < consensus.size(); ++v)
        segmentation_->values[v] = out_.table[consensus[v]];
    }
    each_subject("comparing labels", [&](std::size_t i) {
      if (!options_.shard.has(i)) return;
      LoadedSubject loaded = reader_->take(i);
      SubjectScores& scores = out_.subjects[i];
      scores.atlas = dice(consensus.data(), pulled(loaded).data(), atlas_.voxels(), labels_);
      if (options_.exact) {
        scores.image =
            image_space_dice(*segmentation_, loaded.labels, loaded.atlas_to_native, out_.table);
        reader_->keep(i, std::move(loaded));
      } else {
        leave_out(loaded, atlas_indices, scores);
      }
    });
  }

  // The bridge, and the Dice in image space: one walk over the subject's voxels serves both.
  void leave_out(const LoadedSubject& loaded, const std::vector<LabelIndex>& atlas,
                 SubjectScores& scores) {
    std::vector<LabelIndex> predicted(loaded.indices.size()), segmented(predicted.size());
    votes_->remove(loaded.map(), loaded.native_to_atlas);
    votes_->predict(loaded.atlas_to_native, loaded.grid, predicted.data(),
                    {atlas.data(), segmented.data()});
    votes_->add(loaded.map(), loaded.native_to_atlas);
    scores.image = dice(segmented.data(), loaded.indices.data(), loaded.grid.voxels(), labels_);
    compare(predicted, loaded.indices, loaded.grid, scores);
  }

  void exact_bridge() {
    std::vector<NativeSubject> all;
    for (std::size_t i = 0; i < source_.subjects.size(); ++i) {
      const LoadedSubject& loaded = reader_->kept(i);
      all.push_back({&loaded.labels, &loaded.native_to_atlas, &loaded.atlas_to_native});
    }
    const NativeBridge bridge(all, out_.table);
    each_subject("composing all pairs", [&](std::size_t i) {
      if (!options_.shard.has(i)) return;
      const LoadedSubject& loaded = reader_->kept(i);
      compare(bridge.predict(i), loaded.indices, loaded.grid, out_.subjects[i]);
    });
  }

  void compare(const std::vector<LabelIndex>& predicted, const std::vector<LabelIndex>& own,
               const Grid& grid, SubjectScores& scores) const {
    scores.bridge = dice(predicted.data(), own.data(), grid.voxels(), labels_);
    if (options_.surfaces)
      scores.surface = surface_distances(predicted.data(), own.data(), grid, labels_);
  }

  void keep_share() {
    std::vector<SubjectScores> own;
    for (std::size_t i = 0; i < out_.subjects.size(); ++i)
      if (options_.shard.has(i)) own.push_back(std::move(out_.subjects[i]));
    out_.subjects = std::move(own);
  }

  const Source& source_;
  EvaluationOptions options_;
  bool labelled_;
  Evaluation out_;
  int labels_ = 0;
  Grid atlas_;
  std::optional<Image> atlas_image_;
  std::optional<Labels> segmentation_;
  std::optional<SubjectReader> reader_;
  std::optional<BridgeVotes> votes_, hard_votes_;
  std::vector<float> nowhere_;  // no displacement
  std::optional<Centrality> centrality_;
  std::optional<AtlasSpace> pairs_;
};

}  // namespace

Evaluation evaluate(const Source& source, const EvaluationOptions& options) {
  return Evaluator(source, options).run();
}

void summarise_subjects(Evaluation& evaluation) {
  if (!evaluation.has_labels()) return;
  const auto of = [&](DiceScores SubjectScores::*part) {
    std::vector<DiceScores> all;
    for (const auto& subject : evaluation.subjects) all.push_back(subject.*part);
    return summarise(all);
  };
  evaluation.bridge = of(&SubjectScores::bridge);
  evaluation.atlas = of(&SubjectScores::atlas);
  evaluation.image = of(&SubjectScores::image);
  if (!evaluation.pair_moments.empty()) evaluation.pairs = pair_summary(evaluation.pair_moments);
}

}  // namespace aladdin::evaluate
