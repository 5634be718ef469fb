#include "aladdin/transform/transform_format.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

const std::vector<std::string> kNames{"auto",     "itk",           "ants", "greedy", "mrtrix",
                                      "niftyreg", "niftyreg-disp", "fsl",  "spm",    "lta",
                                      "x5"};

}  // namespace

TransformFormat parse_transform_format(const std::string& name) {
  const auto found = std::ranges::find(kNames, name);
  if (found != kNames.end()) return static_cast<TransformFormat>(found - kNames.begin());
  const std::string nearest = did_you_mean(name, kNames);
  throw Error(fmt::format("there is no transform format '{}'", name), ExitCode::usage)
      .hint(nearest.empty() ? "expected " + fmt::format("{}", fmt::join(kNames, ", ")) : nearest);
}

std::string name_of(TransformFormat format) { return kNames[static_cast<std::size_t>(format)]; }

}  // namespace aladdin
