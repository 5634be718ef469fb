// A registration of the model, continued by optimisation against its atlas (instance.h), with the
// settings of the training that the model remembers. No Torch in this header (learning.h).
#pragma once

#include "aladdin/network/model.h"

namespace aladdin {

// `prepared` is the image on the padded grid, `velocity` what Registrar::velocity_voxels gives and what
// is returned: in voxels of the velocity grid, planar. For a model without a network the velocity is
// found from the identity on, coarse to fine; iterations are then those on each grid. 0: as many as the
// model's settings say.
std::vector<float> refine_registration(const Model& model, const std::vector<float>& prepared,
                                       const std::vector<float>& velocity, int iterations);

}  // namespace aladdin
