#include "aladdin/config/length.h"

#include <cmath>

namespace aladdin {

void resolve_length(LossConfig& loss, const std::array<double, 3>& spacing_mm, int dims) {
  if (loss.length == LengthUnit::mm) return;
  double volume = 1;
  for (int axis = 0; axis < dims; ++axis) volume *= spacing_mm[axis];
  if (loss.regulariser == RegulariserKind::bending) loss.lambda *= std::pow(volume, 2.0 / dims);
  loss.length = LengthUnit::mm;
}

}  // namespace aladdin
