#include "aladdin/evaluate/evaluation.h"

#include <algorithm>
#include <set>
#include <utility>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/progress.h"
#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/consensus.h"
#include "aladdin/evaluate/image_space.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/image/io.h"
#include "aladdin/kernels/similarity.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin::evaluate {
namespace {

constexpr std::int64_t kKept_bytes = std::int64_t{512} << 20;

struct Loaded {
  Labels labels;
  std::vector<LabelIndex> indices;
  Chain native_to_atlas, atlas_to_native;

  NativeMap map() const { return {indices.data(), &labels.grid}; }
  std::int64_t bytes() const {
    std::int64_t sum = labels.grid.voxels() * 6;
    for (const Chain* chain : {&native_to_atlas, &atlas_to_native})
      for (const Transform& transform : *chain) {
        if (const auto* field = std::get_if<Displacement>(&transform))
          sum += static_cast<std::int64_t>(field->vectors.values.size()) * 4;
        if (const auto* field = std::get_if<InverseDisplacement>(&transform))
          sum += static_cast<std::int64_t>(field->forward.vectors.values.size()) * 4;
      }
    return sum;
  }
};

const Displacement* only_field(const Chain& chain) {
  return chain.size() == 1 ? std::get_if<Displacement>(&chain.front()) : nullptr;
}

// A chain in voxels of `grid`. A field that is on it is taken as it is.
VectorImage in_voxels(const Chain& chain, const Grid& grid) {
  const Displacement* field = only_field(chain);
  if (field && same_grid(field->grid(), grid)) return mm_to_voxels(field->vectors);
  return mm_to_voxels(to_displacement(chain, grid).vectors);
}

// On the grid that the field has, otherwise on `grid`.
Folds folds_of(const Chain& chain, const Grid& grid) {
  const Displacement* field = only_field(chain);
  const Grid& where = field ? field->grid() : grid;
  return count_folds(in_voxels(chain, where).values.data(), shape_of(where));
}

class Evaluator {
 public:
  Evaluator(const Source& source, const EvaluationOptions& options)
      : source_(source), options_(options), kept_(source.subjects.size()) {
    if (source.subjects.size() < 2)
      fail("'{}' has one subject with labels, an evaluation needs two or more", source.name);
  }

  Evaluation run() {
    read_table();
    choose_atlas();
    first_pass();
    second_pass();
    if (options_.exact) exact_bridge();
    summarise_all();
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
    if (*found.begin() < 0) fail("a label map of '{}' has negative labels", source_.name);
    if (found.size() < 2) fail("the label maps of '{}' have no structure", source_.name);
    out_.name = source_.name;
    out_.exact = options_.exact;
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
    } else if (!source_.segmentation.empty()) {
      atlas_ = read_header(source_.segmentation).grid;
    } else {
      const auto& first = source_.subjects.front();
      const Chain chain = first.native_to_atlas ? first.native_to_atlas() : Chain{};
      const Displacement* field =
          chain.empty() ? nullptr : std::get_if<Displacement>(&chain.front());
      // The identity for all: the first subject's grid is as good as any.
      if (!field && !(first.native_to_atlas && chain.empty()))
        throw Error(fmt::format("the grid of the atlas of '{}' is not known", source_.name))
            .hint("name its image with --atlas");
      atlas_ = field ? field->grid() : read_header(first.label).grid;
    }
    if (!source_.segmentation.empty()) {
      segmentation_ = read_labels(source_.segmentation);
      require_known(*segmentation_);
    }
    out_.voted_segmentation = !segmentation_;
  }

  // A structure that no subject has cannot be compared; it counts as background.
  void require_known(Labels& segmentation) const {
    for (std::int32_t& value : segmentation.values)
      if (!std::binary_search(out_.table.begin(), out_.table.end(), value)) value = 0;
  }

  Loaded load(std::size_t i) {
    if (kept_[i]) return *std::exchange(kept_[i], std::nullopt);
    const SourceSubject& subject = source_.subjects[i];
    Loaded loaded;
    loaded.labels = read_labels(subject.label);
    loaded.indices = index_labels(loaded.labels, out_.table);
    if (subject.native_to_atlas) loaded.native_to_atlas = subject.native_to_atlas();
    if (subject.atlas_to_native) loaded.atlas_to_native = subject.atlas_to_native();
    if (!subject.native_to_atlas) loaded.native_to_atlas = inverse(loaded.atlas_to_native);
    if (!subject.atlas_to_native) loaded.atlas_to_native = inverse(loaded.native_to_atlas);
    if (loaded.labels.grid.dims != atlas_.dims)
      fail("its labels are {}-D, the atlas is {}-D", loaded.labels.grid.dims, atlas_.dims);
    require_dims(loaded.native_to_atlas, atlas_.dims);
    require_dims(loaded.atlas_to_native, atlas_.dims);
    return loaded;
  }

  void keep(std::size_t i, Loaded&& loaded) {
    const std::int64_t bytes = loaded.bytes();
    if (!options_.exact && kept_bytes_ + bytes > kKept_bytes) return;
    kept_bytes_ += bytes;
    kept_[i] = std::move(loaded);
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

  std::vector<LabelIndex> pulled(const Loaded& subject) const {
    return index_labels(pull_back(subject.labels, subject.native_to_atlas, atlas_), out_.table);
  }

  void first_pass() {
    votes_.emplace(atlas_, labels_);
    hard_votes_.emplace(atlas_, labels_);
    centrality_.emplace(shape_of(atlas_), atlas_.spacing);
    const auto subjects = static_cast<std::int64_t>(source_.subjects.size());
    const std::int64_t pair_bytes =
        subjects * atlas_.voxels() * static_cast<std::int64_t>(sizeof(LabelIndex));
    if (pair_bytes <= options_.most_pair_bytes)
      pairs_.emplace(atlas_.voxels(), labels_);
    else
      log::warn("the Dice of all pairs is left out: it would need {:.1f} GB",
                static_cast<double>(pair_bytes) / 1e9);
    const std::vector<float> nowhere(static_cast<std::size_t>(atlas_.voxels() * atlas_.dims));
    out_.subjects.resize(source_.subjects.size());
    each_subject("measuring transforms", [&](std::size_t i) {
      const SourceSubject& subject = source_.subjects[i];
      Loaded loaded = load(i);
      votes_->add(loaded.map(), loaded.native_to_atlas);
      const auto map = pulled(loaded);
      hard_votes_->add(map.data(), nowhere.data());
      if (pairs_) pairs_->add(map.data());
      SubjectScores& scores = out_.subjects[i];
      scores.id = subject.id;
      scores.split = subject.split;
      scores.to_atlas = folds_of(loaded.native_to_atlas, atlas_);
      scores.to_native = folds_of(loaded.atlas_to_native, loaded.labels.grid);
      scores.inverse = inverse_consistency(loaded.native_to_atlas, loaded.atlas_to_native, atlas_);
      add_to_centre(loaded.native_to_atlas, subject.shift);
      if (atlas_image_ && !subject.image.empty()) scores.similarity = similarity(subject, loaded);
      keep(i, std::move(loaded));
    });
  }

  void add_to_centre(const Chain& native_to_atlas, const Vec3& shift) {
    VectorImage field = in_voxels(native_to_atlas, atlas_);
    const Vec3 shift_vox = atlas_.point_to_index() * shift;
    for (int c = 0; c < atlas_.dims; ++c)
      for (std::int64_t v = 0; v < atlas_.voxels(); ++v)
        field.component(c)[v] -= static_cast<float>(shift_vox[c]);
    centrality_->add(field.values.data());
  }

  Similarity similarity(const SourceSubject& subject, const Loaded& loaded) const {
    Image image = read_image(subject.image);
    apply(subject.intensity ? *subject.intensity
                            : find_intensity_map(image, nullptr, {}, subject.image.string()),
          image);
    const Image before = pull_back(image, {translation(subject.shift, atlas_.dims)}, atlas_);
    const Image after = pull_back(image, loaded.native_to_atlas, atlas_);
    const auto shape = shape_of(atlas_);
    const float* atlas = atlas_image_->values.data();
    const auto ncc = [&](const Image& other) {
      return 1 - kernels::ncc(atlas, other.values.data(), nullptr, nullptr, shape);
    };
    const auto mse = [&](const Image& other) {
      return kernels::mse(atlas, other.values.data(), nullptr, nullptr, shape);
    };
    return {ncc(before), ncc(after), mse(before), mse(after)};
  }

  void second_pass() {
    std::vector<LabelIndex> consensus(static_cast<std::size_t>(atlas_.voxels()));
    hard_votes_->consensus(consensus.data());
    hard_votes_.reset();
    if (!segmentation_) {
      segmentation_.emplace(atlas_);
      for (std::size_t v = 0; v < consensus.size(); ++v)
        segmentation_->values[v] = out_.table[consensus[v]];
    }
    each_subject("comparing labels", [&](std::size_t i) {
      Loaded loaded = load(i);
      SubjectScores& scores = out_.subjects[i];
      scores.atlas = dice(consensus.data(), pulled(loaded).data(), atlas_.voxels(), labels_);
      scores.image =
          image_space_dice(*segmentation_, loaded.labels, loaded.atlas_to_native, out_.table);
      if (!options_.exact) {
        std::vector<LabelIndex> predicted(loaded.indices.size());
        votes_->remove(loaded.map(), loaded.native_to_atlas);
        votes_->predict(loaded.atlas_to_native, loaded.labels.grid, predicted.data());
        votes_->add(loaded.map(), loaded.native_to_atlas);
        compare(predicted, loaded.indices, loaded.labels.grid, scores);
      }
      if (options_.exact) kept_[i] = std::move(loaded);
    });
  }

  void exact_bridge() {
    std::vector<NativeSubject> all;
    for (const auto& loaded : kept_)
      all.push_back({&loaded->labels, &loaded->native_to_atlas, &loaded->atlas_to_native});
    const NativeBridge bridge(all, out_.table);
    each_subject("composing all pairs", [&](std::size_t i) {
      compare(bridge.predict(i), kept_[i]->indices, kept_[i]->labels.grid, out_.subjects[i]);
    });
  }

  void compare(const std::vector<LabelIndex>& predicted, const std::vector<LabelIndex>& own,
               const Grid& grid, SubjectScores& scores) const {
    scores.bridge = dice(predicted.data(), own.data(), grid.voxels(), labels_);
    if (options_.surfaces)
      scores.surface = surface_distances(predicted.data(), own.data(), grid, labels_);
  }

  void summarise_all() {
    const auto of = [&](DiceScores SubjectScores::*part) {
      std::vector<DiceScores> all;
      for (const auto& subject : out_.subjects) all.push_back(subject.*part);
      return summarise(all);
    };
    out_.bridge = of(&SubjectScores::bridge);
    out_.atlas = of(&SubjectScores::atlas);
    out_.image = of(&SubjectScores::image);
    if (pairs_) out_.pairs = pairs_->pair_dice();
    out_.centrality = centrality_->summary();
  }

  const Source& source_;
  EvaluationOptions options_;
  Evaluation out_;
  int labels_ = 0;
  Grid atlas_;
  std::optional<Image> atlas_image_;
  std::optional<Labels> segmentation_;
  std::optional<BridgeVotes> votes_, hard_votes_;
  std::optional<Centrality> centrality_;
  std::optional<AtlasSpace> pairs_;
  std::vector<std::optional<Loaded>> kept_;
  std::int64_t kept_bytes_ = 0;
};

}  // namespace

Evaluation evaluate(const Source& source, const EvaluationOptions& options) {
  return Evaluator(source, options).run();
}

}  // namespace aladdin::evaluate
