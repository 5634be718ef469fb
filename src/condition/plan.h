// All that is decided before an image is read: who counts, how much, and why.
#pragma once

#include <optional>

#include "aladdin/condition/bandwidth.h"
#include "aladdin/condition/group.h"
#include "aladdin/condition/subjects.h"

namespace aladdin::condition {

struct Plan {
  Question question;
  Group group;
  std::optional<BandwidthChoice>
      choice;                     // by leave-one-out; nothing: given, or no number to regress on
  Eigen::VectorXd bandwidth;      // one for each number
  Eigen::MatrixXd weights;        // members x atlases
  std::vector<double> effective;  // number of subjects behind each atlas

  std::size_t atlases() const { return effective.size(); }
};

// bandwidth: empty: chosen by leave-one-out over the velocities. Throws one sentence; warns of atlases behind which there
// are few.
Plan plan_atlases(const RunSubjects& subjects, const Question& question,
                  const std::vector<Width>& bandwidth);

}  // namespace aladdin::condition
