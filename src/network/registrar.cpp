#include "aladdin/network/registrar.h"

#include <algorithm>
#include <optional>

#include "aladdin/config/read.h"
#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/image/content.h"
#include "aladdin/image/prepare.h"
#include "aladdin/image/resample.h"
#include "aladdin/image/shape.h"
#include "aladdin/kernels/warp.h"
#include "aladdin/network/unet_inference.h"
#include "aladdin/optimise/grids.h"
#include "aladdin/optimise/lie.h"
#include "aladdin/optimise/optimiser.h"
#include "aladdin/optimise/unfold.h"

namespace aladdin {
namespace {

using Values = std::vector<float>;

// image(x + u(x)) on the grid of every r-th voxel, u = exp(v) - id with v on that of every (r * scale)-th.
Values warped(const Values& image, const Values& v, const kernels::Shape& full, int r,
              const Model& model) {
  const int scale = model.network.velocity_scale;
  Values u(v.size());
  kernels::exponential(v.data(), u.data(), coarser(full, r * scale), model.squarings, 1.0F,
                       border_of(model.network));
  u = refined(std::move(u), full, r * scale, r);
  Values out(image.size());
  kernels::warp(image.data(), u.data(), out.data(), coarser(full, r), 1, kernels::Border::clamp);
  return out;
}

// The settings that the model was built with, as far as they are known here: a model of 0.1 has some that are gone, and
// its lambda is in mm, without a term for volumes.
Config settings_of(const Model& model) {
  Config config;
  config.loss.length = LengthUnit::mm;
  config.loss.volume = 0;
  const auto settings = model.notes.find("settings");
  if (settings != model.notes.end())
    apply_known_toml(config, settings->second, "the model's settings");
  config.network.velocity_scale = model.network.velocity_scale;
  config.network.squarings = model.squarings;
  config.network.published = model.network.published;
  return config;
}

}  // namespace

std::vector<float> published_atlas(const Model& model) {
  if (model.centre.empty()) return model.atlas.values;
  Values back = model.centre;
  for (float& value : back) value = -value;
  return warped(model.atlas.values, back, shape_of(model.padded), 1, model);
}

struct Registrar::State {
  Model model;
  std::optional<UnetInference> network;
  kernels::Shape full;
  std::vector<Values> atlases;  // one a pass
  Values published;             // published_atlas(model)
  Config settings;
  Optimiser optimiser;

  explicit State(Model from)
      : model((from.validate(), std::move(from))),
        full(shape_of(model.padded)),
        settings(settings_of(model)),
        optimiser(settings, full, model.padded.spacing) {
    if (!model.passes.empty()) network.emplace(model.network, std::move(model.parameters));
    model.parameters.clear();
    published = published_atlas(model);
    for (const int r : model.passes) atlases.push_back(reduced(model.atlas.values, full, r));
  }

  Values run_network(const Values& atlas, const Values& image, const kernels::Shape& shape) {
    Values input = atlas;
    input.insert(input.end(), image.begin(), image.end());
    std::vector<std::int64_t> size{1, 2, shape.d, shape.h, shape.w};
    if (shape.dims == 2) size.erase(size.begin() + 2);
    const int scale = model.network.velocity_scale;
    Values out(static_cast<std::size_t>(shape.dims * coarser(shape, scale).voxels()));
    network->velocity(input.data(), size, out.data());
    return out;
  }
};

Registrar::Registrar(Model model, Of whom) : state_(std::make_unique<State>(std::move(model))) {
  const auto& notes = state_->model.notes;
  if (const auto why = notes.find(kCohortOnly); why != notes.end() && whom == Of::anybody)
    throw Error(fmt::format("this model registers the subjects of its own cohort only: {}",
                            one_line(why->second)))
        .hint("add the image to the cohort and build again, or build with another preset");
}
Registrar::~Registrar() = default;
Registrar::Registrar(Registrar&&) noexcept = default;

const Model& Registrar::model() const { return state_->model; }

std::vector<float> Registrar::velocity_voxels(const std::vector<float>& prepared,
                                              const std::vector<float>& mask,
                                              std::optional<int> refine) {
  return centred(uncentred_velocity(prepared, mask, refine), refine);
}

std::vector<float> Registrar::uncentred_velocity(const std::vector<float>& prepared,
                                                 const std::vector<float>& mask,
                                                 std::optional<int> refine) {
  const Model& model = state_->model;
  if (prepared.size() != model.atlas.values.size())
    fail("the image has {} voxels, the atlas has {}", prepared.size(), model.atlas.values.size());
  const ImagePair images{model.atlas.values, prepared, mask};
  if (model.passes.empty()) return state_->optimiser.register_image(images);
  const int scale = model.network.velocity_scale;
  Values v(static_cast<std::size_t>(velocity_grid(model).voxels() * model.padded.dims), 0.0F);
  for (std::size_t pass = 0; pass < model.passes.size(); ++pass) {
    const int r = model.passes[pass];
    Values image = reduced(prepared, state_->full, r);
    if (pass > 0) {
      v = refined(std::move(v), state_->full, model.passes[pass - 1] * scale, r * scale);
      image = warped(image, v, state_->full, r, model);
    }
    const Values more = state_->run_network(state_->atlases[pass], image, coarser(state_->full, r));
    if (pass == 0) v.assign(more.size(), 0.0F);  // on the first pass's grid
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += more[i];
  }
  const int iterations = refine.value_or(state_->settings.train.refine);
  return iterations > 0 ? state_->optimiser.refine(images, v, iterations) : v;
}

std::vector<float> Registrar::centred(std::vector<float> v, std::optional<int> refine) const {
  const Model& model = state_->model;
  if (model.centre.empty()) return v;
  Values back = model.centre;
  for (float& x : back) x = -x;
  v = composed(v, back, coarser(state_->full, model.network.velocity_scale));
  const bool network_alone =
      !model.passes.empty() && refine.value_or(state_->settings.train.refine) == 0;
  if (!network_alone)
    unfold(v, state_->full, model.network.velocity_scale, model.squarings,
           border_of(model.network));
  return v;
}

RegisteredImage Registrar::register_image(const Image& native, const Labels* mask,
                                          const std::string& name, std::optional<int> refine) {
  const Model& model = state_->model;
  if (native.grid.dims != model.padded.dims)
    fail("'{}' is {}-D, but the atlas is {}-D", name, native.grid.dims, model.padded.dims);
  if (mask && !same_grid(mask->grid, native.grid))
    fail("the mask of '{}' is {}, expected the image's grid, {}", name, describe(mask->grid),
         describe(native.grid));
  RegisteredImage out;
  out.intensity = find_intensity_map(native, mask, model.intensity, name);
  if (model.centred_content)
    out.shift = content_shift(native.grid, find_content(native, mask, name), model.content_centre,
                              model.padded);
  out.prepared = prepare(native, out.intensity, model.padded, out.shift);
  VectorImage voxels(velocity_grid(model));
  Values counts;  // where the image counts, on the padded grid; empty: everywhere
  if (mask) {
    Labels inside = *mask;
    for (auto& value : inside.values) value = value != 0;
    inside = resample(inside, model.padded, out.shift);
    counts.assign(inside.values.begin(), inside.values.end());
  } else if (!covers(native.grid, model.padded, out.shift)) {
    const Labels seen = field_of_view(native.grid, model.padded, out.shift);
    counts.assign(seen.values.begin(), seen.values.end());
  }
  voxels.values = velocity_voxels(out.prepared.values, counts, refine);
  out.mismatch = mismatch(out.prepared.values, counts, voxels.values);
  out.velocity = Velocity(voxels_to_mm(voxels));
  return out;
}

double Registrar::mismatch(const Values& prepared, const Values& mask, const Values& v) const {
  return state_->optimiser.mismatch({state_->published, prepared, mask}, v);
}

std::optional<Mismatches> Registrar::usual_mismatches() const {
  const auto& notes = state_->model.notes;
  const auto found = notes.find(kMismatches);
  if (found == notes.end()) return std::nullopt;
  return Mismatches(found->second);
}

Image Registrar::atlas() const {
  const Model& model = state_->model;
  const auto& before = model.pad_before;
  Image padded(model.padded), out(model.visible);
  padded.values = state_->published;
  for (std::int64_t k = 0; k < out.grid.size[2]; ++k)
    for (std::int64_t j = 0; j < out.grid.size[1]; ++j)
      std::copy_n(&padded.at(before[0], j + before[1], k + before[2]), out.grid.size[0],
                  &out.at(0, j, k));
  return out;
}

ExportedFields Registrar::fields(const RegisteredImage& registration, const Grid& native,
                                 FieldGrid which) const {
  const Model& model = state_->model;
  const Velocity velocity = refined(registration.velocity, model.padded);
  const auto field = [&](Direction direction) {
    return exponential(velocity, direction, model.squarings, border_of(model.network));
  };
  return export_fields({field(Direction::forward)}, {field(Direction::backward)},
                       registration.shift, model.visible,
                       choose_field_grid(which, model.padded, registration.shift, native));
}

}  // namespace aladdin
