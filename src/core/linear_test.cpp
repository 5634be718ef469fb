#include "aladdin/core/linear.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin {

TEST(Linear, InverseTimesMatrixIsIdentity) {
  const Mat3 m{{{2, 1, 0.5}, {-1, 3, 0.2}, {0.1, 0.4, 1.5}}};
  const Mat3 product = m * inverse(m);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(product[i][j], i == j, 1e-14);
}

TEST(Linear, SingularMatrixIsRefused) {
  EXPECT_THROW(inverse({{{1, 2, 3}, {2, 4, 6}, {0, 0, 1}}}), Error);
}

TEST(Linear, ExponentialOfASkewMatrixIsItsRotation) {
  const double angle = 2.0;
  const Mat3 rotation = matrix_exponential({{{0, -angle, 0}, {angle, 0, 0}, {0, 0, 0}}});
  EXPECT_NEAR(rotation[0][0], std::cos(angle), 1e-13);
  EXPECT_NEAR(rotation[1][0], std::sin(angle), 1e-13);
  EXPECT_NEAR(determinant(rotation), 1.0, 1e-13);
}

}  // namespace aladdin
