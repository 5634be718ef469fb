#include "aladdin/register/atlas_registration.h"

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/image/io.h"
#include "aladdin/run/run_directory.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin {
namespace {

constexpr std::int64_t kVoxelsForThreads = 1 << 19;

Path model_of(const Path& run) {
  if (!is_folder(run)) return run;
  Path model = RunDirectory{run}.model();
  std::error_code ignored;
  if (!std::filesystem::exists(model, ignored))
    throw Error(fmt::format("'{}' has no model.safetensors", run.string()))
        .hint("RUN is a folder in which 'aladdin build' has come to its end");
  return model;
}

Model model_to(const std::optional<condition::Atlas>& conditional, Model model) {
  if (!conditional) return model;
  model.atlas = conditional->padded;
  model.centre.clear();
  return model;
}

}  // namespace

AtlasRegistrar::AtlasRegistrar(const Path& run, bool with_labels,
                               std::optional<condition::Atlas> conditional)
    : model_(model_of(run)),
      conditional_(std::move(conditional)),
      registrar_(model_to(conditional_, read_model(model_))),
      atlas_(registrar_.atlas()) {
  if (conditional_) {
    if (with_labels) labels_ = conditional_->labels;
    return;
  }
  const Path path = labels_file();
  std::error_code ignored;
  if (!with_labels || !std::filesystem::exists(path, ignored)) return;
  labels_ = read_labels(path);
  const Grid& visible = registrar_.model().visible;
  if (!same_grid(labels_->grid, visible))
    fail("'{}' is {}, but the atlas is {}", path.string(), describe(labels_->grid),
         describe(visible));
}

Path AtlasRegistrar::labels_file() const {
  return RunDirectory{model_.parent_path()}.atlas_labels();
}

bool AtlasRegistrar::is_small() const {
  return registrar_.model().padded.voxels() < kVoxelsForThreads;
}

AtlasRegistration AtlasRegistrar::register_image(const Image& image, const Labels* mask,
                                                 const std::string& name, std::optional<int> refine,
                                                 FieldGrid fields) {
  const RegisteredImage done = registrar_.register_image(image, mask, name, refine);
  ExportedFields found = registrar_.fields(done, image.grid, fields);
  AtlasRegistration out;
  if (conditional_) {
    out.native_to_conditional.emplace_back(found.native_to_atlas);
    out.conditional_to_native.emplace_back(found.atlas_to_native);
    found = to_population(std::move(found));
  }
  out.mismatch = done.mismatch;
  if (const auto usual = registrar_.usual_mismatches()) out.poor = usual->is_poor(done.mismatch);
  out.intensity = done.intensity;
  out.shift = done.shift;
  out.to_atlas = summarise_jacobian(found.native_to_atlas);
  out.to_native = summarise_jacobian(found.atlas_to_native);
  out.native_to_atlas.emplace_back(std::move(found.native_to_atlas));
  out.atlas_to_native.emplace_back(std::move(found.atlas_to_native));
  Image mapped = image;
  apply(done.intensity, mapped);
  out.similarity = evaluate::similarity_of(
      mapped, out.shift, conditional_ ? out.native_to_conditional : out.native_to_atlas, atlas_);
  out.inverse =
      evaluate::inverse_consistency(out.native_to_atlas, out.atlas_to_native, atlas_.grid);
  return out;
}

Image AtlasRegistrar::warped(const Image& image, const AtlasRegistration& found) const {
  return pull_back(image, found.native_to_atlas, atlas_.grid);
}

Labels AtlasRegistrar::labels_on(const Grid& native, const AtlasRegistration& found) const {
  if (!labels_) fail("the atlas has no labels, there is no '{}'", labels_file().string());
  return pull_back(*labels_, conditional_ ? found.conditional_to_native : found.atlas_to_native,
                   native);
}

// The fields of a registration to the conditional atlas, composed with those between it and the population's.
ExportedFields AtlasRegistrar::to_population(ExportedFields fields) const {
  const auto going_on = [](VectorImage vectors) {
    Displacement field(std::move(vectors));
    field.beyond = Beyond::edge;
    return field;
  };
  const Grid native = fields.atlas_to_native.grid();
  fields.native_to_atlas.beyond = Beyond::edge;
  const Chain to_native_points{going_on(conditional_->to_group), std::move(fields.native_to_atlas)};
  const Chain to_atlas_points{std::move(fields.atlas_to_native),
                              going_on(conditional_->to_population)};
  return {to_displacement(to_native_points, atlas_.grid), to_displacement(to_atlas_points, native)};
}

}  // namespace aladdin
