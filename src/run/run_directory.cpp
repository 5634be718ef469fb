#include "aladdin/run/run_directory.h"

#include <regex>

namespace aladdin {
namespace {

bool is_unfinished(const Path& path) {
  static const std::regex beside(R"(\..+\.[0-9]+\.[0-9]+(\.[A-Za-z]+)+)");
  return std::regex_match(path.filename().string(), beside);
}

}  // namespace

bool is_barely_begun(const RunDirectory& run) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(run.folder, ignored)) {
    const Path& path = entry.path();
    if (path.filename() != run.lock().filename() && path.filename() != run.log().filename() &&
        !is_unfinished(path))
      return false;
  }
  return true;
}

void remove_unfinished(const RunDirectory& run) {
  std::error_code ignored;
  for (const Path& folder :
       {run.folder, run.transforms(), run.velocities(), run.warped(), run.affines(),
        run.evolution(), run.checkpoints(), run.registrations()})
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      if (entry.is_regular_file(ignored) && is_unfinished(entry.path()))
        std::filesystem::remove(entry.path(), ignored);
}

}  // namespace aladdin
