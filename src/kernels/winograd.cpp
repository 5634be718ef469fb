#include "aladdin/kernels/winograd.h"

#include <algorithm>
#include <vector>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/fast/table.h"

namespace aladdin::kernels {
namespace {

constexpr std::int64_t kTileFloats = 3 << 15;  // of a task in `winograd`: what a core keeps close
constexpr std::int64_t kFewestTiles = 28;
constexpr std::int64_t kBatchFloats = 1 << 20;  // of one round of winograd_by_weight

std::int64_t tiles_of(const WinogradShape& s) {
  return s.n * ((s.d + 1) / 2) * ((s.h + 1) / 2) * ((s.w + 1) / 2);
}

// Floats from one place to the next: an odd number of lines, or all places would share a few sets of the cache.
std::int64_t place_floats(std::int64_t channels, std::int64_t tiles) {
  const std::int64_t line = fast().winograd_lanes();
  const std::int64_t lines = channels * tiles / line;
  return (lines + (lines % 2 == 0 ? 1 : 0)) * line;
}

}  // namespace

bool winograd_suits(const WinogradShape& s) {
  const int lanes = fast().winograd_lanes();
  return s.block > 0 && s.block % lanes == 0 && s.in % s.block == 0 && s.out % s.block == 0 &&
         2 * tiles_of(s) * 8 <= 3 * s.n * s.d * s.h * s.w;
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
  Buffer bias = make_buffer(s.out);  // aligned
  std::fill_n(bias.get(), s.out, 0.0F);
  if (end_of.bias) std::copy_n(end_of.bias, s.out, bias.get());
  const WinogradEnd aligned{bias.get(), end_of.slope, end_of.residual};
  const std::int64_t tiles = tiles_of(s);
  const std::int64_t most =
      std::max(kFewestTiles, kTileFloats / (kWinogradPlaces * (s.in + s.out)));
  // As many tasks for every thread: the last ones are not waited for.
  const std::int64_t workers = threads();
  const std::int64_t count =
      std::min(tiles, (tiles + most * workers - 1) / (most * workers) * workers);
  parallel_for(count, [&](std::int64_t task) {
    const std::int64_t begin = tiles * task / count, end = tiles * (task + 1) / count;
    const std::int64_t from = place_floats(s.in, end - begin),
                       to = place_floats(s.out, end - begin);
    const Buffer u = make_buffer(kWinogradPlaces * from), m = make_buffer(kWinogradPlaces * to);
    fast().winograd_inputs(x, s.in, s, begin, end, u.get(), from);
    for (std::int64_t place = 0; place < kWinogradPlaces; ++place)
      fast().winograd_product(u.get() + place * from, packed_weight + place * s.in * s.out,
                              m.get() + place * to, end - begin, s.in, s.out);
    fast().winograd_outputs(m.get(), to, aligned, s, begin, end, y);
  });
}

void winograd_by_weight(const float* x, const float* grad, float* grad_weight,
                        const WinogradShape& s) {
  const std::int64_t tiles = tiles_of(s), pairs = static_cast<std::int64_t>(s.in) * s.out;
  const std::int64_t most =
      std::max(kFewestTiles, kBatchFloats / (kWinogradPlaces * (s.in + s.out)));
  const std::int64_t rounds = (tiles + most - 1) / most;
  const Buffer sums = make_buffer(kWinogradPlaces * pairs);
  Buffer u = make_buffer(kWinogradPlaces * place_floats(s.in, most));
  Buffer g = make_buffer(kWinogradPlaces * place_floats(s.out, most));
  parallel_for(kWinogradPlaces,
               [&](std::int64_t place) { std::fill_n(sums.get() + place * pairs, pairs, 0.0F); });
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t begin = tiles * round / rounds, end = tiles * (round + 1) / rounds;
    // Pieces of at most 64 tiles, each a contiguous part of every place.
    constexpr std::int64_t kPiece = 64;
    const std::int64_t pieces = (end - begin + kPiece - 1) / kPiece;
    const auto first = [&](std::int64_t piece) { return begin + (end - begin) * piece / pieces; };
    const std::int64_t from = place_floats(s.in, most), to = place_floats(s.out, most);
    parallel_for(pieces, [&](std::int64_t piece) {
      const std::int64_t a = first(piece), b = first(piece + 1);
      fast().winograd_inputs(x, s.in, s, a, b, u.get() + (a - begin) * s.in, from);
      fast().winograd_gradients(grad, s, a, b, g.get() + (a - begin) * s.out, to);
    });
    parallel_for(kWinogradPlaces, [&](std::int64_t place) {
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const std::int64_t a = first(piece), b = first(piece + 1);
        fast().winograd_outer(u.get() + place * from + (a - begin) * s.in,
                              g.get() + place * to + (a - begin) * s.out,
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
