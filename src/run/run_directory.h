// The run directory: what `aladdin build` leaves behind, versioned. docs/run_directory.md describes
// every file; here are their names. run_record.h reads and writes run.json.
#pragma once

#include <string>

#include "aladdin/core/files.h"

namespace aladdin {

struct RunDirectory {
  Path folder;

  Path atlas() const { return folder / "atlas.nii.gz"; }
  Path atlas_labels() const { return folder / "atlas_labels.nii.gz"; }
  Path atlas_probabilities() const { return folder / "atlas_probabilities.nii.gz"; }
  Path atlas_variability() const { return folder / "atlas_variability.nii.gz"; }
  Path model() const { return folder / "model.safetensors"; }
  Path metrics() const { return folder / "metrics.csv"; }
  Path subjects() const { return folder / "subjects.csv"; }
  Path record() const { return folder / "run.json"; }
  Path config() const { return folder / "config.toml"; }
  Path log() const { return folder / "log.txt"; }
  Path affines() const { return folder / "affines"; }
  Path transforms() const { return folder / "transforms"; }
  Path velocities() const { return folder / "velocities"; }
  Path warped() const { return folder / "warped"; }
  Path evolution() const { return folder / "evolution"; }
  Path report() const { return folder / "report.html"; }
  Path checkpoints() const { return folder / "checkpoints"; }
  Path registrations() const { return checkpoints() / "registrations"; }
  Path lock() const { return folder / ".lock"; }
};

// Nothing there but what a build writes before its run.json: it was killed before it began.
bool is_barely_begun(const RunDirectory& run);
// Removes what a killed build was writing (core/files.h: `.name.process.number.ext`).
void remove_unfinished(const RunDirectory& run);

}  // namespace aladdin
