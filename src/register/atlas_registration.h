// `aladdin register` in memory: a new image, its registration to the atlas of a run, and how good that is.
#pragma once

#include "aladdin/condition/atlas.h"
#include "aladdin/evaluate/registration_quality.h"
#include "aladdin/image/image.h"
#include "aladdin/network/registrar.h"
#include "aladdin/transform/jacobian.h"

namespace aladdin {

struct AtlasRegistration {
  // One displacement each, in the image's own space (transform/export.h). They are named after their files: the first
  // maps atlas points to native points and pulls the image into atlas space.
  Chain native_to_atlas, atlas_to_native;
  // To a conditional atlas: the registration itself, where those above go on to the population's; else empty.
  Chain native_to_conditional, conditional_to_native;
  IntensityMap intensity;
  Vec3 shift{0, 0, 0};
  evaluate::Similarity similarity;
  JacobianSummary to_atlas, to_native;
  evaluate::InverseConsistency inverse;
  double mismatch = 0;  // optimise/mismatch.h
  bool poor = false;    // far worse than that of the subjects of the atlas
};

class AtlasRegistrar {
 public:
  // The folder of a run, or its model file. Throws where there is none, or where the labels beside it are on another
  // grid.
  // To a conditional atlas of the run, if there is one, with its labels.
  explicit AtlasRegistrar(const Path& run, bool with_labels = true,
                          std::optional<condition::Atlas> conditional = {});

  const Path& model() const { return model_; }
  const Image& atlas() const { return atlas_; }
  void require_refinable(std::optional<int> refine) const { registrar_.require_refinable(refine); }
  bool is_conditional() const { return conditional_.has_value(); }
  // None: a model that does not say.
  std::optional<Mismatches> usual_mismatches() const { return registrar_.usual_mismatches(); }
  // Of the atlas; null: it has none.
  const Labels* labels() const { return labels_ ? &*labels_ : nullptr; }
  // Where the labels are, should there be some.
  Path labels_file() const;
  // An image has one thread, and several are registered side by side: they share nothing, while the threads of one
  // image would wait for each other in each of its hundred small steps.
  bool is_small() const;

  // Registrar::register_image. Several threads may call it at once.
  AtlasRegistration register_image(const Image& image, const Labels* mask = nullptr,
                                   const std::string& name = "image",
                                   std::optional<int> refine = {},
                                   FieldGrid fields = FieldGrid::registration);
  // The image on the atlas grid, and the labels of the atlas on the image's.
  Image warped(const Image& image, const AtlasRegistration& found) const;
  Labels labels_on(const Grid& native, const AtlasRegistration& found) const;

 private:
  ExportedFields to_population(ExportedFields fields) const;

  Path model_;
  std::optional<condition::Atlas> conditional_;
  Registrar registrar_;
  Image atlas_;
  std::optional<Labels> labels_;
};

}  // namespace aladdin
