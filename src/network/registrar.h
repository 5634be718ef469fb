// Registration of a new image to the atlas of a model, without Torch, by the method that built the atlas.
//
// The image is prepared as a member of the cohort would be (image/prepare.h, content_shift); with `train.affine` it is
// also aligned to the mean of the aligned training images (affine_placement.h), in the one interpolation that prepares
// it. What is then found depends on the model:
//
//   a velocity v, by the network F with the same weights in each pass, from coarse to fine. Grid r is every r-th voxel of
//   the padded grid, and the velocity of a pass lives on grid r * scale, in voxels of that grid:
//
//     for r in passes, e.g. 4, 2, 1
//       A_r, I_r = reduce(A), reduce(I)                     kernels/pyramid.h
//       v = refine(v) onto grid r * scale                   0 before the first pass
//       J = warp(I_r, refine(exp(v)))                       I_r itself in the first pass; clamp
//       v = v + F(A_r, J)
//
//   Then v is refined against A (optimise/optimiser.h), in `train.refine` iterations at most as the model's settings have
//   it. Without a network the optimiser finds v from the start. Last, the velocity that the cohort has in common is taken
//   out, so that its mean displacement is zero, and what folds is smoothed:
//
//     v = v - centre
//
//   a displacement u (network.flow), by the network in one pass, or by the method's own means (own_registration.h); its
//   inverse by fixed-point iteration (transform/inverse.h).
//
// The published registrations of a build are made here, too: the same image has one answer, to the bit.
//
// exp(v), or id + u, takes atlas points to the image's (working space); then comes the affine map; native = working +
// shift.
#pragma once

#include <memory>
#include <optional>

#include "aladdin/network/model.h"
#include "aladdin/optimise/mismatch.h"
#include "aladdin/transform/affine.h"
#include "aladdin/transform/export.h"

namespace aladdin {

struct RegisteredImage {
  std::vector<float>
      found;      // the velocity or the displacement: voxels of velocity_grid(model), planar
  Affine placed;  // of the alignment, from atlas points to the image's; else the identity
  Vec3 shift{0, 0, 0};
  IntensityMap intensity;
  double mismatch = 0;  // of the atlas and the image (optimise/mismatch.h); 0 where it is not known
  Image prepared;       // what was registered, on the padded grid
};

// Both directions of a registration on the padded grid, without the affine map: displacements in voxels, planar.
struct Maps {
  std::vector<float> to_subject, to_atlas;
};

// The atlas of a model as it is published, on the padded grid: moved to the middle of its cohort.
std::vector<float> published_atlas(const Model& model);

class Registrar {
 public:
  // Throws on a model of program 0.1 that registers the subjects of its own cohort only.
  explicit Registrar(Model model);
  ~Registrar();
  Registrar(Registrar&&) noexcept;

  const Model& model() const;
  // Throws (usage) if displacements, which cannot be, are to be refined.
  void require_refinable(std::optional<int> refine) const;

  // The mask, if any, is on the image's grid; without one the image counts in its field of view. Throws on an image of
  // other dimensions or without contrast; `name` is what errors call it. refine: most iterations after the network; none:
  // the model's own setting. Several threads may call it at once.
  RegisteredImage register_image(const Image& native, const Labels* mask = nullptr,
                                 const std::string& name = "image", std::optional<int> refine = {});
  // A prepared image (padded grid), and its mask there or nothing, to what is found, as in RegisteredImage.
  std::vector<float> register_prepared(const std::vector<float>& prepared,
                                       const std::vector<float>& mask = {},
                                       std::optional<int> refine = {});
  // The two steps of it: against the atlas that was trained against, and then without what the cohort has in common.
  std::vector<float> uncentred(const std::vector<float>& prepared, const std::vector<float>& mask,
                               std::optional<int> refine = {});
  std::vector<float> centred(std::vector<float> found, std::optional<int> refine = {}) const;

  // Whether the optimiser can measure it: of velocities, by a similarity that it has.
  bool has_mismatch() const;
  // L_sim between the atlas and a prepared image, by its centred velocity.
  double mismatch(const std::vector<float>& prepared, const std::vector<float>& mask,
                  const std::vector<float>& v) const;
  // What is usual among the subjects of the atlas; none: an older model.
  std::optional<Mismatches> usual_mismatches() const;

  // published_atlas(model) without the padding: RUN/atlas.nii.gz.
  Image atlas() const;

  Maps maps(const std::vector<float>& found) const;
  // The two fields in the image's own space (transform/export.h).
  ExportedFields fields(const RegisteredImage& registration, const Grid& native,
                        FieldGrid which = FieldGrid::registration) const;
  ExportedFields fields(const Maps& maps, const Affine& placed, const Vec3& shift,
                        const Grid& native, FieldGrid which) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace aladdin
