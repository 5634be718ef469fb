#include "aladdin/train/learning.h"

const aladdin::Learning* aladdin_learning() {
  static const aladdin::Learning learning{aladdin::build};
  return &learning;
}
