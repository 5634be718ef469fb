// Everything that decides how an atlas is built, as plain structs. The defaults are the `default`
// preset. One visitor (visit.h) drives the TOML files, --set, the documentation and the hash.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aladdin/config/methods.h"

namespace aladdin {

// The network F and the velocity it predicts. With several passes the network refines its own
// answer, coarse to fine, with the same weights:  v <- v + F(atlas, image o exp(v)), each pass on the
// grid coarsened by its number. The result is one stationary velocity, as in the paper ([1]).
struct NetworkConfig {
  int width = 16;          // channels at full resolution
  int depth = 3;           // times that the resolution is halved
  int velocity_scale = 2;  // 1: velocity at full resolution, 2: at half
  std::vector<int> passes{4, 2, 2, 1,
                          1};  // coarsening of each, powers of two that never rise, the last 1
  int squarings = 7;           // of scaling and squaring
  FlowKind flow = FlowKind::velocity;
  bool published = false;  // the published code's quirks (network/unet_layers.h), zero border
};

// The energy (Eq. 6 of the paper), per image: sim + lambda reg + volume (log det)^2 + gamma1 atlas pairs + gamma2 image
// pairs.
struct LossConfig {
  EnergyKind energy = EnergyKind::aladdin;  // or another method's
  SimilarityKind similarity = SimilarityKind::lncc;
  int window = 5;    // lncc: voxels along each axis, odd
  int bins = 32;     // mi
  double sim = 1.0;  // weight of the similarity
  RegulariserKind regulariser = RegulariserKind::bending;
  double lambda = 0.3;  // weight of the regulariser
  // Of bending: a voxel of the working grid, or mm. A build resolves it to mm before it starts (train/plan.cpp).
  LengthUnit length = LengthUnit::voxel;
  double volume = 0.05;    // weight of the mean squared log determinant of Phi_{1,0}
  double gamma1 = 0.0;     // pairs in atlas space
  double gamma2 = 1.0;     // pairs in image space
  double supervise = 0.0;  // Dice of the training labels; 0: images alone
  double magnitude = 0.0;  // dalca: of the displacement, 1/mm^2
  double middle = 0.0;     // dalca, he: of the mean displacement, 1/mm^2
  double cycle = 0.0;      // he: there and back again, 1/mm^2
  bool published = false;  // the published code's terms (method/published_energy.h)
};

struct AtlasConfig {
  AtlasRule update = AtlasRule::forward;
  std::string init = "mean";  // mean, medoid, or an image file
  int every = 10;             // epochs between updates
  double rate = 1e4;   // learned: of its own SGD, one step an epoch; for 80 x 192 x 192 voxels
  double floor = 0.1;  // forward: least weight of a determinant
  bool centre = true;  // hold the mean displacement of the cohort at zero
  bool robust =
      true;  // optimise: a subject that matches far worse than the others weighs less (optimise/mismatch.h)

  // In closed form, of the registrations.
  bool is_closed_form() const {
    return update == AtlasRule::forward || update == AtlasRule::backward;
  }
};

// A network needs more training subjects than this to register others well (docs/accuracy.md).
constexpr std::size_t kFewSubjects = 40;
// More have no teacher: their velocities are kept in memory, and take their time.
constexpr std::size_t kMostTaught = 500;

struct TrainConfig {
  Engine engine = Engine::automatic;
  bool affine = false;  // affine alignment to the evolving mean first (method/affine_alignment.h)
  // Rounds through the training subjects, for each stage of the pyramid. Those on coarse grids are
  // cheap: the work of an epoch goes with its voxels.
  std::vector<int> epochs{100, 100, 40};
  double minutes =
      0;  // > 0: a budget that the stages share as they would share the work of `epochs`
  // learn: weight of the squared distance to the velocities of an optimisation that comes first and makes the atlas; 0: none.
  double teach = 1;
  int least = 64;      // learn: subjects that an epoch visits at least, small cohorts several times
  int batch = 2;       // subjects a step
  double rate = 2e-3;  // of Adam, at its highest
  RateSchedule schedule = RateSchedule::cosine;
  double warmup = 0.02;                       // cosine: fraction of the training with a rising rate
  std::vector<double> milestones{0.5, 0.75};  // multistep: fractions at which the rate drops
  double decay = 0.5;                         // multistep: to this fraction
  double clip = 1.0;                          // largest norm of a gradient; 0: any
  double average = 0.999;                     // of the weights, exponentially; 0: none
  double augment = 0.3;               // strength of random affine and intensity changes; 0: none
  std::vector<int> pyramid{4, 2, 1};  // coarsening of the stages; [1]: off
  double last = 0.1;                  // fraction of the training after the last atlas update
  int refine = 100;  // learn: most iterations of optimisation after the network, of any image
  int validate_every = 10;        // epochs; 0: only at the end
  int patience = 0;               // stop after so many validations without progress; 0: never
  double checkpoint_minutes = 2;  // between checkpoints
  std::uint64_t seed = 1;

  // Once `automatic` is resolved (choose_engine).
  bool optimises() const { return engine == Engine::optimise; }
  // A network that is taught (method/teacher.h).
  bool is_taught() const { return learns() && teach > 0; }
  // Registers subjects one by one, without a gradient of the energy.
  bool fits() const { return find_method(engine) != nullptr; }
  bool learns() const { return engine == Engine::learn; }
};

// Optimisation of velocities (optimise/optimiser.h): the engine `optimise`, and the refinement of single registrations.
struct OptimiseConfig {
  int iterations = 100;  // on each grid at most, for an image that is registered without a network
  double tolerance = 1e-3;  // converged: five iterations lower the energy by less than this share
};

// Demons (ITK), the registration of `joshi` and `absorb`.
struct DemonsConfig {
  double sigma = 1.2;     // of the Gaussian over the displacement, in voxels
  int iterations = 1000;  // each time a subject is registered
  int neighbours = 3;     // absorb: nearest images whose mean is moved to
  int levels = 3;         // absorb: of the hierarchy, at most
};

struct Config {
  NetworkConfig network;
  LossConfig loss;
  AtlasConfig atlas;
  TrainConfig train;
  OptimiseConfig optimise;
  DemonsConfig demons;
};

}  // namespace aladdin
