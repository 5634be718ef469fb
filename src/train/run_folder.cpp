#include "aladdin/train/run_folder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "aladdin/config/write.h"
#include "aladdin/core/checksum.h"
#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/parallel.h"
#include "aladdin/run/run_files.h"
#include "aladdin/train/checkpoint.h"
#include "aladdin/train/run_model.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin {
namespace {

// The first missing file of a finished run, if any.
std::optional<Path> find_missing(const RunDirectory& run, const Plan& plan,
                                 const BuildOptions& options) {
  std::vector<Path> files{run.atlas(),   run.atlas_variability(), run.model(),
                          run.metrics(), run.subjects(),          run.config()};
  bool voted = false;
  for (const Subject& s : plan.cohort.subjects) {
    if (plan.config.train.affine) files.push_back(affine_path(run, s));
    voted |= s.label.has_value() && s.is_for_training();
    files.push_back(run.transforms() / native_to_atlas_name(s.id));
    files.push_back(run.transforms() / atlas_to_native_name(s.id));
    if (has_velocities(plan.config))
      files.push_back(run.velocities() / native_to_atlas_velocity_name(s.id));
    if (options.warped) files.push_back(run.warped() / (s.id + ".nii.gz"));
  }
  if (voted) files.insert(files.end(), {run.atlas_labels(), run.atlas_probabilities()});
  std::error_code ignored;
  const auto missing = std::find_if(files.begin(), files.end(), [&](const Path& path) {
    return !std::filesystem::exists(path, ignored);
  });
  return missing == files.end() ? std::nullopt : std::optional(*missing);
}

}  // namespace

void require_folder(const BuildOptions& options, const RunDirectory& run) {
  std::error_code ignored;
  Path there = std::filesystem::absolute(run.folder).lexically_normal();
  while (!std::filesystem::exists(there, ignored) && there.has_relative_path())
    there = there.parent_path();
  if (!std::filesystem::is_directory(there, ignored))
    fail("the folder '{}' cannot be made: '{}' is a file", run.folder.string(), there.string());
  if (::access(there.c_str(), W_OK) != 0)
    fail("'{}' cannot be written to: {}", there.string(), std::strerror(errno));
  refuse_links(run);
  const bool used = std::filesystem::exists(run.folder, ignored) &&
                    !std::filesystem::is_empty(run.folder, ignored);
  if (!used) return;
  if (!has_record(run)) {
    if (is_barely_begun(run)) return;
    throw Error(fmt::format("'{}' is not empty and is not a run directory: it has no run.json",
                            run.folder.string()))
        .hint("choose another folder");
  }
  if (!options.resume && !options.force)
    throw Error(fmt::format("'{}' already holds a run", run.folder.string()))
        .hint(fmt::format("{} continues it, {} starts over", option_name("resume"),
                          option_name("force")));
  read_record(run);  // refuses another version
}

bool is_finished(const RunDirectory& run, const Plan& plan, const BuildOptions& options) {
  if (!has_record(run)) return false;
  const RunRecord record = read_record(run);
  if (record.identity != hex_checksum(plan.identity()))
    throw Error(fmt::format("'{}' belongs to a training with other settings or another cohort",
                            run.folder.string()),
                ExitCode::usage)
        .hint(fmt::format("repeat the first command, choose another folder, or start over with {}",
                          option_name("force")));
  if (!record.is_done()) return false;
  const auto missing = find_missing(run, plan, options);
  if (!missing) return true;
  if (!has_checkpoint(run))
    throw Error(fmt::format("'{}' is finished, but '{}' is not there, nor a checkpoint to make it "
                            "from",
                            run.folder.string(), missing->string()))
        .hint(fmt::format("only a new training makes it again: choose another folder, or {}",
                          option_name("force")));
  log::warn("'{}' is finished, but '{}' is not there and is to be published again",
            run.folder.string(), missing->string());
  return false;
}

void empty_folder(const RunDirectory& run) {
  for (const auto& name : names_in_run()) {
    const Path path = run.folder / name;
    std::error_code failed;
    std::filesystem::remove_all(path, failed);
    if (failed) fail("'{}' cannot be removed: {}", path.string(), failed.message());
  }
}

Path affine_path(const RunDirectory& run, const Subject& subject) {
  return run.affines() / native_to_atlas_affine_name(subject.id);
}

namespace {

std::string whole(const Path& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

SubjectRecord record_of(const Plan& plan, std::size_t i) {
  const Subject& s = plan.cohort.subjects[i];
  SubjectRecord out{.id = s.id, .split = s.split, .image = whole(s.image)};
  if (s.label) out.label = whole(*s.label);
  out.size.assign(s.grid.size.begin(), s.grid.size.begin() + plan.cohort.dims);
  out.spacing_mm.assign(s.grid.spacing.begin(), s.grid.spacing.begin() + plan.cohort.dims);
  out.shift_mm = plan.working.shift[i];
  out.intensity = plan.scans[i].intensity;
  for (std::size_t c = 0; c < plan.cohort.covariates.size(); ++c)
    out.covariates.emplace_back(plan.cohort.covariates[c], s.covariates[c]);
  return out;
}

}  // namespace

RunRecord first_record(const BuildOptions& options, const Plan& plan, int processes) {
  RunRecord record;
  record.identity = hex_checksum(plan.identity());
  record.command = options.command;
  record.preset = options.preset;
  record.settings = hash_of(plan.config);
  record.chosen = plan.chosen;
  record.seed = plan.config.train.seed;
  record.device = options.device;
  record.threads = threads();
  if (processes > 1) record.processes = processes;
  record.versions = options.versions;
  record.cohort = {.source = plan.cohort.source,
                   .kind = plan.cohort.kind,
                   .dims = plan.cohort.dims,
                   .label_names = plan.cohort.label_names,
                   .notes = plan.cohort.notes};
  auto& notes = record.cohort.notes;
  notes.insert(notes.end(), plan.working.notes.begin(), plan.working.notes.end());
  record.grid = describe(plan.working.visible);
  for (std::size_t i = 0; i < plan.cohort.subjects.size(); ++i)
    record.subjects.push_back(record_of(plan, i));
  return record;
}

void remove_registrations(const RunDirectory& run) {
  std::error_code ignored;
  std::filesystem::remove_all(run.registrations(), ignored);
}

}  // namespace aladdin
