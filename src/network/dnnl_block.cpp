#include "aladdin/network/dnnl_block.h"

#include <algorithm>
#include <unordered_map>

#include "aladdin/core/parallel.h"

namespace aladdin {
namespace {

constexpr std::int64_t kRange = 65536;  // floats a task, where little is done with each

// product (n, channels x taps, d, h, w) to target (n, channels, 2d, 2h, 2w), both with blocked
// channels; the taps run fastest, along z, y, x.
void spread(const Block& product, const Block& target, int taps) {
  const auto from = product.desc().dims(), to = target.desc().dims();
  const auto block = product.desc().data.format_desc.blocking.inner_blks[0];
  const bool flat = from.size() == 4;
  const std::int64_t d = flat ? 1 : from[2], h = from[from.size() - 2], w = from.back();
  const std::int64_t groups = to[1] / block, together = block / taps;  // channels in a block
  const std::int64_t voxels = d * h * w;
  parallel_ranges(from[0] * groups * d * h, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t y = row % h, z = row / h % d, group = row / (h * d);
      for (int tap = 0; tap < taps; ++tap) {
        const std::int64_t tz = flat ? 0 : tap >> 2, ty = tap >> 1 & 1, tx = tap & 1;
        const std::int64_t depth = flat ? 1 : 2 * d;
        float* out =
            target.data() +
            (((group * depth + (flat ? 0 : 2 * z + tz)) * 2 * h + 2 * y + ty) * 2 * w + tx) * block;
        for (std::int64_t x = 0; x < w; ++x, out += 2 * block)
          for (std::int64_t part = 0; part < taps; ++part) {
            const float* in = product.data() +
                              ((group * taps + part) * voxels + (z * h + y) * w + x) * block + tap;
            for (std::int64_t c = 0; c < together; ++c) out[part * together + c] = in[c * taps];
          }
      }
    }
  });
}

void copy_floats(const float* from, float* to, std::int64_t count) {
  parallel_ranges(count, kRange, [=](std::int64_t begin, std::int64_t end) {
    std::copy(from + begin, from + end, to + begin);
  });
}

}  // namespace

Block packed_weight(const ForwardLayer& made, const float* weight) {
  Block out(made.weight);
  if (made.winograd)
    kernels::winograd_weight(weight, made.winograd->shape.in, made.winograd->shape.out, false,
                             out.data());
  else
    reorder(Block(made.weight_plain, weight).view, out.view);
  return out;
}

Block run_layer(const ForwardLayer& made, const dnnl::memory& x, const dnnl::memory& weight,
                const float* bias, const Block* residual) {
  const InLayout source(x, made.source);
  InLayout added;
  if (residual) added = InLayout(residual->view, made.target);
  if (made.winograd) {
    Block out(made.target);
    kernels::winograd(floats_of(source.view), floats_of(weight),
                      {bias, made.winograd->slope, residual ? floats_of(added.view) : nullptr},
                      out.data(), made.winograd->shape);
    return out;
  }
  Block out(made.taps ? made.product : made.target);
  std::vector<float> repeated;
  if (made.taps) {
    repeated.resize(static_cast<std::size_t>(made.bias.dims()[0]));
    for (std::size_t i = 0; i < repeated.size(); ++i) repeated[i] = bias[i / made.taps];
  }
  const Block bias_view(made.bias, made.taps ? repeated.data() : bias);
  std::unordered_map<int, dnnl::memory> arguments{{DNNL_ARG_SRC, source.view},
                                                  {DNNL_ARG_WEIGHTS, weight},
                                                  {DNNL_ARG_BIAS, bias_view.view},
                                                  {DNNL_ARG_DST, out.view}};
  const Block scratch = scratch_of(made.scratch);
  arguments[DNNL_ARG_SCRATCHPAD] = scratch.view;
  if (made.adds)
    arguments[DNNL_ARG_ATTR_MULTIPLE_POST_OP(made.adds_at) | DNNL_ARG_SRC_1] = added.view;
  execute(made.run, arguments);
  if (residual && !made.adds) add_to(added.view, out);
  if (!made.taps) return out;
  Block target(made.target);
  spread(out, target, made.taps);
  return target;
}

Block join_channels(const Block& a, const Block& b) {
  if (const int block = channel_block(a.desc()); block > 0 && block == channel_block(b.desc())) {
    auto size = a.desc().dims();
    size[1] += b.desc().dims()[1];
    Block out(blocked_desc(size, block));
    const std::int64_t n = size[0], first = a.floats() / n, second = b.floats() / n;
    for (std::int64_t item = 0; item < n; ++item) {
      float* const to = out.data() + item * (first + second);
      copy_floats(a.data() + item * first, to, first);
      copy_floats(b.data() + item * second, to + first, second);
    }
    return out;
  }
  const std::vector<dnnl::memory::desc> parts{a.desc(), b.desc()};
  const dnnl::concat::primitive_desc description(1, parts, dnnl_engine());
  Block out(description.dst_desc());
  execute(dnnl::concat(description), {{DNNL_ARG_MULTIPLE_SRC, a.view},
                                      {DNNL_ARG_MULTIPLE_SRC + 1, b.view},
                                      {DNNL_ARG_DST, out.view}});
  return out;
}

void add_to(const dnnl::memory& from, Block& to) {
  const float* p = floats_of(from);
  float* q = to.data();
  parallel_ranges(to.floats(), kRange, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) q[i] += p[i];
  });
}

}  // namespace aladdin
