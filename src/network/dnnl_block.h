// Inside this folder only: memory of oneDNN in the layout of its choice.
#pragma once

#include <unordered_map>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/buffer.h"
#include "aladdin/network/dnnl_layer.h"

namespace aladdin {

struct Bytes {
  std::size_t count = 0;
};

// Memory of our own behind a oneDNN description, or a view of somebody else's.
struct Block {
  kernels::Buffer owned;
  dnnl::memory view;

  Block() = default;
  explicit Block(const dnnl::memory::desc& desc)
      : owned(kernels::make_buffer(static_cast<std::int64_t>(desc.get_size() / sizeof(float)))),
        view(desc, dnnl_engine(), owned.get()) {}
  // What is no array of floats.
  Block(const dnnl::memory::desc& desc, Bytes bytes)
      : owned(kernels::make_buffer(
            static_cast<std::int64_t>((bytes.count + sizeof(float) - 1) / sizeof(float)))),
        view(desc, dnnl_engine(), owned.get()) {}
  // oneDNN knows no const; what is only read stays as it is.
  Block(const dnnl::memory::desc& desc, const float* values)
      : view(desc, dnnl_engine(), const_cast<float*>(values)) {}

  explicit operator bool() const { return static_cast<bool>(view); }
  dnnl::memory::desc desc() const { return view.get_desc(); }
  float* data() const { return static_cast<float*>(view.get_data_handle()); }
  std::int64_t floats() const {
    return static_cast<std::int64_t>(view.get_desc().get_size() / sizeof(float));
  }
};

// On all threads: for what gives the same bits on any number of them.
inline void execute(const dnnl::primitive& primitive,
                    const std::unordered_map<int, dnnl::memory>& arguments) {
  const LibraryThreads all(threads());
  primitive.execute(dnnl_stream(), arguments);
}

inline void reorder(const dnnl::memory& from, const dnnl::memory& to) {
  const LibraryThreads all(threads());
  dnnl::reorder(from, to).execute(dnnl_stream(), const_cast<dnnl::memory&>(from),
                                  const_cast<dnnl::memory&>(to));
}

inline const float* floats_of(const dnnl::memory& memory) {
  return static_cast<const float*>(memory.get_data_handle());
}

// `block` in the layout `desc`; a copy only where the layouts differ.
struct InLayout {
  Block copy;
  dnnl::memory view;
  InLayout() = default;
  InLayout(const dnnl::memory& block, const dnnl::memory::desc& desc) : view(block) {
    if (block.get_desc() == desc) return;
    copy = Block(desc);
    reorder(block, copy.view);
    view = copy.view;
  }
};

// Row-major (n, channels, [d,] h, w).
inline dnnl::memory::desc plain_desc(const std::vector<std::int64_t>& size) {
  dnnl::memory::dims strides(size.size(), 1);
  for (std::size_t i = size.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * size[i];
  return {dnnl::memory::dims(size.begin(), size.end()), dnnl::memory::data_type::f32, strides};
}

// A description of nothing has none.
inline Block scratch_of(const dnnl::memory::desc& desc) {
  if (desc.get_size() == 0) return {};
  return Block(desc, Bytes{desc.get_size()});
}

inline std::vector<std::int64_t> size_of(const Block& block) {
  const auto dims = block.desc().dims();
  return {dims.begin(), dims.end()};
}

// A weight, as UnetLayer has it, packed for the layer.
Block packed_weight(const ForwardLayer& made, const float* weight);
// The layer applied to x, with a packed weight (made.weight) and its bias; plus the residual, if any.
Block run_layer(const ForwardLayer& made, const dnnl::memory& x, const dnnl::memory& weight,
                const float* bias, const Block* residual = nullptr);
// Channels of a, then of b.
Block join_channels(const Block& a, const Block& b);
// to += from, of the same layout.
void add_to(const dnnl::memory& from, Block& to);

}  // namespace aladdin
