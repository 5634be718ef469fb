#include <algorithm>
#include <vector>

#include "aladdin/kernels/pyramid.h"

namespace aladdin::kernels::reference {
namespace {

// One axis after another: lines of `length` values, `step` apart, `before` * step of them.
struct Lines {
  std::int64_t step = 1, length = 1, before = 1;
};

template <class T>
T at(const T* line, std::int64_t i, const Lines& lines) {
  return line[std::clamp<std::int64_t>(i, 0, lines.length - 1) * lines.step];
}

// Calls body(line of a, line of b) for every line of two volumes that differ along one axis only.
template <class A, class B, class Body>
void each_line(A* a, const Lines& la, B* b, const Lines& lb, const Body& body) {
  for (std::int64_t n = 0; n < la.before; ++n)
    for (std::int64_t s = 0; s < la.step; ++s)
      body(a + n * la.step * la.length + s, b + n * lb.step * lb.length + s);
}

// The lines along `axis` when the axes before it (x first) are of the size `done` and those after it of
// the size `todo`.
Lines lines_of(const std::int64_t (&done)[3], const std::int64_t (&todo)[3], int axis,
               std::int64_t length, std::int64_t planes) {
  Lines lines{1, length, planes};
  for (int a = 0; a < axis; ++a) lines.step *= done[a];
  for (int a = axis + 1; a < 3; ++a) lines.before *= todo[a];
  return lines;
}

// Applies body along x, y and z, from a grid `from` to a grid `to`.
template <class T, class Body>
void along_all(const T* in, T* out, const Shape& from, const Shape& to, std::int64_t planes,
               const Body& body) {
  const std::int64_t old_size[3] = {from.w, from.h, from.d}, new_size[3] = {to.w, to.h, to.d};
  std::vector<T> now(in, in + planes * from.voxels());
  for (int axis = 0; axis < 3; ++axis) {
    const Lines a = lines_of(new_size, old_size, axis, old_size[axis], planes),
                b = lines_of(new_size, old_size, axis, new_size[axis], planes);
    std::vector<T> next(static_cast<std::size_t>(b.step * b.length * b.before), T{0});
    each_line(now.data(), a, next.data(), b, [&](const T* p, T* q) { body(p, a, q, b); });
    now.swap(next);
  }
  std::copy(now.begin(), now.end(), out);
}

}  // namespace

template <class T>
void reduce(const T* in, T* out, const Shape& fine, int channels) {
  along_all(in, out, fine, half(fine), fine.n * channels,
            [](const T* p, const Lines& a, T* q, const Lines& b) {
              for (std::int64_t i = 0; i < b.length; ++i)
                q[i * b.step] =
                    (at(p, 2 * i - 1, a) + 2 * at(p, 2 * i, a) + at(p, 2 * i + 1, a)) / 4;
            });
}

template <class T>
void refine(const T* in, T* out, const Shape& fine) {
  along_all(in, out, half(fine), fine, fine.n * fine.dims,
            [](const T* p, const Lines& a, T* q, const Lines& b) {
              for (std::int64_t i = 0; i < b.length; ++i)
                q[i * b.step] = (at(p, i / 2, a) + at(p, (i + 1) / 2, a)) / 2;
            });
  for (std::int64_t i = 0; i < fine.n * fine.dims * fine.voxels(); ++i) out[i] *= 2;
}

template <class T>
void refine_backward(const T* grad_out, T* grad_in, const Shape& fine) {
  const Shape coarse = half(fine);
  along_all(grad_out, grad_in, fine, coarse, fine.n * fine.dims,
            [](const T* p, const Lines& a, T* q, const Lines& b) {
              for (std::int64_t i = 0; i < a.length; ++i) {
                q[i / 2 * b.step] += p[i * a.step] / 2;
                q[std::min((i + 1) / 2, b.length - 1) * b.step] += p[i * a.step] / 2;
              }
            });
  for (std::int64_t i = 0; i < fine.n * fine.dims * coarse.voxels(); ++i) grad_in[i] *= 2;
}

template void reduce(const float*, float*, const Shape&, int);
template void reduce(const double*, double*, const Shape&, int);
template void refine(const float*, float*, const Shape&);
template void refine(const double*, double*, const Shape&);
template void refine_backward(const float*, float*, const Shape&);
template void refine_backward(const double*, double*, const Shape&);

}  // namespace aladdin::kernels::reference
