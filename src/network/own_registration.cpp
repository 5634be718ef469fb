#include "aladdin/network/own_registration.h"

#include "aladdin/core/error.h"
#include "aladdin/transform/demons.h"

namespace aladdin {

std::vector<float> register_by_own_means(const Config& config, const kernels::Shape& grid,
                                         const std::array<double, 3>& spacing_mm,
                                         const std::vector<float>& atlas,
                                         const std::vector<float>& image,
                                         const std::vector<float>& start) {
  const auto by_demons = [&](DemonsKind kind, const std::vector<float>& moving) {
    return demons({kind, config.demons.iterations, config.demons.sigma}, grid, spacing_mm, atlas,
                  moving, start);
  };
  switch (method_of(config).registration) {
    case OwnRegistration::none:
      return start;
    case OwnRegistration::demons:
      return by_demons(DemonsKind::fast_symmetric, image);
    case OwnRegistration::diffeomorphic_demons:
      return by_demons(DemonsKind::diffeomorphic, match_histogram(grid, image, atlas));
  }
  fail("the method '{}' has no registration of its own", method_of(config).name);
}

}  // namespace aladdin
