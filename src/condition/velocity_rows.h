// What leave-one-out (bandwidth.h) needs of the velocities.
#pragma once

#include <Eigen/Dense>

#include "aladdin/condition/subjects.h"

namespace aladdin::condition {

// A row for each of these subjects: its velocity in mm, reduced to a grid on which it is at most 4096 numbers. Velocities are
// smooth, and whether others predict one is seen on any grid.
Eigen::MatrixXf velocity_rows(const RunSubjects& subjects, const std::vector<std::size_t>& who);

}  // namespace aladdin::condition
