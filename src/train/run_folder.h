// The run directory of a build: whether it may go there, whether it is done, and its first record.
#pragma once

#include "aladdin/run/run_record.h"
#include "aladdin/train/plan.h"

namespace aladdin {

// Throws where the run may not go there, before any work; writes nothing.
void require_folder(const BuildOptions& options, const RunDirectory& run);

// Nothing is left to do. A finished run of which a file has been removed since is not: the training is, and what it
// publishes is made again from its last checkpoint. Throws if another training was done here, or if there is no
// checkpoint left.
bool is_finished(const RunDirectory& run, const Plan& plan, const BuildOptions& options);

// Not the folder: it may be a mount point. Nothing but what a run writes.
void empty_folder(const RunDirectory& run);

// Atlas points to native points, as other programs want it: the shift of the working space is in it.
Path affine_path(const RunDirectory& run, const Subject& subject);

// What run.json says until the end.
RunRecord first_record(const BuildOptions& options, const Plan& plan, int processes);

// The velocities that were kept while it was published (registrations.h): a finished run does not need them.
void remove_registrations(const RunDirectory& run);

}  // namespace aladdin
