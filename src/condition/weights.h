// Local linear regression: the value at c of the line that fits best around c is a weighted mean of the subjects' values,
//
//   w_i(c) = e_1' (Z' K Z)^-1 Z' K e_i,   row i of Z = (1, (x_i - c) / h),   K_ii = exp(-|(x_i - c) / h|² / 2), 0 beyond 4
//
// with one bandwidth h for each number. The weights add up to 1 and give back every linear function exactly, at the ends of
// the range as well, where some are therefore negative.
#pragma once

#include <Eigen/Dense>
#include <optional>

namespace aladdin::condition {

// Nothing where too few subjects, or too few different values, are around c. Without numbers all weigh alike.
std::optional<Eigen::VectorXd> local_linear_weights(const Eigen::MatrixXd& x,
                                                    const Eigen::VectorXd& c,
                                                    const Eigen::VectorXd& bandwidth);

// As many subjects with equal weights give a mean of the same variance: 1 / sum w².
double effective_number(const Eigen::VectorXd& weights);

}  // namespace aladdin::condition
