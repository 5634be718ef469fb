#include "aladdin/run/run_files.h"

#include "aladdin/core/links.h"

namespace aladdin {

const std::vector<std::string>& names_in_run() {
  static const std::vector<std::string> names = [] {
    const RunDirectory run{""};
    std::vector<std::string> out;
    for (const Path& path :
         {run.checkpoints(), run.evolution(), run.report(), run.affines(), run.transforms(),
          run.velocities(), run.warped(), run.atlas(), run.atlas_labels(),
          run.atlas_probabilities(), run.atlas_variability(), run.model(), run.metrics(),
          run.subjects(), run.config(), run.log(), run.record()})
      out.push_back(path.filename().string());
    return out;
  }();
  return names;
}

void refuse_links(const RunDirectory& run) {
  aladdin::refuse_links(run.folder, names_in_run());
  aladdin::refuse_links(run.folder, {run.lock().filename().string()});
  aladdin::refuse_links(run.checkpoints(), {run.registrations().filename().string()});
}

}  // namespace aladdin
