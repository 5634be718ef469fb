#include "aladdin/network/registrar.h"

#include <algorithm>
#include <optional>

#include "aladdin/config/read.h"
#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/image/content.h"
#include "aladdin/image/prepare.h"
#include "aladdin/image/resample.h"
#include "aladdin/image/shape.h"
#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/warp.h"
#include "aladdin/network/affine_placement.h"
#include "aladdin/network/own_registration.h"
#include "aladdin/network/unet_inference.h"
#include "aladdin/optimise/grids.h"
#include "aladdin/optimise/lie.h"
#include "aladdin/optimise/optimiser.h"
#include "aladdin/optimise/unfold.h"
#include "aladdin/transform/inverse.h"

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
  config.network.flow = model.flow;
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

Registrar::Registrar(Model model) : state_(std::make_unique<State>(std::move(model))) {
  const auto& notes = state_->model.notes;
  if (const auto why = notes.find(kCohortOnly); why != notes.end())
    throw Error(fmt::format("this model registers the subjects of its own cohort only: {}",
                            one_line(why->second)))
        .hint("build it again with this program, whose models register any image");
}
Registrar::~Registrar() = default;
Registrar::Registrar(Registrar&&) noexcept = default;

const Model& Registrar::model() const { return state_->model; }

void Registrar::require_refinable(std::optional<int> refine) const {
  if (state_->model.flow == FlowKind::velocity || refine.value_or(0) == 0) return;
  throw Error("this model finds displacements, and only velocities can be refined", ExitCode::usage)
      .hint(fmt::format("omit {}", option_name("refine")));
}

std::vector<float> Registrar::register_prepared(const std::vector<float>& prepared,
                                                const std::vector<float>& mask,
                                                std::optional<int> refine) {
  return centred(uncentred(prepared, mask, refine), refine);
}

std::vector<float> Registrar::uncentred(const std::vector<float>& prepared,
                                        const std::vector<float>& mask, std::optional<int> refine) {
  const Model& model = state_->model;
  if (prepared.size() != model.atlas.values.size())
    fail("the image has {} voxels, the atlas has {}", prepared.size(), model.atlas.values.size());
  require_refinable(refine);
  const std::size_t values =
      static_cast<std::size_t>(velocity_grid(model).voxels() * model.padded.dims);
  if (model.flow != FlowKind::velocity && model.passes.empty())
    return register_by_own_means(state_->settings, state_->full, model.padded.spacing,
                                 model.atlas.values, prepared, Values(values, 0.0F));
  const ImagePair images{model.atlas.values, prepared, mask};
  if (model.passes.empty()) return state_->optimiser.register_image(images);
  const int scale = model.network.velocity_scale;
  Values v(values, 0.0F);
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
  if (model.flow != FlowKind::velocity) return v;
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
  out.placed.dims = model.padded.dims;
  out.prepared = prepare(native, out.intensity, model.padded, out.shift);
  Grid seen = model.padded;  // as it lies in the image's space, but for the shift
  if (!model.affine_mean.empty()) {
    Image mean(model.padded);
    mean.values = model.affine_mean;
    out.placed = place_on_mean(mean, out.prepared, state_->settings.loss.similarity);
    seen = placed(model.padded, out.placed);
    out.prepared = prepare(native, out.intensity, seen, out.shift);
    out.prepared.grid = model.padded;
  }
  Values counts;  // where the image counts, on the padded grid; empty: everywhere
  if (mask) {
    Labels inside = *mask;
    for (auto& value : inside.values) value = value != 0;
    inside = resample(inside, seen, out.shift);
    counts.assign(inside.values.begin(), inside.values.end());
  } else if (!covers(native.grid, seen, out.shift)) {
    const Labels shown = field_of_view(native.grid, seen, out.shift);
    counts.assign(shown.values.begin(), shown.values.end());
  }
  out.found = register_prepared(out.prepared.values, counts, refine);
  if (has_mismatch()) out.mismatch = mismatch(out.prepared.values, counts, out.found);
  return out;
}

bool Registrar::has_mismatch() const {
  return state_->model.flow == FlowKind::velocity &&
         RegistrationEnergy::knows(state_->settings.loss.similarity);
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

Maps Registrar::maps(const std::vector<float>& found) const {
  const Model& model = state_->model;
  const kernels::Shape& full = state_->full;
  const Values fine = refined(found, full, model.network.velocity_scale, 1);
  switch (model.flow) {
    case FlowKind::velocity:
      break;
    case FlowKind::image:
      return {fine, solve_inverse(fine, full)};
    case FlowKind::atlas:
      return {solve_inverse(fine, full), fine};
  }
  // Integrated on the fine grid, where the two are nearer to being inverses.
  const auto exponential = [&](float sign) {
    Values u(fine.size());
    kernels::exponential(fine.data(), u.data(), full, model.squarings, sign,
                         border_of(model.network));
    return u;
  };
  return {exponential(1), exponential(-1)};
}

ExportedFields Registrar::fields(const RegisteredImage& registration, const Grid& native,
                                 FieldGrid which) const {
  return fields(maps(registration.found), registration.placed, registration.shift, native, which);
}

ExportedFields Registrar::fields(const Maps& maps, const Affine& placed, const Vec3& shift,
                                 const Grid& native, FieldGrid which) const {
  const Model& model = state_->model;
  const auto in_mm = [&](const Values& u) {
    VectorImage voxels(model.padded);
    voxels.values = u;
    return Displacement(voxels_to_mm(voxels));
  };
  Chain to_subject{in_mm(maps.to_subject)}, to_atlas{in_mm(maps.to_atlas)};
  if (!model.affine_mean.empty()) {
    to_subject.emplace_back(placed);
    to_atlas.emplace(to_atlas.begin(), inverse(placed));
  }
  return export_fields(to_subject, to_atlas, shift, model.visible,
                       choose_field_grid(which, model.padded, shift, native));
}

}  // namespace aladdin
