#include "aladdin/condition/weights.h"

namespace aladdin::condition {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::optional<VectorXd> local_linear_weights(const MatrixXd& x, const VectorXd& c,
                                             const VectorXd& bandwidth) {
  constexpr double kReach = 4;
  constexpr double kSingular = 1e-9;
  const Index n = x.rows(), p = x.cols();
  if (p == 0) return VectorXd(VectorXd::Constant(n, 1.0 / static_cast<double>(n)));
  MatrixXd z(n, p + 1);
  z.col(0).setOnes();
  for (Index a = 0; a < p; ++a) z.col(a + 1) = (x.col(a).array() - c[a]) / bandwidth[a];
  VectorXd kernel(n);
  for (Index i = 0; i < n; ++i) {
    const double square = z.row(i).tail(p).squaredNorm();
    kernel[i] = square > kReach * kReach ? 0 : std::exp(-square / 2);
  }
  const double total = kernel.sum();
  if (!(total > 0)) return std::nullopt;
  kernel /= total;
  const MatrixXd weighted = kernel.asDiagonal() * z;
  const MatrixXd normal = z.transpose() * weighted;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(normal);
  if (!(solver.eigenvalues().minCoeff() > kSingular * solver.eigenvalues().maxCoeff()))
    return std::nullopt;
  return VectorXd(weighted * normal.ldlt().solve(VectorXd::Unit(p + 1, 0)));
}

double effective_number(const VectorXd& weights) { return 1 / weights.squaredNorm(); }

}  // namespace aladdin::condition
