// Short vectors through GCC's vector extension: one source for every SIMD level.
#pragma once

// The pointers of a loop never overlap; the compiler cannot see it.
#define ALADDIN_IVDEP _Pragma("GCC ivdep")
#define ALADDIN_INLINE static inline __attribute__((always_inline))
#define ALADDIN_INLINE_MEMBER __attribute__((always_inline))

namespace aladdin::kernels::ALADDIN_SIMD {

typedef float Float4 __attribute__((vector_size(16)));
typedef float Float8 __attribute__((vector_size(32)));
typedef int Int4 __attribute__((vector_size(16)));
typedef int Int8 __attribute__((vector_size(32)));
typedef float LooseFloat2 __attribute__((vector_size(8), aligned(4), may_alias));
typedef float LooseFloat4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float LooseFloat8 __attribute__((vector_size(32), aligned(4), may_alias));

ALADDIN_INLINE Float8 load8(const float* p) { return *reinterpret_cast<const LooseFloat8*>(p); }
ALADDIN_INLINE void add8(float* p, Float8 value) { *reinterpret_cast<LooseFloat8*>(p) += value; }
ALADDIN_INLINE void store4(float* p, Float4 value) { *reinterpret_cast<LooseFloat4*>(p) = value; }

ALADDIN_INLINE Float4 low4(Float8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
ALADDIN_INLINE Float4 high4(Float8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

// (sum of x, sum of y, sum of z, sum of z)
ALADDIN_INLINE Float4 sums_of(Float8 x, Float8 y, Float8 z) {
  const Float4 x4 = low4(x) + high4(x), y4 = low4(y) + high4(y), z4 = low4(z) + high4(z);
  const Float4 xy =
      __builtin_shufflevector(x4, y4, 0, 1, 4, 5) + __builtin_shufflevector(x4, y4, 2, 3, 6, 7);
  const Float4 zz =
      __builtin_shufflevector(z4, z4, 0, 1, 4, 5) + __builtin_shufflevector(z4, z4, 2, 3, 6, 7);
  return __builtin_shufflevector(xy, zz, 0, 2, 4, 6) + __builtin_shufflevector(xy, zz, 1, 3, 5, 7);
}

// lanes 0 1 2 of v plus its lanes 3 4 5
ALADDIN_INLINE Float4 fold3(Float8 v) {
  return low4(v) + __builtin_shufflevector(v, v, 3, 4, 5, 5);
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
