// What a build is going to do, before its first step: who is in it, on which grid, with how much memory.
#pragma once

#include "aladdin/image/dataset.h"
#include "aladdin/team/team.h"
#include "aladdin/train/build.h"

namespace aladdin {

struct Plan {
  // Reads and checks the cohort; chooses the engine where it is `auto`.
  Plan(BuildOptions& options, const Team& team);

  // Throws where the settings ask for labels that are not there, or labels are more than can vote.
  void require_labels(const Config& config) const;
  // Throws where the processes of this machine would need more than is free.
  void require_memory(const Team& team) const;
  // To the log.
  void tell(const Config& config, const Team& team) const;

  // Which training this is: the same identity may go on from a checkpoint.
  std::string identity(const BuildOptions& options) const;

  Cohort cohort;
  std::vector<std::string> chosen;  // names of settings that are chosen for this cohort
  std::vector<bool> own;            // subjects that this process loads
  std::vector<SubjectScan> scans;
  WorkingGrid working;
  DatasetOptions loading;   // of these subjects, within the share of this process in the memory
  std::uint64_t bytes = 0;  // of memory, at the peak of this process

 private:
  // Each process looks at the images that it will load.
  void scan(const Team& team);
  void budget(const BuildOptions& options, const Team& team);
  std::uint64_t page_bytes() const;
};

}  // namespace aladdin
