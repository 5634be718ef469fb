// The inner loops of the fast kernels, compiled once for each SIMD level (baseline x86-64, AVX2 +
// FMA, AVX-512) from the same sources and chosen once at run time.
// ALADDIN_SIMD=baseline|avx2|avx512 in the environment forces a level.
//
// The sources under fast/ use plain pointers and no library templates: an inline function of the
// standard library compiled for AVX2 could otherwise replace the baseline's at link time.
//
// "Packed" fields hold the three components of a voxel together (x y z x y z …, the third zero in
// 2-D), so that one 256-bit load fetches two neighbouring vectors; they end in kPackedTail zeros.
#pragma once

#include "aladdin/kernels/field.h"
#include "aladdin/kernels/winograd.h"

namespace aladdin::kernels {

constexpr std::int64_t kPackedTail = 8;
constexpr int kLnccMaps = 3, kLnccMapsBoth = 5;

// A row is one line of w voxels; rows are numbered y + h * z.
struct FastTable {
  const char* name;

  // packed = scale * planar, for `count` voxels of a field of `voxels` voxels.
  void (*pack)(const float* planar, std::int64_t voxels, int dims, float scale, float* packed,
               std::int64_t count);
  // Largest and smallest row that rows [begin, end) of the map x + u reach, both included.
  void (*reach)(const float* packed_u, const Shape&, std::int64_t begin, std::int64_t end,
                std::int64_t* lowest, std::int64_t* highest);
  // out = keep u + v(x + u) for rows [begin, end): with keep 1 a composition, with keep 0 a
  // pull-back of v. The map u and `out` are packed or planar; a planar map has a planar `out`.
  void (*compose)(const float* packed_v, const float* u, bool planar_map, float keep, float* out,
                  bool planar_out, const Shape&, std::int64_t begin, std::int64_t end);
  // The gradient through the map into `grad_u` (may be null), and the one through the field added
  // into the packed `splat`, whose first row is `splat_row`. u, g and grad_u are packed or planar.
  void (*compose_backward)(const float* packed_v, const float* u, bool planar, float keep,
                           const float* g, float* grad_u, float* splat, std::int64_t splat_row,
                           const Shape&, std::int64_t begin, std::int64_t end);

  // One item of `channels` planar channels.
  void (*warp)(const float* in, const float* u, float* out, int channels, Border, const Shape&,
               std::int64_t begin, std::int64_t end);
  // grad_u and splat may be null; splat holds `channels` planes of `splat_rows` rows from splat_row
  // on.
  void (*warp_backward)(const float* in, const float* u, const float* g, float* grad_u,
                        float* splat, std::int64_t splat_row, std::int64_t splat_rows, int channels,
                        Border, const Shape&, std::int64_t begin, std::int64_t end);
  void (*reach_planar)(const float* u, const Shape&, std::int64_t begin, std::int64_t end,
                       std::int64_t* lowest, std::int64_t* highest);

  // Sums over [0, count): (a - b)^2; with gradients factor * (a - b) and its negative.
  double (*squared_difference)(const float* a, const float* b, float* grad_a, float* grad_b,
                               float factor, std::int64_t count);
  // Sums of a and b; then, with da = a - mean_a and db = b - mean_b, of da^2, db^2, da db, da, db.
  void (*sums)(const float* a, const float* b, std::int64_t count, double* sums);
  void (*moments)(const float* a, const float* b, float mean_a, float mean_b, std::int64_t count,
                  double* moments);
  // out = p * (a - mean_a) + q * (b - mean_b) - offset
  void (*combine)(const float* a, const float* b, float p, float q, float mean_a, float mean_b,
                  float offset, float* out, std::int64_t count);

  // activation.h
  void (*activation_backward)(const float* g, const float* v, const float* b, float slope,
                              float* out, std::int64_t count);

  // Local correlation over planes [begin, end): returns the sum of cov^2 / (var var + eps). Unless
  // `maps` is null it also writes the maps of the gradient (fast/lncc.cpp), whole volumes one after
  // the other: kLnccMaps of them, or kLnccMapsBoth with both_gradients.
  double (*lncc)(const float* a, const float* b, float mean_a, float mean_b, int window,
                 float* maps, bool both_gradients, float* scratch, const Shape&, std::int64_t begin,
                 std::int64_t end);
  // grad_b is written if it is not null, from maps made with both_gradients.
  void (*lncc_gradient)(const float* a, const float* b, float mean_a, float mean_b, int window,
                        const float* maps, float factor, float* grad_a, float* grad_b,
                        float* scratch, const Shape&, std::int64_t begin, std::int64_t end);

  // One component of one item, interior rows of outer lines [begin, end); gradients are added.
  double (*bending)(const float* u, float* grad_u, const double* factors, const Shape&,
                    std::int64_t begin, std::int64_t end, float* scratch);
  void (*jacobian)(const float* u, float* det, const Shape&, std::int64_t begin, std::int64_t end,
                   float* scratch);
  void (*jacobian_backward)(const float* u, const float* grad_det, float* grad_u, const Shape&,
                            std::int64_t begin, std::int64_t end, float* scratch);

  // winograd.h: tiles [begin, end). At a place, values are (channels / lanes, tiles, lanes), and one place is
  // `place` floats after the other; weights are (out / (2 lanes), in, 2 lanes), then, if one is left, (in, lanes).
  int (*winograd_lanes)();
  void (*winograd_inputs)(const float* x, int channels, const WinogradShape&, std::int64_t begin,
                          std::int64_t end, float* u, std::int64_t place);  // B' d
  void (*winograd_product)(const float* u, const float* w, float* m, std::int64_t tiles, int in,
                           int out);  // at one place
  void (*winograd_outputs)(const float* m, std::int64_t place, const WinogradEnd&,
                           const WinogradShape&, std::int64_t begin, std::int64_t end, float* y);
  void (*winograd_gradients)(const float* g, const WinogradShape&, std::int64_t begin,
                             std::int64_t end, float* u, std::int64_t place);  // A dy
  void (*winograd_outer)(const float* u, const float* g, float* sum, std::int64_t tiles, int in,
                         int out);  // sum (in, out) += u' g, at one place
  void (*winograd_weight)(const float* w, std::int64_t out_stride, std::int64_t in_stride,
                          bool mirrored, int in, int out, int row, float* packed,
                          std::int64_t place);  // G w for one input channel
  void (*winograd_weight_back)(const float* sums, std::int64_t place, int in, int out, int row,
                               float* grad);  // G' of the sums (in, out)
};

const FastTable& fast();  // the chosen level

inline std::int64_t lncc_scratch(const Shape& s) { return 5 * s.w * s.h + 17 * s.w; }
inline std::int64_t stencil_scratch(const Shape& s) { return 12 * (s.w + 16); }

}  // namespace aladdin::kernels
