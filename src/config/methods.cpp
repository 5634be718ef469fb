#include "aladdin/config/methods.h"

#include <fmt/format.h>

#include "aladdin/config/config.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

// "A, B", "E, F": the rows of its lines.
std::string rows_of(const MethodDescription& method) {
  std::string rows;
  for (const TableLine& line : method.lines)
    if (rows.empty() || rows.back() != line.id[0])
      rows += fmt::format("{}{}", rows.empty() ? "" : ", ", line.id[0]);
  return rows;
}

std::string in_code(std::string_view words) {
  std::string text;
  for (const auto& word : split(words, ' '))
    text += fmt::format("{}`{}`", text.empty() ? "" : ", ", word);
  return text;
}

}  // namespace

const MethodDescription& method_of(const Config& config) {
  const MethodDescription* own = find_method(config.train.engine);
  return own ? *own : *find_method(config.loss.energy);
}

namespace {

// What the teacher does is what the engine `optimise` does.
bool can_be_taught(const Config& config, std::size_t training_subjects) {
  return training_subjects <= kMostTaught && !config.loss.published && !config.network.published &&
         config.loss.energy == EnergyKind::aladdin && config.network.flow == FlowKind::velocity &&
         (config.atlas.is_closed_form() || config.atlas.update == AtlasRule::fixed);
}

}  // namespace

void choose_engine(Config& config, std::size_t training_subjects) {
  if (!can_be_taught(config, training_subjects)) config.train.teach = 0;
  if (config.train.engine != Engine::automatic) return;
  const bool network = config.network.published || config.loss.published ||
                       config.loss.supervise > 0 || config.network.flow != FlowKind::velocity;
  config.train.engine =
      training_subjects > kFewSubjects || network ? Engine::learn : Engine::optimise;
}

std::string methods_reference() {
  std::string text =
      "| rows | presets | file | whose | what is minimised or done |\n|---|---|---|---|---|\n";
  for (const MethodDescription& method : kMethods)
    text += fmt::format("| {} | {} | `{}.cpp` | {} | {} |\n", rows_of(method),
                        in_code(method.presets), method.name,
                        method.citation.empty() ? "this program" : method.citation, method.summary);
  return text;
}

}  // namespace aladdin
