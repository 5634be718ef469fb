#include "aladdin/kernels/winograd.h"

#include <algorithm>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/buffer.h"
#include "aladdin/kernels/channel_sums.h"
#include "aladdin/kernels/fast/table.h"

namespace aladdin::kernels {
namespace {

constexpr std::int64_t kTaskFloats = 3 << 15;  // of a task in `winograd`: what a core keeps close
constexpr std::int64_t kFewestTiles = 28;      // that a weight at one place is worth reading for
constexpr std::int64_t kRoundFloats =
    1 << 20;  // of a round in winograd_by_weight: what the cores keep close
constexpr std::int64_t kPieceTiles = 64;  // of a round, that one task transforms

std::int64_t tiles_of(const WinogradShape& s) {
  return s.n * ((s.d + 1) / 2) * ((s.h + 1) / 2) * ((s.w + 1) / 2);
}

// Floats from one place to the next: an odd number of lines, or all places would share a few sets of the cache.
std::int64_t place_floats(std::int64_t channels, std::int64_t tiles) {
  const std::int64_t line = fast().winograd_lanes();
  const std::int64_t lines = channels * tiles / line;
  return (lines + (lines % 2 == 0 ? 1 : 0)) * line;
}

std::int64_t tiles_in(std::int64_t floats, const WinogradShape& s) {
  return std::max(kFewestTiles, floats / (kWinogradPlaces * (s.in + s.out)));
}

}  // namespace

bool winograd_suits(const WinogradShape& s) {
  const int lanes = fast().winograd_lanes();
  return s.block > 0 && s.block % lanes == 0 && s.in % s.block == 0 && s.out % s.block == 0 &&
         tiles_of(s) >= kFewestTiles && 2 * tiles_of(s) * 8 <= 3 * s.n * s.d * s.h * s.w;
}

void winograd_weight(const float* weight, int in, int out, bool mirrored, float* packed) {
  const std::int64_t place = static_cast<std::int64_t>(in) * out;
  const std::int64_t by_out = std::int64_t{27} * (mirrored ? 1 : in);
  const std::int64_t by_in = std::int64_t{27} * (mirrored ? out : 1);
  parallel_ranges(in, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      fast().winograd_weight(weight, by_out, by_in, mirrored, in, out, static_cast<int>(row),
                             packed, place);
  });
}

void winograd(const float* x, const float* packed_weight, const WinogradEnd& end_of, float* y,
              const WinogradShape& s) {
  // As many tasks for every thread, so that none is waited for. The cut does not show in the result: a tile's sums run over
  // the channels in their order, whichever tiles are computed with it.
  const std::int64_t tiles = tiles_of(s), most = tiles_in(kTaskFloats, s) * threads();
  const std::int64_t count = std::min(tiles, (tiles + most - 1) / most * threads());
  parallel_for(count, [&](std::int64_t task) {
    const std::int64_t begin = tiles * task / count, end = tiles * (task + 1) / count;
    const std::int64_t from = place_floats(s.in, end - begin),
                       to = place_floats(s.out, end - begin);
    const Buffer u = make_buffer(kWinogradPlaces * (from + to));
    float* const m = u.get() + kWinogradPlaces * from;
    fast().winograd_inputs(x, s.in, s, begin, end, u.get(), from);
    for (std::int64_t place = 0; place < kWinogradPlaces; ++place)
      fast().winograd_product(u.get() + place * from, packed_weight + place * s.in * s.out,
                              m + place * to, end - begin, s.in, s.out);
    fast().winograd_outputs(m, to, end_of, s, begin, end, y);
  });
}

void winograd_by_weight(const float* x, const float* grad, float* grad_weight, float* grad_bias,
                        const WinogradShape& s) {
  sum_channels(grad, grad_bias, {s.n, s.out, s.d * s.h * s.w, s.block});
  const std::int64_t tiles = tiles_of(s), pairs = static_cast<std::int64_t>(s.in) * s.out;
  const std::int64_t most = tiles_in(kRoundFloats, s), rounds = (tiles + most - 1) / most;
  const std::int64_t from = place_floats(s.in, most), to = place_floats(s.out, most);
  const Buffer sums = make_buffer(kWinogradPlaces * pairs), u = make_buffer(kWinogradPlaces * from),
               g = make_buffer(kWinogradPlaces * to);
  parallel_for(kWinogradPlaces,
               [&](std::int64_t place) { std::fill_n(sums.get() + place * pairs, pairs, 0.0F); });
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t begin = tiles * round / rounds, count = tiles * (round + 1) / rounds - begin;
    // A piece is a contiguous part of every place.
    const std::int64_t pieces = (count + kPieceTiles - 1) / kPieceTiles;
    const auto start = [&](std::int64_t piece) { return count * piece / pieces; };
    parallel_for(pieces, [&](std::int64_t piece) {
      const std::int64_t a = start(piece), b = start(piece + 1);
      fast().winograd_inputs(x, s.in, s, begin + a, begin + b, u.get() + a * s.in, from);
      fast().winograd_gradients(grad, s, begin + a, begin + b, g.get() + a * s.out, to);
    });
    parallel_for(kWinogradPlaces, [&](std::int64_t place) {
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const std::int64_t a = start(piece), b = start(piece + 1);
        fast().winograd_outer(u.get() + place * from + a * s.in, g.get() + place * to + a * s.out,
                              sums.get() + place * pairs, b - a, s.in, s.out);
      }
    });
  }
  parallel_ranges(s.in, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      fast().winograd_weight_back(sums.get(), pairs, s.in, s.out, static_cast<int>(row),
                                  grad_weight);
  });
}

}  // namespace aladdin::kernels
