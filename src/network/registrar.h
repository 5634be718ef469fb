// Registration of a new image to the atlas of a model, without Torch.
//
// The image is prepared as a member of the cohort would be (image/prepare.h, content_shift). The network F
// then runs once or several times, from coarse to fine, with the same weights. Grid r is every r-th voxel of
// the padded grid, and the velocity of a pass lives on grid r * scale, in voxels of that grid:
//
//   for r in passes, e.g. 4, 2, 1
//     A_r, I_r = reduce(A), reduce(I)                     kernels/pyramid.h
//     v = refine(v) onto grid r * scale                   0 before the first pass
//     J = warp(I_r, refine(exp(v)))                       I_r itself in the first pass; clamp
//     v = v + F(A_r, J)
//
// Then v is refined against A (optimise/optimiser.h), in `train.refine` iterations at most as the model's settings have
// it; a model without passes has no network, and the optimiser finds v from the start. Last, the velocity that the cohort
// has in common is taken out, so that its mean displacement is zero, and what folds is smoothed:
//
//   v = v - centre
//
// The published registrations of a build are made here, too: the same image has one answer, to the bit.
//
// exp(v) takes atlas points to the image's (working space); native = working + shift.
#pragma once

#include <memory>
#include <optional>

#include "aladdin/network/model.h"
#include "aladdin/optimise/mismatch.h"
#include "aladdin/transform/export.h"
#include "aladdin/transform/velocity.h"

namespace aladdin {

struct RegisteredImage {
  Velocity velocity;  // mm, on velocity_grid(model)
  Vec3 shift{0, 0, 0};
  IntensityMap intensity;
  double mismatch = 0;  // of the atlas and the image (optimise/mismatch.h)
  Image prepared;       // what the network saw, on the padded grid
};

// The atlas of a model as it is published, on the padded grid: moved to the middle of its cohort.
std::vector<float> published_atlas(const Model& model);

class Registrar {
 public:
  enum class Of { anybody, cohort };
  // Throws on a model that registers the subjects of its own cohort only, unless it is for these.
  explicit Registrar(Model model, Of whom = Of::anybody);
  ~Registrar();
  Registrar(Registrar&&) noexcept;

  const Model& model() const;

  // The mask, if any, is on the image's grid; without one the image counts in its field of view. Throws on an image of other dimensions or without
  // contrast; `name` is what errors call it. refine: most iterations after the network; none: the model's own
  // setting. Several threads may call it at once.
  RegisteredImage register_image(const Image& native, const Labels* mask = nullptr,
                                 const std::string& name = "image", std::optional<int> refine = {});
  // A prepared image (padded grid), and its mask there or nothing, to its velocity in voxels of the velocity grid,
  // planar.
  std::vector<float> velocity_voxels(const std::vector<float>& prepared,
                                     const std::vector<float>& mask = {},
                                     std::optional<int> refine = {});

  // L_sim between the atlas and a prepared image, by its centred velocity.
  double mismatch(const std::vector<float>& prepared, const std::vector<float>& mask,
                  const std::vector<float>& v) const;
  // What is usual among the subjects of the atlas; none: an older model.
  std::optional<Mismatches> usual_mismatches() const;

  // published_atlas(model) without the padding: RUN/atlas.nii.gz.
  Image atlas() const;
  // The two steps of it: against the atlas that was trained against, and then without what the cohort has in common.
  std::vector<float> uncentred_velocity(const std::vector<float>& prepared,
                                        const std::vector<float>& mask,
                                        std::optional<int> refine = {});
  std::vector<float> centred(std::vector<float> v, std::optional<int> refine = {}) const;

  // The two fields in the image's own space (transform/export.h).
  ExportedFields fields(const RegisteredImage& registration, const Grid& native,
                        FieldGrid which = FieldGrid::registration) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace aladdin
