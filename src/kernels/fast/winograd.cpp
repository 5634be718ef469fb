// The inner loops of winograd.h. A vector holds kLanes channels of one voxel.
#include "aladdin/kernels/fast/rows.h"

namespace aladdin::kernels::ALADDIN_SIMD {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16, kRows = 14;
#elif defined(__AVX2__)
constexpr int kLanes = 8, kRows = 6;
#else
constexpr int kLanes = 8, kRows = 2;
#endif
constexpr int kPlaces = kWinogradPlaces;

typedef float Lanes __attribute__((vector_size(4 * kLanes), aligned(4 * kLanes), may_alias));

ALADDIN_INLINE Lanes load(const float* p) { return *reinterpret_cast<const Lanes*>(p); }
ALADDIN_INLINE void store(float* p, Lanes value) { *reinterpret_cast<Lanes*>(p) = value; }

// Where the channels of one lane group start: channels lie in blocks of `block`, a multiple of kLanes.
ALADDIN_INLINE std::int64_t group_start(const WinogradShape& s, std::int64_t item, int channels,
                                        int group) {
  const int channel = group * kLanes;
  return (item * channels + channel / s.block * s.block) * s.d * s.h * s.w + channel % s.block;
}

// Calls row(item, z, y, x, count, done) for each run of tiles [begin, end) along x.
template <class Row>
ALADDIN_INLINE void for_each_run(const WinogradShape& s, std::int64_t begin, std::int64_t end,
                                 Row&& row) {
  const std::int64_t nx = (s.w + 1) / 2, ny = (s.h + 1) / 2, nz = (s.d + 1) / 2;
  for (std::int64_t tile = begin; tile < end;) {
    const std::int64_t x = tile % nx, line = tile / nx;
    const std::int64_t count = nx - x < end - tile ? nx - x : end - tile;
    row(line / ny / nz, line / ny % nz, line % ny, x, count, tile - begin);
    tile += count;
  }
}

// B' along one axis, in place.
ALADDIN_INLINE void to_places(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  const Lanes first = a - c, second = b + c, third = c - b, fourth = b - d;
  a = first;
  b = second;
  c = third;
  d = fourth;
}

// The 16 values of column x in the 4x4 rows from (z, y) on, with B' along z and y. kInside: all of them are in the
// volume; else zero outside.
template <bool kInside>
ALADDIN_INLINE void column(const float* x0, const WinogradShape& s, std::int64_t z, std::int64_t y,
                           std::int64_t x, float* out) {
  Lanes v[4][4];
  const float* const corner = x0 + ((z * s.h + y) * s.w + x) * s.block;
  const std::int64_t by_y = s.w * s.block, by_z = s.h * by_y;
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      const bool inside =
          kInside || (x >= 0 && x < s.w && z + i >= 0 && z + i < s.d && y + j >= 0 && y + j < s.h);
      v[i][j] = inside ? load(corner + i * by_z + j * by_y) : Lanes{};
    }
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) to_places(v[0][j], v[1][j], v[2][j], v[3][j]);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    to_places(v[i][0], v[i][1], v[i][2], v[i][3]);
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) store(out + (4 * i + j) * kLanes, v[i][j]);
  }
}

// sum += rows columns': one value of each row, one vector of each column.
template <int kR, int kC>
ALADDIN_INLINE void add_outer(const float* rows, std::int64_t row_stride, const float* columns,
                              std::int64_t column_stride, Lanes (&sum)[kR][kC]) {
  Lanes column[kC];
#pragma GCC unroll 2
  for (int c = 0; c < kC; ++c) column[c] = load(columns + c * column_stride);
#pragma GCC unroll 14
  for (int r = 0; r < kR; ++r)
#pragma GCC unroll 2
    for (int c = 0; c < kC; ++c) sum[r][c] += rows[r * row_stride] * column[c];
}

// kR rows and kC vectors of columns of m = u w, over all input channels.
template <int kR, int kC>
void product_block(const float* u, std::int64_t group_stride, int groups, const float* w, float* m,
                   std::int64_t m_stride) {
  Lanes sum[kR][kC];
#pragma GCC unroll 14
  for (int r = 0; r < kR; ++r)
#pragma GCC unroll 2
    for (int c = 0; c < kC; ++c) sum[r][c] = Lanes{};
  for (int group = 0; group < groups; ++group, u += group_stride)
    for (int k = 0; k < kLanes; ++k, w += kC * kLanes) add_outer(u + k, kLanes, w, kLanes, sum);
#pragma GCC unroll 14
  for (int r = 0; r < kR; ++r)
#pragma GCC unroll 2
    for (int c = 0; c < kC; ++c) store(m + c * m_stride + r * kLanes, sum[r][c]);
}

using ProductBlock = void (*)(const float*, std::int64_t, int, const float*, float*, std::int64_t);

template <int kC, int kR>
ALADDIN_INLINE ProductBlock block_of(int rows) {
  if constexpr (kR == 0) {
    return nullptr;
  } else {
    return rows == kR ? product_block<kR, kC> : block_of<kC, kR - 1>(rows);
  }
}

// m[place] = u[place] w[place], `tiles` rows.
template <int kC>
ALADDIN_INLINE void product_columns(const float* u, const float* w, float* m, std::int64_t tiles,
                                    int groups) {
  const std::int64_t pieces = (tiles + kRows - 1) / kRows;
  for (std::int64_t piece = 0; piece < pieces; ++piece) {
    const std::int64_t first = tiles * piece / pieces, last = tiles * (piece + 1) / pieces;
    block_of<kC, kRows>(static_cast<int>(last - first))(u + first * kLanes, tiles * kLanes, groups,
                                                        w, m + first * kLanes, tiles * kLanes);
  }
}

// kHeld rows and kC vectors of columns of sum += u' g, over the tiles.
constexpr int kHeld = kLanes / 2;
template <int kC>
ALADDIN_INLINE void outer_block(const float* u, const float* g, float* sum, std::int64_t tiles,
                                int out) {
  Lanes held[kHeld][kC];
#pragma GCC unroll 8
  for (int r = 0; r < kHeld; ++r)
#pragma GCC unroll 2
    for (int c = 0; c < kC; ++c) held[r][c] = load(sum + r * out + c * kLanes);
  for (std::int64_t tile = 0; tile < tiles; ++tile)
    add_outer(u + tile * kLanes, 1, g + tile * kLanes, tiles * kLanes, held);
#pragma GCC unroll 8
  for (int r = 0; r < kHeld; ++r)
#pragma GCC unroll 2
    for (int c = 0; c < kC; ++c) store(sum + r * out + c * kLanes, held[r][c]);
}

// A' along one axis.
ALADDIN_INLINE void to_outputs(Lanes a, Lanes b, Lanes c, Lanes d, Lanes& first, Lanes& second) {
  first = a + b + c;
  second = b - c - d;
}

// A along one axis.
ALADDIN_INLINE void from_outputs(Lanes first, Lanes second, Lanes* out, int stride) {
  out[0] = first;
  out[stride] = first + second;
  out[2 * stride] = first - second;
  out[3 * stride] = -second;
}

}  // namespace

int winograd_lanes() { return kLanes; }

void winograd_inputs(const float* x, int channels, const WinogradShape& s, std::int64_t begin,
                     std::int64_t end, float* u, std::int64_t place) {
  alignas(64) float ring[4][16 * kLanes];
  const std::int64_t tiles = end - begin;
  for (int group = 0; group < channels / kLanes; ++group)
    for_each_run(s, begin, end,
                 [&](std::int64_t item, std::int64_t tz, std::int64_t ty, std::int64_t tx,
                     std::int64_t count, std::int64_t done) {
                   const float* const x0 = x + group_start(s, item, channels, group);
                   const std::int64_t z = 2 * tz - 1, y = 2 * ty - 1, first = 2 * tx - 1;
                   float* out = u + (group * tiles + done) * kLanes;
                   const bool rows_inside = z >= 0 && z + 4 <= s.d && y >= 0 && y + 4 <= s.h;
                   for (std::int64_t i = 0; i < 2 * count + 2; ++i) {
                     if (rows_inside && first + i >= 0 && first + i < s.w)
                       column<true>(x0, s, z, y, first + i, ring[i & 3]);
                     else
                       column<false>(x0, s, z, y, first + i, ring[i & 3]);
                     if (i < 3 || (i & 1) == 0) continue;
                     const float* const c[4] = {ring[(i + 1) & 3], ring[(i + 2) & 3],
                                                ring[(i + 3) & 3], ring[i & 3]};
                     for (int zy = 0; zy < 16; ++zy) {
                       Lanes v[4];
#pragma GCC unroll 4
                       for (int k = 0; k < 4; ++k) v[k] = load(c[k] + zy * kLanes);
                       to_places(v[0], v[1], v[2], v[3]);
#pragma GCC unroll 4
                       for (int k = 0; k < 4; ++k) store(out + (4 * zy + k) * place, v[k]);
                     }
                     out += kLanes;
                   }
                 });
}

void winograd_product(const float* u, const float* w, float* m, std::int64_t tiles, int in,
                      int out) {
  const int groups = in / kLanes;
  int column = 0;
  for (; column + 2 * kLanes <= out; column += 2 * kLanes)
    product_columns<2>(u, w + column * in, m + column * tiles, tiles, groups);
  if (column < out) product_columns<1>(u, w + column * in, m + column * tiles, tiles, groups);
}

void winograd_outputs(const float* m, std::int64_t place, const WinogradEnd& end_of,
                      const WinogradShape& s, std::int64_t begin, std::int64_t end, float* y) {
  const std::int64_t tiles = end - begin;
  for (int group = 0; group < s.out / kLanes; ++group) {
    Lanes bias{};
    if (end_of.bias) __builtin_memcpy(&bias, end_of.bias + group * kLanes, sizeof bias);
    for_each_run(s, begin, end,
                 [&](std::int64_t item, std::int64_t tz, std::int64_t ty, std::int64_t tx,
                     std::int64_t count, std::int64_t done) {
                   const std::int64_t start = group_start(s, item, s.out, group);
                   for (std::int64_t i = 0; i < count; ++i) {
                     const float* const from = m + (group * tiles + done + i) * kLanes;
                     Lanes planes[4][2][2];
#pragma GCC unroll 4
                     for (int zf = 0; zf < 4; ++zf) {
                       Lanes rows[4][2];
#pragma GCC unroll 4
                       for (int yf = 0; yf < 4; ++yf) {
                         const float* const p = from + (16 * zf + 4 * yf) * place;
                         to_outputs(load(p), load(p + place), load(p + 2 * place),
                                    load(p + 3 * place), rows[yf][0], rows[yf][1]);
                       }
#pragma GCC unroll 2
                       for (int k = 0; k < 2; ++k)
                         to_outputs(rows[0][k], rows[1][k], rows[2][k], rows[3][k],
                                    planes[zf][0][k], planes[zf][1][k]);
                     }
#pragma GCC unroll 2
                     for (int j = 0; j < 2; ++j)
#pragma GCC unroll 2
                       for (int k = 0; k < 2; ++k) {
                         Lanes out[2];
                         to_outputs(planes[0][j][k], planes[1][j][k], planes[2][j][k],
                                    planes[3][j][k], out[0], out[1]);
                         const std::int64_t yy = 2 * ty + j, xx = 2 * (tx + i) + k;
                         if (yy >= s.h || xx >= s.w) continue;
#pragma GCC unroll 2
                         for (int l = 0; l < 2; ++l) {
                           const std::int64_t zz = 2 * tz + l;
                           if (zz >= s.d) continue;
                           const std::int64_t at = start + ((zz * s.h + yy) * s.w + xx) * s.block;
                           Lanes value = out[l] + bias;
                           value = value > 0.0F ? value : end_of.slope * value;
                           if (end_of.residual) value += load(end_of.residual + at);
                           store(y + at, value);
                         }
                       }
                   }
                 });
  }
}

void winograd_gradients(const float* g, const WinogradShape& s, std::int64_t begin,
                        std::int64_t end, float* u, std::int64_t place) {
  const std::int64_t tiles = end - begin;
  for (int group = 0; group < s.out / kLanes; ++group)
    for_each_run(
        s, begin, end,
        [&](std::int64_t item, std::int64_t tz, std::int64_t ty, std::int64_t tx,
            std::int64_t count, std::int64_t done) {
          const float* const g0 = g + group_start(s, item, s.out, group);
          for (std::int64_t i = 0; i < count; ++i) {
            float* const out = u + (group * tiles + done + i) * kLanes;
            Lanes planes[2][16];  // (z, y places x places)
#pragma GCC unroll 2
            for (int l = 0; l < 2; ++l) {
              Lanes rows[2][4];
#pragma GCC unroll 2
              for (int j = 0; j < 2; ++j) {
                Lanes v[2];
#pragma GCC unroll 2
                for (int k = 0; k < 2; ++k) {
                  const std::int64_t zz = 2 * tz + l, yy = 2 * ty + j, xx = 2 * (tx + i) + k;
                  const bool inside = zz < s.d && yy < s.h && xx < s.w;
                  v[k] = inside ? load(g0 + ((zz * s.h + yy) * s.w + xx) * s.block) : Lanes{};
                }
                from_outputs(v[0], v[1], rows[j], 1);
              }
#pragma GCC unroll 4
              for (int k = 0; k < 4; ++k) from_outputs(rows[0][k], rows[1][k], planes[l] + k, 4);
            }
#pragma GCC unroll 16
            for (int yx = 0; yx < 16; ++yx) {
              Lanes v[4];
              from_outputs(planes[0][yx], planes[1][yx], v, 1);
#pragma GCC unroll 4
              for (int k = 0; k < 4; ++k) store(out + (16 * k + yx) * place, v[k]);
            }
          }
        });
}

void winograd_outer(const float* u, const float* g, float* sum, std::int64_t tiles, int in,
                    int out) {
  for (int row = 0; row < in; row += kHeld) {
    const float* const a = u + row / kLanes * tiles * kLanes + row % kLanes;
    float* const to = sum + row * out;
    int column = 0;
    for (; column + 2 * kLanes <= out; column += 2 * kLanes)
      outer_block<2>(a, g + column * tiles, to + column, tiles, out);
    if (column < out) outer_block<1>(a, g + column * tiles, to + column, tiles, out);
  }
}

// G w for kLanes outputs at a time. Strides are those of the (out, in, 3, 3, 3) weight, or of its mirror.
void winograd_weight(const float* w, std::int64_t out_stride, std::int64_t in_stride, bool mirrored,
                     int in, int out, int row, float* packed, std::int64_t place) {
  const auto expand = [](Lanes* v, int stride) {
    const Lanes first = v[0], middle = v[stride], last = v[2 * stride];
    v[stride] = 0.5F * (first + last + middle);
    v[2 * stride] = 0.5F * (first + last - middle);
    v[3 * stride] = last;
  };
  for (int column = 0; column < out; column += kLanes) {
    Lanes v[kPlaces];
    for (int tap = 0; tap < 27; ++tap) {
      const float* const from =
          w + row * in_stride + column * out_stride + (mirrored ? 26 - tap : tap);
      Lanes& to = v[tap / 9 * 16 + tap / 3 % 3 * 4 + tap % 3];
      for (int lane = 0; lane < kLanes; ++lane) to[lane] = from[lane * out_stride];
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) expand(v + 16 * i + 4 * j, 1);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 4; ++k) expand(v + 16 * i + k, 4);
    for (int jk = 0; jk < 16; ++jk) expand(v + jk, 16);
    // Columns in pairs: the rows of a pair lie together (winograd_product).
    const int pair = column / (2 * kLanes) * (2 * kLanes);
    const bool alone = pair + kLanes == out;
    float* const to =
        packed + pair * in + (alone ? row * kLanes : 2 * row * kLanes + (column - pair));
    for (int i = 0; i < kPlaces; ++i) store(to + i * place, v[i]);
  }
}

void winograd_weight_back(const float* sums, std::int64_t place, int in, int out, int row,
                          float* grad) {
  const auto shrink = [](Lanes* v, int stride) {
    const Lanes half = 0.5F * (v[stride] + v[2 * stride]);
    v[stride] = 0.5F * (v[stride] - v[2 * stride]);
    v[0] += half;
    v[2 * stride] = half + v[3 * stride];
  };
  for (int column = 0; column < out; column += kLanes) {
    Lanes v[kPlaces];
    for (int i = 0; i < kPlaces; ++i) v[i] = load(sums + i * place + row * out + column);
    for (int jk = 0; jk < 16; ++jk) shrink(v + jk, 16);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 4; ++k) shrink(v + 16 * i + k, 4);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) shrink(v + 16 * i + 4 * j, 1);
    for (int lane = 0; lane < kLanes; ++lane) {
      float* const to = grad + (static_cast<std::int64_t>(column + lane) * in + row) * 27;
      for (int tap = 0; tap < 27; ++tap)
        to[tap] = v[tap / 9 * 16 + tap / 3 % 3 * 4 + tap % 3][lane];
    }
  }
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
