#include "registering.h"

#include "learning.h"

namespace aladdin::app {

RegisteredImage register_and_refine(Registrar& registrar, const Image& image,
                                    const std::string& name, int refine) {
  RegisteredImage done = registrar.register_image(image, nullptr, name);
  const Model& model = registrar.model();
  if (refine == 0 && !model.passes.empty()) return done;
  VectorImage voxels = mm_to_voxels(done.velocity.vectors);
  voxels.values =
      learning().refine_registration(model, done.prepared.values, voxels.values, refine);
  done.velocity = Velocity(voxels_to_mm(voxels));
  return done;
}

}  // namespace aladdin::app
