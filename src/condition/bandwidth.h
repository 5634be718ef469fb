// The bandwidth by leave-one-out: how well the velocities of the others, regressed at x_i, say that of subject i. In each
// component k of the velocities,
//
//   e_k(h) = 1/n sum_i (v_ik - sum_j w_j^(-i)(x_i) v_jk)²,   w^(-i) the weights without subject i,   e_k the same of the mean
//
// One fit gives w^(-i) = (w - w_i e_i) / (1 - w_i). The error of a bandwidth is sum_k a_k e_k(h) / sum_k a_k e_k. First all
// components weigh alike, a_k = 1. If the best error is below 1, numbers do predict velocities, yet most components say nothing
// of them and, being noise, ask for the widest bandwidth: then a_k = max(0, 1 - min_h e_k(h) / e_k), the share of the
// component's variance that is predicted. Bandwidths are a factor times the standard deviation of each number.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace aladdin::condition {

struct BandwidthTrial {
  Eigen::VectorXd bandwidth;
  double error = 0;     // above; 1: as good as the mean of the others, without any number
  double subjects = 0;  // mean effective number
};

struct BandwidthChoice {
  std::vector<BandwidthTrial> trials;  // ascending; those that leave no subject without neighbours
  std::size_t best = 0;
  double plain_error = 1;  // the best where all components weigh alike
  const Eigen::VectorXd& bandwidth() const { return trials[best].bandwidth; }
};

// x: subjects x numbers, at least one; velocities: subjects x components. Throws where no bandwidth can be judged.
BandwidthChoice choose_bandwidth(const Eigen::MatrixXd& x, const Eigen::MatrixXf& velocities);

// At most so many are judged, spread evenly over the first number: rows of x, ascending.
constexpr Eigen::Index kMostJudged = 500;
std::vector<Eigen::Index> judged_subjects(const Eigen::MatrixXd& x);

}  // namespace aladdin::condition
