// Inside this folder only: the gradient of a convolution's weight, by oneDNN.
//
//   dW(o, i, k) = sum over items n and voxels x of g(n, o, x) s(n, i, stride x + k - pad)
//
// oneDNN cuts this sum by the number of threads, and its bits with it. Here it is cut by shape alone: into groups of
// channels, items, and slabs of the outermost axis. A primitive made for one thread takes each piece, and the pieces are
// added in their order, so the bits are the same for any number of threads.
#pragma once

#include <map>

#include "aladdin/network/dnnl_layer.h"

namespace aladdin {

class WeightGradient {
 public:
  struct Shape {
    std::vector<std::int64_t> source, target;  // (n, channels, [d,] h, w)
    std::int64_t kernel = 3, stride = 1, pad = 1;
    int source_block = 0, target_block = 0;  // channels that lie together; 0: row-major
  };

  explicit WeightGradient(const Shape& shape);

  // The layouts that it wants.
  dnnl::memory::desc source() const;
  dnnl::memory::desc target() const;

  // To the weight (out, in, kernel…), row-major, overwritten.
  void operator()(const float* source, const float* target, float* weight) const;

 private:
  // What a piece is computed from: channels and rows of the outermost axis.
  struct Piece {
    std::int64_t in, out, source_rows, target_rows, before, after;  // the last two: rows of padding
    auto operator<=>(const Piece&) const = default;
  };
  struct Made {
    dnnl::memory::desc source, target, weight, scratch;
    dnnl::primitive run;
  };
  struct Range {
    std::int64_t begin, end;
    std::int64_t size() const { return end - begin; }
  };

  void cut();
  bool make_all();  // false: oneDNN has nothing but its reference for these layouts
  Made make(const Piece& piece, const dnnl::memory::desc& weight) const;
  Piece piece(std::int64_t in, std::int64_t out, std::int64_t slab) const;
  Range in_channels(std::int64_t group) const;
  Range out_channels(std::int64_t group) const;
  Range target_rows(std::int64_t slab) const;
  Range source_rows(std::int64_t slab) const;
  std::int64_t weight_taps() const;
  void run(const Made& made, const float* source, const float* target, std::int64_t in,
           std::int64_t out, std::int64_t unit, float* weight) const;

  Shape shape_;
  // Groups of channels, slabs of an item, and parts that the slabs of all items are summed in.
  std::int64_t in_unit_ = 1, out_unit_ = 1, in_groups_ = 1, out_groups_ = 1, slabs_ = 1, parts_ = 1;
  std::map<Piece, Made> made_;
};

// The number of channels that lie together in a layout that blocks channels only, the last block full or not; else 0.
int padded_block(const dnnl::memory::desc& desc);

}  // namespace aladdin
