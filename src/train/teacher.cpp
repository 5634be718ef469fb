#include "aladdin/train/teacher.h"

namespace aladdin {

Config teacher_of(const Config& config) {
  Config out = config;
  out.train.engine = Engine::optimise;
  out.train.teach = out.train.minutes = out.loss.supervise = 0;
  return out;
}

RunDirectory teacher_folder(const RunDirectory& run) { return {run.checkpoints() / "teacher"}; }

}  // namespace aladdin
