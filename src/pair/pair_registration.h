// The registration of one image to another one, without an atlas and without training: a rigid, similarity or affine map
// (linear_registration.h) and, for `diffeomorphic`, behind it the velocity that the optimiser finds (optimise/optimiser.h)
// for the moving image as that map shows it:
//
//   to_moving(x) = T(exp(-v) x)      pulls the moving image onto the fixed one
//   to_fixed(y)  = exp(v)(T^-1 y)    its inverse
//
// v lives on the grid of the fixed image, or on one as coarse as `spacing_mm`.
//
// Masks say where an image counts, and a field of view is a mask: what the moving image does not show counts nowhere. Where
// that is depends on the registration; so it is found once with the map T and once more with its own first answer.
//
// Deterministic: the same bits for any number of threads.
#pragma once

#include <optional>
#include <string>

#include "aladdin/config/config.h"
#include "aladdin/pair/linear_registration.h"
#include "aladdin/transform/chain.h"
#include "aladdin/transform/velocity.h"

namespace aladdin {

enum class PairKind { rigid, similarity, affine, diffeomorphic };
inline constexpr Named<PairKind> kPairKinds[] = {{PairKind::rigid, "rigid"},
                                                 {PairKind::similarity, "similarity"},
                                                 {PairKind::affine, "affine"},
                                                 {PairKind::diffeomorphic, "diffeomorphic"}};
constexpr std::span<const Named<PairKind>> table_of(PairKind) { return kPairKinds; }

// An image as it comes from its file; its mask, if any, is on its grid. `name` is what errors call it.
struct PairImage {
  const Image& image;
  const Labels* mask = nullptr;
  std::string name = "image";
};

struct PairOptions {
  PairKind kind = PairKind::diffeomorphic;
  // loss: similarity (maps are found by ncc where it is lncc), regularity; optimise; network.velocity_scale.
  Config config{};
  double spacing_mm = 0;          // of v; 0: that of the fixed image
  std::optional<Affine> start{};  // fixed to moving, instead of the search for a pose
};

struct PairRegistration {
  Affine linear;                       // T
  std::optional<Velocity> velocity{};  // v, mm, on every velocity_scale-th voxel of `grid`
  Grid grid;                           // that v was found on
  int squarings = 7;

  Chain to_moving() const;
  Chain to_fixed() const;
};

// Throws on images of different dimensions, without contrast, or with nothing in common, on a mask of another grid, and
// on a fixed image whose axes are not at right angles (diffeomorphic).
PairRegistration register_pair(const PairImage& fixed, const PairImage& moving,
                               const PairOptions& options = {});

}  // namespace aladdin
