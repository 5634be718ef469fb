#include "aladdin/config/methods.h"

#include <algorithm>

#include "aladdin/config/presets.h"
#include "aladdin/config/read.h"
#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

using Changes = std::vector<std::string>;

constexpr const char* kJoshi = "Joshi et al. 2004";
constexpr const char* kAbsorb = "Jia et al. 2010";
constexpr const char* kVoxelmorph = "Balakrishnan et al. 2019";
constexpr const char* kHe = "He and Chung 2020";
constexpr const char* kDalca = "Dalca et al. 2019";

Changes operator+(Changes a, const Changes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The four combinations of the pairwise losses, in the order of the table.
void add_pairs(std::vector<MethodLine>& lines, char row, const MethodLine& base,
               const std::string& gamma1, const std::string& gamma2) {
  int place = 0;
  for (const bool image : {false, true})
    for (const bool atlas : {false, true}) {
      MethodLine line = base;
      line.id = fmt::format("{}{}", row, ++place);
      line.changes.push_back("loss.gamma1=" + (atlas ? gamma1 : "0"));
      line.changes.push_back("loss.gamma2=" + (image ? gamma2 : "0"));
      lines.push_back(line);
    }
}

std::vector<MethodLine> make_lines() {
  const Changes affine{"train.affine=true"};
  // With the affine part taken away the paper regularises five times as much.
  const Changes stiff_voxelmorph{"train.affine=true", "loss.lambda=0.05"};
  const Changes forward{"network.flow=atlas", "atlas.update=forward"};
  const Changes stiff_dalca{"train.affine=true", "loss.lambda=0.03", "loss.magnitude=0.0005"};
  const Changes learned{"atlas.update=learned"};
  const Changes ncc{"atlas.update=learned", "loss.similarity=ncc", "loss.sim=0.3"};
  std::vector<MethodLine> lines{
      {"A", "None", "none", {}, ""},
      {"B", "Affine", "affine", {}, ""},
      {"C", "Joshi", "joshi", {}, kJoshi},
      {"D", "ABSORB", "absorb", {}, kAbsorb},
      {"E1", "VoxelMorph, backward", "voxelmorph", {}, kVoxelmorph},
      {"E2", "VoxelMorph, backward", "voxelmorph", stiff_voxelmorph, kVoxelmorph},
      {"F1", "VoxelMorph, forward", "voxelmorph", forward, kVoxelmorph},
      {"F2", "VoxelMorph, forward", "voxelmorph", forward + stiff_voxelmorph, kVoxelmorph},
      {"G1", "He", "he", {}, kHe},
      {"G2", "He", "he", affine, kHe},
  };
  add_pairs(lines, 'H', {"", "Dalca", "dalca", {}, kDalca}, "0.2", "0.5");
  add_pairs(lines, 'I', {"", "Dalca", "dalca", stiff_dalca, kDalca}, "0.2", "0.5");
  add_pairs(lines, 'J', {"", "Aladdin", "paper", {}, ""}, "1", "5");
  for (const auto& line : std::vector<MethodLine>{
           {"K1", "Aladdin", "paper", learned + Changes{"loss.gamma2=0"}, ""},
           {"K2", "Aladdin", "paper", learned + Changes{"loss.gamma2=5"}, ""},
           {"K3", "Aladdin", "paper", ncc + Changes{"loss.gamma2=0"}, ""},
           {"K4", "Aladdin", "paper", ncc + Changes{"loss.gamma2=0.15"}, ""},
           {"L", "Aladdin, this program's default", "default", {}, ""},
       })
    lines.push_back(line);
  return lines;
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
