// The general linear model y = X b + e, one fit per voxel or structure.
//
// A contrast C splits the columns of X into what is tested and what is held (the nuisance):
//
//   tested    orthonormal basis of  X (X'X)^-1 C'     r columns
//   nuisance  orthonormal basis of the rest of X's columns: the model in which C b = 0
//
// With a = tested' y and the error sum of squares s = |y|² - |nuisance' y|² - |a|² over n - p degrees of freedom,
//
//   t = a / sqrt(s / (n - p))            one question (r = 1); its sign is that of C b
//   F = (|a|² / r) / (s / (n - p))       several
//   effect = C b, with its 95 % interval;   partial r = t / sqrt(t² + n - p);   for F the root of partial eta²
//
// What the nuisance explains wholly has a statistic of 0; what the model explains wholly has a finite one, since s is
// at least kLeastError of what the nuisance leaves.
#pragma once

#include <Eigen/Dense>
#include <span>

#include "aladdin/stats/design.h"

namespace aladdin::stats {

constexpr double kLeastError = 1e-6;
constexpr double kRounding = 1e-13;  // a share of |y|² below this is the rounding of floats
constexpr double kTie = 1e-5;        // two shuffles with one statistic differ by less, in float

struct Partition {
  Eigen::MatrixXd tested, nuisance;  // subjects x r, subjects x (p - r)
  double effect_scale = 1;           // effect = effect_scale * a, where r = 1
  double dof_error = 0;

  bool is_t() const { return tested.cols() == 1; }
  double dof_test() const { return static_cast<double>(tested.cols()); }
  Eigen::Index subjects() const { return tested.rows(); }
};

// Throws where the questions of the contrast are not independent.
Partition make_partition(const Design& design, const Contrast& contrast);

struct Fit {
  double statistic = 0, effect = 0, effect_low = 0, effect_high = 0, partial_r = 0;
  double p = 1;  // two-sided for t
};

// `values`: one per subject.
class Fitter {
 public:
  explicit Fitter(const Partition& partition);
  Fit fit(std::span<const float> values) const;
  Fit fit(const Eigen::VectorXd& values) const;

 private:
  const Partition& partition_;
  double critical_t_;
};

double p_of_t(double t, double dof);  // two-sided
double p_of_f(double f, double dof_test, double dof_error);

}  // namespace aladdin::stats
