// The plan of a build, before its first step: its subjects, its grid and its memory.
#pragma once

#include "aladdin/image/dataset.h"
#include "aladdin/image/read_once.h"
#include "aladdin/team/team.h"
#include "aladdin/train/build.h"

namespace aladdin {

struct Plan {
  // Reads and checks the cohort.
  Plan(const BuildOptions& options, const Team& team);

  // Throws if the settings need labels that are missing, or if there are more labels than can vote.
  void require_labels() const;
  // Throws if the processes of this machine need more memory than is free.
  void require_memory(const Team& team) const;
  // Writes the plan to the log.
  void tell(const Team& team) const;

  // Stands for the training: a checkpoint resumes only with the same identity.
  std::string identity() const;

  Config config;  // the settings, with the engine chosen where it was `auto`
  Cohort cohort;
  std::vector<std::string> chosen;  // names of settings that are chosen for this cohort
  std::vector<bool> own;            // subjects that this process loads
  std::vector<SubjectScan> scans;
  WorkingGrid working;
  DatasetOptions loading;   // these subjects, within the memory of this process
  std::uint64_t bytes = 0;  // peak memory of this process

 private:
  ReadOnce once_;  // the cohort is looked at again when it is loaded, published and shown
  // Each process reads the images that it will load.
  void scan(const Team& team);
  void budget(const BuildOptions& options, const Team& team);
  std::uint64_t page_bytes() const;
};

}  // namespace aladdin
