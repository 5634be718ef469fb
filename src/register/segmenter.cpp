#include "aladdin/register/segmenter.h"

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/image/io.h"
#include "aladdin/run/run_record.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin {
namespace {

std::vector<std::int32_t> read_label_table(const RunDirectory& run) {
  auto table = read_record(run).results.value_or(RunResults{}).labels;
  if (table.size() < 2)
    fail("the atlas of '{}' has no labels: its subjects had none", run.folder.string());
  return table;
}

evaluate::Source training_subjects(const Path& run) {
  const std::string bridge = option_name("bridge");
  evaluate::Source source = evaluate::source_of_run(run, "train");
  std::erase_if(source.subjects, [](const auto& subject) { return subject.label.empty(); });
  if (source.subjects.empty())
    fail("'{}' has no training subject with labels, {} needs some", run.string(), bridge);
  if (!source.has_labels())
    fail("the training subjects of '{}' have no labels, {} needs them", run.string(), bridge);
  for (const auto& subject : source.subjects)
    if (subject.image.empty())
      fail("the image of the training subject '{}' is not there, {} needs it", subject.id, bridge);
  return source;
}

}  // namespace

Segmenter::Segmenter(const Path& run, bool bridge)
    : run_{run},
      bridge_(bridge),
      table_(read_label_table(run_)),
      registrar_(read_model(run_.model())) {
  if (bridge) {
    source_ = training_subjects(run);
    return;
  }
  const auto volumes = read_volumes(run_.atlas_probabilities());
  if (volumes.size() != table_.size())
    fail("'{}' has {} volumes, but the run has {} labels", run_.atlas_probabilities().string(),
         volumes.size(), table_.size());
  shares_.emplace(volumes);
}

std::vector<std::string> Segmenter::columns(const LabelNames& more) const {
  LabelNames names = evaluate::label_names_of_run(run_.folder);
  for (const auto& [label, name] : more) names[label] = name;
  std::map<std::string, int> count;
  for (const std::int32_t label : table_)
    if (names.contains(label)) ++count[names[label]];
  std::vector<std::string> out;
  for (std::size_t k = 1; k < table_.size(); ++k) {
    const auto name = names.find(table_[k]);
    if (name == names.end())
      out.push_back(fmt::format("volume_{}", table_[k]));
    else if (count[name->second] == 1)
      out.push_back(name->second);
    else
      out.push_back(fmt::format("{} {}", name->second, table_[k]));
  }
  return out;
}

// Points of the image to the atlas, then on to the subject.
void Segmenter::add_subject(const evaluate::SourceSubject& subject, const Image& image, Chain chain,
                            evaluate::LabelFusion& fusion) const {
  for (auto& transform : subject.native_to_atlas()) chain.push_back(std::move(transform));
  Image other = read_image(subject.image);
  if (subject.intensity) apply(*subject.intensity, other);
  const auto weights = evaluate::local_weights(image, pull_back(other, chain, image.grid));
  const Labels labels = read_labels(subject.label);
  const auto indices = evaluate::index_labels(labels, table_);
  fusion.add({indices.data(), &labels.grid}, chain, weights);
}

Segmentation Segmenter::label_image(const Image& image, const Labels* mask, const std::string& name,
                                    std::optional<int> refine, bool probabilities,
                                    const std::function<void()>& step) {
  const RegisteredImage registered = registrar_.register_image(image, mask, name, refine);
  const ExportedFields fields = registrar_.fields(registered, image.grid);
  evaluate::LabelFusion fusion(image.grid, count());
  const Chain to_atlas{fields.atlas_to_native};
  if (bridge_) {
    Image mapped = image;
    apply(registered.intensity, mapped);
    for (const auto& subject : source_.subjects) {
      add_subject(subject, mapped, to_atlas, fusion);
      step();
    }
  } else {
    fusion.add_shares(*shares_, to_atlas);
  }
  const auto indices = fusion.labels();
  Segmentation out;
  out.labels = Labels(image.grid);
  for (std::size_t v = 0; v < indices.size(); ++v) out.labels.values[v] = table_[indices[v]];
  for (int k = 0; probabilities && k < count(); ++k) {
    const auto one = fusion.probability(k);
    out.probabilities.insert(out.probabilities.end(), one.begin(), one.end());
  }
  out.volumes = evaluate::volumes_mm3(indices, image.grid, count());
  step();
  return out;
}

}  // namespace aladdin
