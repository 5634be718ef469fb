// From a finished training to the files of the run directory: the atlas, its labels, probabilities and
// variability, the model, and both transforms of every subject of the cohort.
//
// The weights, the atlas and the transforms fit together: the network has been trained against this
// atlas A. With `atlas.centre` the velocity c that the training subjects still have in common is taken
// out (registrations.h): every velocity becomes v - c, so that their mean displacement is zero, and the
// atlas that is published A o exp(-c). The network goes on seeing A; c is part of the model.
#pragma once

#include "aladdin/run/run_record.h"
#include "aladdin/train/trainer.h"
#include "aladdin/transform/export.h"

namespace aladdin {

// Of a tensor on the padded grid, without the padding.
Image visible_image(const at::Tensor& tensor, const Dataset& dataset);

struct PublishOptions {
  bool warped = false;  // every subject's image on the atlas grid as well
  FieldGrid fields = FieldGrid::registration;
};

// What it measures for run.json, in the first process. `identity` is that of the checkpoints.
RunResults publish(const RunDirectory& run, const Config& config, const TrainingData& data,
                   TrainingState& state, const std::string& identity,
                   const PublishOptions& options);

}  // namespace aladdin
