// Each structure's volume in a sweep of atlases, beside what the subjects themselves have: their own volumes, counted in their
// label maps, a local linear regression of these with the weights of the atlases, and how far that varies when the subjects are
// drawn again (percentile bootstrap, 95 %).
#pragma once

#include "aladdin/condition/plan.h"

namespace aladdin::condition {

struct Curve {
  std::int32_t label = 0;
  std::string name;
  std::vector<double> own;                    // of each subject in Curves::subjects
  std::vector<double> regression, low, high;  // at each atlas
};

struct Curves {
  std::vector<std::size_t> subjects;  // places in Group::members of those with label maps
  std::vector<Curve>
      structures;  // one for each label but the background; none: too few have label maps
};

// No curves without numbers in the plan.
Curves find_curves(const RunSubjects& subjects, const Plan& plan, std::uint64_t seed = 0);

// The regression at each point and its 95 % band. values, x: one row a subject.
struct Band {
  std::vector<double> regression, low, high;
};
std::vector<Band> regress_volumes(const Eigen::MatrixXd& values, const Eigen::MatrixXd& x,
                                  const std::vector<Eigen::VectorXd>& points,
                                  const Eigen::VectorXd& bandwidth, std::uint64_t seed);

}  // namespace aladdin::condition
