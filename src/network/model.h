// All that the registration of a new image needs, in one file (safetensors.h): weights, atlas, grids and
// preprocessing. Whoever reads it needs neither the run that made it nor its cohort.
//
// Tensors: the weights by the names of unet_parameters, "atlas" ([d,] h, w) on the padded grid,
// "centre" (dims, [d,] h, w) on the velocity grid and "affine_mean" ([d,] h, w) if there are any. All F32. Metadata:
// "format" and "version", the fields below as JSON, and the notes as "note.<key>". A model of velocities without
// "affine_mean" is of version 1, which program 0.1 reads as well; every other is of version 2.
#pragma once

#include <map>

#include "aladdin/config/choices.h"
#include "aladdin/core/files.h"
#include "aladdin/image/image.h"
#include "aladdin/image/intensity.h"
#include "aladdin/image/working_grid.h"
#include "aladdin/network/unet_layers.h"

namespace aladdin {

constexpr int kModelVersion = 2;
// The note, in models of program 0.1, that says why one registers the subjects of its own cohort only.
constexpr const char* kCohortOnly = "cohort_only";
// The note that says how well the training subjects match the atlas (optimise/mismatch.h).
constexpr const char* kMismatches = "mismatches";

struct Model {
  UnetOptions network;
  std::vector<int> passes{1};  // registrar.h; powers of 2, the last 1; none: there is no network
  FlowKind flow = FlowKind::velocity;  // what a registration finds; a displacement has one pass
  int squarings = 7;
  // As in WorkingGrid.
  Grid visible, padded;
  Size3 pad_before{0, 0, 0};
  bool centred_content = true;
  Vec3 content_centre{0, 0, 0};
  IntensityRule intensity;
  std::vector<std::vector<float>> parameters;  // unet_parameters(network)
  std::vector<float>
      centre;   // the velocity subtracted, in voxels, planar, velocity grid; empty: none
  Image atlas;  // on `padded`
  std::vector<float>
      affine_mean;  // there: images are aligned to it affinely first; empty: they are not
  std::map<std::string, std::string> notes;

  // The parameters of the network, if there is one.
  std::vector<UnetParameter> described_parameters() const;
  // Throws on anything that does not fit together; the first looks at neither weights nor voxels.
  void validate_geometry() const;
  void validate() const;
};

// Takes grids, shift rule and padding from the working grid of a cohort.
void set_geometry(Model& model, const WorkingGrid& working);

// Where the velocity lives: every velocity_scale-th voxel of the padded grid, from the first on.
Grid velocity_grid(const Model& model);
// Every step-th voxel of a grid, from the first on.
Grid every(const Grid& grid, int step);

void write_model(const Path& path, const Model& model);
Model read_model(const Path& path);

}  // namespace aladdin
