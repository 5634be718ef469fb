// Every method, as far as it can be told without Torch: what it is called and whose it is, its presets,
// what it asks of the settings, and its lines of the paper's Table 2. --preset, `aladdin compare`, the
// checks and the list in docs/methods.md come from here; what a method does is in its file in
// src/method/methods (method/method.h).
#pragma once

#include <string>

#include "aladdin/config/choices.h"

namespace aladdin {

struct Config;

// What is learned: the weights of a network, or the velocities of the subjects; automatic: that depends
// on how many subjects there are (choose_engine). The others are methods without gradients, which
// register subjects by means of their own.
enum class Engine { automatic, learn, optimise, none, joshi, absorb };
struct EngineRow {
  Engine value;
  std::string_view name, meaning;
};
inline constexpr EngineRow kEngines[] = {
    {Engine::automatic, "auto", "optimise up to 40 subjects, learn beyond"},
    {Engine::learn, "learn", "a network"},
    {Engine::optimise, "optimise", "no network, the velocities of the subjects"},
    {Engine::none, "none", "no registration"},
    {Engine::joshi, "joshi", "demons to the mean"},
    {Engine::absorb, "absorb", "demons to the mean of neighbours"}};
constexpr std::span<const EngineRow> table_of(Engine) { return kEngines; }

// Whose energy is minimised.
enum class EnergyKind { aladdin, voxelmorph, he, dalca };
inline constexpr Named<EnergyKind> kEnergies[] = {{EnergyKind::aladdin, "aladdin"},
                                                  {EnergyKind::voxelmorph, "voxelmorph"},
                                                  {EnergyKind::he, "he"},
                                                  {EnergyKind::dalca, "dalca"}};
constexpr std::span<const Named<EnergyKind>> table_of(EnergyKind) { return kEnergies; }

// How a method without gradients registers an image (network/own_registration.h).
enum class OwnRegistration {
  none,                 // it does not
  demons,               // fast symmetric forces
  diffeomorphic_demons  // with the histograms matched
};

// A line of the table. Rows are letters; a row with several lines numbers them.
struct TableLine {
  std::string_view id, name, preset;
  std::string_view changes = "";  // of the preset, KEY=VALUE as --set takes them, by spaces
};

// A setting that must have one of these values, as TOML writes them, "A or B".
struct Requirement {
  std::string_view key, values;
  std::string_view why = "";
};

struct MethodDescription {
  std::string_view name;      // of its file in src/method/methods
  std::string_view citation;  // authors and year; empty: ours
  std::string_view
      summary;  // what is minimised or done, in Markdown; docs/methods.md has the notation
  std::string_view presets;        // files in configs/, by spaces
  std::optional<Engine> engine{};  // of its own; none: `learn` or `optimise` along its energy
  OwnRegistration registration = OwnRegistration::none;  // of an engine of its own
  std::optional<EnergyKind> energy{};  // of its own; none: loss.energy only measures
  // The weights of [loss] that its energy has, beside sim and lambda, by spaces. All others must be 0.
  std::string_view weights = "";
  std::span<const Requirement> asks{};
  std::span<const TableLine> lines{};
  // What `compare` shows of it where the settings do not tell: "" where they do.
  std::string_view atlas = "", similarity = "", atlas_pairs = "", image_pairs = "";
};

inline constexpr TableLine kAladdinLines[] = {
    {"J1", "Aladdin", "paper", "loss.gamma1=0 loss.gamma2=0"},
    {"J2", "Aladdin", "paper", "loss.gamma1=1 loss.gamma2=0"},
    {"J3", "Aladdin", "paper", "loss.gamma1=0 loss.gamma2=5"},
    {"J4", "Aladdin", "paper", "loss.gamma1=1 loss.gamma2=5"},
    {"K1", "Aladdin", "paper", "atlas.update=learned loss.gamma2=0"},
    {"K2", "Aladdin", "paper", "atlas.update=learned loss.gamma2=5"},
    {"K3", "Aladdin", "paper",
     "atlas.update=learned loss.similarity=ncc loss.sim=0.3 loss.gamma2=0"},
    {"K4", "Aladdin", "paper",
     "atlas.update=learned loss.similarity=ncc loss.sim=0.3 loss.gamma2=0.15"},
    {"L", "Aladdin, this program's default", "default"}};

// They have no network and no velocity, and are measured in atlas space.
inline constexpr Requirement kFittedAsks[] = {
    {"atlas.centre", "false", "there is no velocity to centre"},
    {"train.pyramid", "[1]"},
    {"network.flow", "\"image\""},
    {"network.velocity_scale", "1"},
    {"loss.energy", "\"voxelmorph\"", "it measures in atlas space"},
    {"train.batch", "1"}};
inline constexpr TableLine kNoneLines[] = {{"A", "None", "none"}, {"B", "Affine", "affine"}};
inline constexpr TableLine kJoshiLines[] = {{"C", "Joshi", "joshi"}};
inline constexpr TableLine kAbsorbLines[] = {{"D", "ABSORB", "absorb"}};

// With the affine part taken away the paper regularises five times as much.
inline constexpr Requirement kVoxelmorphAsks[] = {{"loss.published", "false"},
                                                  {"network.flow", "\"image\" or \"atlas\""}};
inline constexpr TableLine kVoxelmorphLines[] = {
    {"E1", "VoxelMorph, backward", "voxelmorph"},
    {"E2", "VoxelMorph, backward", "voxelmorph", "train.affine=true loss.lambda=0.05"},
    {"F1", "VoxelMorph, forward", "voxelmorph", "network.flow=atlas atlas.update=forward"},
    {"F2", "VoxelMorph, forward", "voxelmorph",
     "network.flow=atlas atlas.update=forward train.affine=true loss.lambda=0.05"}};

inline constexpr Requirement kHeAsks[] = {{"loss.published", "false"},
                                          {"network.flow", "\"image\""}};
inline constexpr TableLine kHeLines[] = {{"G1", "He", "he"},
                                         {"G2", "He", "he", "train.affine=true"}};

inline constexpr Requirement kDalcaAsks[] = {{"loss.published", "false"},
                                             {"network.flow", "\"velocity\""}};
inline constexpr TableLine kDalcaLines[] = {
    {"H1", "Dalca", "dalca", "loss.gamma1=0 loss.gamma2=0"},
    {"H2", "Dalca", "dalca", "loss.gamma1=0.2 loss.gamma2=0"},
    {"H3", "Dalca", "dalca", "loss.gamma1=0 loss.gamma2=0.5"},
    {"H4", "Dalca", "dalca", "loss.gamma1=0.2 loss.gamma2=0.5"},
    {"I1", "Dalca", "dalca",
     "train.affine=true loss.lambda=0.03 loss.magnitude=0.0005 loss.gamma1=0 loss.gamma2=0"},
    {"I2", "Dalca", "dalca",
     "train.affine=true loss.lambda=0.03 loss.magnitude=0.0005 loss.gamma1=0.2 loss.gamma2=0"},
    {"I3", "Dalca", "dalca",
     "train.affine=true loss.lambda=0.03 loss.magnitude=0.0005 loss.gamma1=0 loss.gamma2=0.5"},
    {"I4", "Dalca", "dalca",
     "train.affine=true loss.lambda=0.03 loss.magnitude=0.0005 loss.gamma1=0.2 loss.gamma2=0.5"}};

inline constexpr MethodDescription kMethods[] = {
    {.name = "aladdin",
     .citation = "",
     .summary =
         "Eq. 6 of the paper; MSE and the closed-form atlas of Eq. 4 (J), an atlas learned by its own "
         "SGD, MSE and NCC (K), and this program's own settings: LNCC, coarse to fine, centred, refined (L)",
     .presets = "default paper reference fast",
     .energy = EnergyKind::aladdin,
     .weights = "loss.volume loss.gamma1 loss.gamma2 loss.supervise",
     .lines = kAladdinLines},
    {.name = "none",
     .citation = "",
     .summary = "nothing: `A` is the mean of the images (A), or of the images aligned affinely (B, "
                "`method/affine_alignment.h`)",
     .presets = "none affine",
     .engine = Engine::none,
     .asks = kFittedAsks,
     .lines = kNoneLines,
     .similarity = "-",
     .atlas_pairs = "-",
     .image_pairs = "-"},
    {.name = "joshi",
     .citation = "Joshi et al. 2004",
     .summary =
         "fast symmetric-forces demons (ITK, sigma 1.2) to the mean, which is made anew (Eq. 3)",
     .presets = "joshi",
     .engine = Engine::joshi,
     .registration = OwnRegistration::demons,
     .asks = kFittedAsks,
     .lines = kJoshiLines,
     .atlas_pairs = "-",
     .image_pairs = "-"},
    {.name = "absorb",
     .citation = "Jia et al. 2010",
     .summary =
         "diffeomorphic demons (ITK, sigma 2) to the mean of the 3 nearest images that are nearer to the "
         "middle; bundling; at most 3 levels; once to the mean at the end",
     .presets = "absorb",
     .engine = Engine::absorb,
     .registration = OwnRegistration::diffeomorphic_demons,
     .asks = kFittedAsks,
     .lines = kAbsorbLines,
     .atlas = "hierarchical",
     .atlas_pairs = "-",
     .image_pairs = "-"},
    {.name = "voxelmorph",
     .citation = "Balakrishnan et al. 2019",
     .summary =
         "backward (E) `L(I∘(id+u), A) + λR(u)` with Eq. 3; forward (F) `L(A∘(id+u), I) + λR(u)` with "
         "Eq. 4; `u` predicted by the network",
     .presets = "voxelmorph",
     .energy = EnergyKind::voxelmorph,
     .asks = kVoxelmorphAsks,
     .lines = kVoxelmorphLines,
     .atlas_pairs = "-",
     .image_pairs = "-"},
    {.name = "he",
     .citation = "He and Chung 2020",
     .summary =
         "`0.4 [mean L(J_i, A) + mean L(J_i, J_j)] + λR(u) + middle |mean u|² + cycle |u + w∘(id+u)|²`, "
         "`J_i = I_i∘(id+u_i)`, NCC; `w` by the same network with its inputs exchanged",
     .presets = "he",
     .energy = EnergyKind::he,
     .weights = "loss.middle loss.cycle",
     .asks = kHeAsks,
     .lines = kHeLines,
     .atlas_pairs = "yes",
     .image_pairs = "-"},
    {.name = "dalca",
     .citation = "Dalca et al. 2019",
     .summary =
         "`L(A∘Φ_{1,0}, I)/(2σ²) + magnitude/2 |u|² + λ/2 R(u) + middle |mean u|²` and the pairs; the "
         "template is learned with the network by Adam",
     .presets = "dalca",
     .energy = EnergyKind::dalca,
     .weights = "loss.gamma1 loss.gamma2 loss.magnitude loss.middle",
     .asks = kDalcaAsks,
     .lines = kDalcaLines}};

constexpr const MethodDescription* find_method(Engine engine) {
  for (const auto& method : kMethods)
    if (method.engine == engine) return &method;
  return nullptr;
}
constexpr const MethodDescription* find_method(EnergyKind energy) {
  for (const auto& method : kMethods)
    if (method.energy == energy) return &method;
  return nullptr;
}

// The one with this engine or, for engines that descend along an energy, with this energy.
const MethodDescription& method_of(const Config& config);

// What `automatic` means for so many training subjects: `learn` beyond kFewSubjects, and where only a
// network can: with the published quirks, or to predict displacements. A network learns without a teacher (train.teach)
// where the optimiser cannot do what the settings ask for, beyond kMostTaught, and in several processes
// (train/build.cpp).
void choose_engine(Config& config, std::size_t training_subjects);

// A table of all, in Markdown: the list of docs/methods.md.
std::string methods_reference();

}  // namespace aladdin
