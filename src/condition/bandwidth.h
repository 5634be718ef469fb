// The bandwidth by leave-one-out: how well the velocities of the others, regressed at x_i, say that of subject i.
//
//   error(h) = 1/n sum_i |v_i - sum_j w_j^(-i)(x_i) v_j|²,   w^(-i) the weights without subject i
//
// The weights are linear in the velocities, so that their inner products are all that is needed, and one fit gives
// w^(-i) = (w - w_i e_i) / (1 - w_i). Bandwidths are a factor times the standard deviation of each number.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace aladdin::condition {

struct BandwidthTrial {
  Eigen::VectorXd bandwidth;
  double error = 0;     // as a share of that of the mean of the others, without any covariate
  double subjects = 0;  // mean effective number
};

struct BandwidthChoice {
  std::vector<BandwidthTrial> trials;  // ascending; those that leave no subject without neighbours
  std::size_t best = 0;
  const Eigen::VectorXd& bandwidth() const { return trials[best].bandwidth; }
};

// x: subjects x numbers, at least one; gram: the inner products of the velocities. Throws where no bandwidth can be judged.
BandwidthChoice choose_bandwidth(const Eigen::MatrixXd& x, const Eigen::MatrixXd& gram);

// At most so many are judged, spread evenly over the first number: rows of x, ascending.
constexpr Eigen::Index kMostJudged = 500;
std::vector<Eigen::Index> judged_subjects(const Eigen::MatrixXd& x);

}  // namespace aladdin::condition
