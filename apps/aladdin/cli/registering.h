// What register and segment share: the registration of one image by a model, refined where that is
// asked for or where the model has no network.
#pragma once

#include "aladdin/network/registrar.h"

namespace aladdin::app {

// refine: iterations of optimisation after the network (train/refine_registration.h); opens the
// library that trains if there are any.
RegisteredImage register_and_refine(Registrar& registrar, const Image& image,
                                    const std::string& name, int refine);

}  // namespace aladdin::app
