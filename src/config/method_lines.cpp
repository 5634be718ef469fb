#include "aladdin/config/method_lines.h"

#include <algorithm>

#include "aladdin/config/methods.h"
#include "aladdin/config/presets.h"
#include "aladdin/config/read.h"
#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

std::vector<MethodLine> make_lines() {
  std::vector<MethodLine> out;
  for (const MethodDescription& method : kMethods)
    for (const TableLine& line : method.lines)
      out.push_back({std::string(line.id), std::string(line.name), std::string(line.preset),
                     line.changes.empty() ? std::vector<std::string>{} : split(line.changes, ' '),
                     std::string(method.citation)});
  std::ranges::stable_sort(out, {}, &MethodLine::row);
  return out;
}

}  // namespace

Config MethodLine::config() const {
  Config out = aladdin::preset(preset);
  for (const auto& change : changes) apply_setting(out, change);
  return out;
}

const std::vector<MethodLine>& method_lines() {
  static const std::vector<MethodLine> lines = make_lines();
  return lines;
}

const std::vector<Contrast>& contrasts() {
  static const std::vector<Contrast> all{
      {"H1",
       "pairs in image space against none",
       {{"H3", "H1"}, {"I3", "I1"}, {"J3", "J1"}, {"K2", "K1"}, {"K4", "K3"}}},
      {"H1 atlas", "pairs in atlas space against none", {{"H2", "H1"}, {"I2", "I1"}, {"J2", "J1"}}},
      {"H2 same",
       "Aladdin without affine alignment against the others without it",
       {{"J3", "E1"}, {"J3", "F1"}, {"J3", "G1"}, {"J3", "H1"}}},
      {"H2 aligned",
       "Aladdin without affine alignment against the others with it",
       {{"J3", "C"}, {"J3", "D"}, {"J3", "E2"}, {"J3", "F2"}, {"J3", "G2"}, {"J3", "I1"}}},
      {"H3", "forward against backward", {{"F1", "E1"}, {"F2", "E2"}}},
      {"Q4", "NCC against MSE", {{"K3", "K1"}, {"K4", "K2"}}},
      {"Q5", "a learned atlas against the closed form", {{"K1", "J1"}, {"K2", "J3"}}},
      {"L", "this program's default against the paper's best", {{"L", "J3"}, {"L", "K4"}}},
  };
  return all;
}

std::vector<MethodLine> parse_methods(std::string_view text) {
  std::vector<std::string> wanted;
  for (const auto& word : split(text, ',')) wanted.emplace_back(trim(word));
  std::vector<std::string> known{"all"};
  for (const MethodLine& line : method_lines()) {
    if (line.id.size() > 1 &&
        std::find(known.begin(), known.end(), line.id.substr(0, 1)) == known.end())
      known.push_back(line.id.substr(0, 1));
    known.push_back(line.id);
  }
  for (const auto& word : wanted)
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw Error(fmt::format("there is no method '{}', expected all or some of {}", word,
                              fmt::join(known.begin() + 1, known.end(), ", ")),
                  ExitCode::usage)
          .hint(did_you_mean(word, known));
  std::vector<MethodLine> out;
  for (const MethodLine& line : method_lines())
    if (std::any_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
          return word == "all" || word == line.id || (word.size() == 1 && word[0] == line.row());
        }))
      out.push_back(line);
  return out;
}

}  // namespace aladdin
