// PointMap: a chain made ready for millions of points. Neighbouring affines, and the matrices
// between voxels and millimetres, are multiplied together once. Safe to call from many threads.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "aladdin/transform/chain.h"
#include "aladdin/transform/inverse_solver.h"

namespace aladdin {

class PointMap {
 public:
  // Points (LPS mm) to points. The chain must outlive the map.
  explicit PointMap(const Chain& chain);
  // Voxel indices of `from` to points.
  PointMap(const Grid& from, const Chain& chain);
  // Voxel indices of `from` to continuous indices of `to`.
  PointMap(const Grid& from, const Chain& chain, const Grid& to);

  // Sets *outside where the point is outside the grid of a displacement field, which leaves it alone, or would come
  // from outside, where an inverse goes on as at the border (inverse_solver.h).
  Vec3 operator()(const Vec3& x, bool* outside = nullptr) const;

  // How many points the inverse of a displacement could not be solved for so far.
  std::int64_t unsolved() const { return unsolved_.load(); }
  // Warns if there were any.
  void report() const;

 private:
  // x -> p = enter(x), then p + u at the continuous index locate(x).
  struct Step {
    Affine enter;
    Affine locate;
    const Displacement* field = nullptr;           // a displacement
    std::unique_ptr<const InverseSolver> inverse;  // or an inverse one
  };
  void build(const Chain& chain, Affine first, const Grid* from, const Affine& last);

  std::vector<Step> steps_;
  Affine leave_;
  mutable std::atomic<std::int64_t> unsolved_{0};
};

}  // namespace aladdin
