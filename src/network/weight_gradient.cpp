#include "aladdin/network/weight_gradient.h"

#include <algorithm>
#include <cstring>

#include "aladdin/core/parallel.h"
#include "aladdin/network/dnnl_block.h"

namespace aladdin {
namespace {

using dnnl::memory;
using Size = std::vector<std::int64_t>;

constexpr std::int64_t kTasks = 16;           // that a sum is cut into, where it is large enough
constexpr std::int64_t kFewestRows = 4;       // of a slab, whose margins are read twice
constexpr std::int64_t kFewestVoxels = 2048;  // of a slab, to be worth a call
constexpr std::int64_t kUnit = 16;            // channels that are not cut further, row-major

std::int64_t divided(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t voxels_of(const Size& size, std::size_t first = 2) {
  std::int64_t out = 1;
  for (std::size_t a = first; a < size.size(); ++a) out *= size[a];
  return out;
}

memory::desc described(const Size& size, int block) {
  return block > 0 ? blocked_desc({size.begin(), size.end()}, block) : plain_desc(size);
}

// Channels and rows of one item of `values`: where they are if they lie together, else copied there.
const float* gathered(const float* values, const Size& size, int block, std::int64_t item,
                      std::int64_t first_channel, std::int64_t channels, std::int64_t first_row,
                      std::int64_t rows, kernels::Buffer& copy) {
  const std::int64_t together = std::max(1, block), groups = divided(size[1], together);
  const std::int64_t row = voxels_of(size, 3) * together, plane = size[2] * row;
  const float* from = values + (item * groups + first_channel / together) * plane + first_row * row;
  const std::int64_t planes = divided(channels, together);
  if (planes == 1 || rows == size[2]) return from;
  copy = kernels::make_buffer(planes * rows * row);
  for (std::int64_t p = 0; p < planes; ++p)
    std::copy_n(from + p * plane, rows * row, copy.get() + p * rows * row);
  return copy.get();
}

}  // namespace

int padded_block(const memory::desc& desc) {
  const auto& blocking = desc.data.format_desc.blocking;
  if (desc.data.format_kind != dnnl_blocked || blocking.inner_nblks != 1) return 0;
  const auto block = static_cast<int>(blocking.inner_blks[0]);
  const bool known = blocking.inner_idxs[0] == 1 && (block == 8 || block == 16);
  return known && desc == blocked_desc(desc.dims(), block) ? block : 0;
}

WeightGradient::WeightGradient(const Shape& shape) : shape_(shape) {
  cut();
  if (make_all()) return;
  // On a few voxels oneDNN has nothing for its blocked layouts but a reference a thousand times too slow; row-major it
  // takes the matrix product.
  shape_.source_block = shape_.target_block = 0;
  cut();
  make_all();
}

memory::desc WeightGradient::source() const {
  return described(shape_.source, shape_.source_block);
}
memory::desc WeightGradient::target() const {
  return described(shape_.target, shape_.target_block);
}

void WeightGradient::cut() {
  const auto unit = [](std::int64_t channels, int block) {
    return block > 0 ? block : channels % kUnit == 0 ? kUnit : channels;
  };
  in_unit_ = unit(shape_.source[1], shape_.source_block);
  out_unit_ = unit(shape_.target[1], shape_.target_block);
  const std::int64_t ins = divided(shape_.source[1], in_unit_);
  const std::int64_t outs = divided(shape_.target[1], out_unit_);
  // Few groups are as wide as they can be: each reads the other side again. Row-major, where oneDNN takes a matrix product
  // of every neighbourhood of the source, each group of the target would unfold it again.
  const bool unfolds = shape_.source_block == 0 && shape_.target_block == 0;
  out_groups_ = unfolds                ? 1
                : ins * outs <= kTasks ? outs
                                       : std::min(outs, std::max<std::int64_t>(4, kTasks / ins));
  in_groups_ = std::min(ins, divided(kTasks, out_groups_));
  const std::int64_t pairs = in_groups_ * out_groups_, items = shape_.target[0];
  const std::int64_t most =
      std::min(shape_.target[2] / kFewestRows, voxels_of(shape_.target) / kFewestVoxels);
  slabs_ =
      std::clamp<std::int64_t>(divided(kTasks, pairs * items), 1, std::max<std::int64_t>(1, most));
  parts_ = std::min(items * slabs_, divided(kTasks, pairs));
}

WeightGradient::Range WeightGradient::in_channels(std::int64_t group) const {
  const std::int64_t units = divided(shape_.source[1], in_unit_);
  return {units * group / in_groups_ * in_unit_,
          std::min(shape_.source[1], units * (group + 1) / in_groups_ * in_unit_)};
}

WeightGradient::Range WeightGradient::out_channels(std::int64_t group) const {
  const std::int64_t units = divided(shape_.target[1], out_unit_);
  return {units * group / out_groups_ * out_unit_,
          std::min(shape_.target[1], units * (group + 1) / out_groups_ * out_unit_)};
}

WeightGradient::Range WeightGradient::target_rows(std::int64_t slab) const {
  return {shape_.target[2] * slab / slabs_, shape_.target[2] * (slab + 1) / slabs_};
}

// Those that the rows of the target look at and that there are.
WeightGradient::Range WeightGradient::source_rows(std::int64_t slab) const {
  const Range rows = target_rows(slab);
  return {std::max<std::int64_t>(0, rows.begin * shape_.stride - shape_.pad),
          std::min(shape_.source[2], (rows.end - 1) * shape_.stride - shape_.pad + shape_.kernel)};
}

WeightGradient::Piece WeightGradient::piece(std::int64_t in, std::int64_t out,
                                            std::int64_t slab) const {
  const Range rows = target_rows(slab), from = source_rows(slab);
  return {in_channels(in).size(),
          out_channels(out).size(),
          from.size(),
          rows.size(),
          from.begin - (rows.begin * shape_.stride - shape_.pad),
          (rows.end - 1) * shape_.stride - shape_.pad + shape_.kernel - from.end};
}

bool WeightGradient::make_all() {
  made_.clear();
  const LibraryThreads one(1);
  std::map<std::pair<std::int64_t, std::int64_t>, memory::desc>
      weights;  // one layout for all slabs
  for (std::int64_t slab = 0; slab < slabs_; ++slab)
    for (std::int64_t out = 0; out < out_groups_; ++out)
      for (std::int64_t in = 0; in < in_groups_; ++in) {
        const Piece wanted = piece(in, out, slab);
        if (made_.contains(wanted)) continue;
        const auto before = weights.find({wanted.in, wanted.out});
        Made found = make(wanted, before == weights.end() ? memory::desc() : before->second);
        if (!found.run) return false;
        weights.emplace(std::pair(wanted.in, wanted.out), found.weight);
        made_.emplace(wanted, std::move(found));
      }
  return true;
}

WeightGradient::Made WeightGradient::make(const Piece& piece, const memory::desc& weight) const {
  Size from = shape_.source, to = shape_.target;
  from[0] = to[0] = 1;
  from[1] = piece.in;
  from[2] = piece.source_rows;
  to[1] = piece.out;
  to[2] = piece.target_rows;
  memory::dims weights{piece.out, piece.in};
  weights.insert(weights.end(), from.size() - 2, shape_.kernel);
  const memory::dims steps(from.size() - 2, shape_.stride);
  memory::dims before(from.size() - 2, shape_.pad), after(from.size() - 2);
  for (std::size_t a = 0; a < after.size(); ++a)
    after[a] = (to[2 + a] - 1) * shape_.stride - shape_.pad + shape_.kernel - from[2 + a];
  before[0] = piece.before;
  after[0] = piece.after;

  const memory::desc any(weights, memory::data_type::f32, memory::format_tag::any);
  const memory::desc source = described(from, shape_.source_block);
  const memory::desc target = described(to, shape_.target_block);
  constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::convolution_forward::primitive_desc hint(
      dnnl::convolution_forward::desc(dnnl::prop_kind::forward_training, kAlgorithm, source, any,
                                      target, steps, before, after),
      attributes, dnnl_engine());
  const dnnl::convolution_backward_weights::primitive_desc made(
      dnnl::convolution_backward_weights::desc(
          kAlgorithm, source, weight.data.ndims == 0 ? any : weight, target, steps, before, after),
      attributes, dnnl_engine(), hint);
  const bool is_blocked = shape_.source_block > 0 || shape_.target_block > 0;
  if (is_blocked && std::strstr(made.impl_info_str(), "ref")) return {};
  return {made.src_desc(), made.diff_dst_desc(), made.diff_weights_desc(), made.scratchpad_desc(),
          dnnl::convolution_backward_weights(made)};
}

std::int64_t WeightGradient::weight_taps() const {
  std::int64_t taps = 1;
  for (std::size_t a = 2; a < shape_.source.size(); ++a) taps *= shape_.kernel;
  return taps;
}

void WeightGradient::run(const Made& made, const float* source, const float* target,
                         std::int64_t in, std::int64_t out, std::int64_t unit,
                         float* weight) const {
  const std::int64_t item = unit / slabs_, slab = unit % slabs_;
  const Range ins = in_channels(in), outs = out_channels(out);
  const Range from = source_rows(slab), to = target_rows(slab);
  kernels::Buffer source_copy, target_copy;
  const float* const s = gathered(source, shape_.source, shape_.source_block, item, ins.begin,
                                  ins.size(), from.begin, from.size(), source_copy);
  const float* const g = gathered(target, shape_.target, shape_.target_block, item, outs.begin,
                                  outs.size(), to.begin, to.size(), target_copy);
  const Block scratch = scratch_of(made.scratch);
  made.run.execute(dnnl_stream(), {{DNNL_ARG_SRC, Block(made.source, s).view},
                                   {DNNL_ARG_DIFF_DST, Block(made.target, g).view},
                                   {DNNL_ARG_DIFF_WEIGHTS, Block(made.weight, weight).view},
                                   {DNNL_ARG_SCRATCHPAD, scratch.view}});
}

void WeightGradient::operator()(const float* source, const float* target, float* weight) const {
  const std::int64_t pairs = in_groups_ * out_groups_, units = shape_.target[0] * slabs_;
  const auto made = [&](std::int64_t pair, std::int64_t unit) -> const Made& {
    return made_.at(piece(pair % in_groups_, pair / in_groups_, unit % slabs_));
  };
  std::vector<kernels::Buffer> sums(static_cast<std::size_t>(pairs * parts_));
  parallel_for(pairs * parts_, [&](std::int64_t task) {
    const LibraryThreads one(1);
    const std::int64_t pair = task / parts_, part = task % parts_;
    const auto floats = static_cast<std::int64_t>(made(pair, 0).weight.get_size() / sizeof(float));
    kernels::Buffer more;
    for (std::int64_t unit = units * part / parts_; unit < units * (part + 1) / parts_; ++unit) {
      kernels::Buffer& to = sums[task] ? more : sums[task];
      const bool adds = sums[task] != nullptr;
      if (!to) to = kernels::make_buffer(floats);
      run(made(pair, unit), source, target, pair % in_groups_, pair / in_groups_, unit, to.get());
      for (std::int64_t i = 0; adds && i < floats; ++i) sums[task][i] += more[i];
    }
  });
  const std::int64_t taps = weight_taps(), row = shape_.source[1] * taps;
  parallel_for(pairs, [&](std::int64_t pair) {
    const LibraryThreads one(1);
    const Made& first = made(pair, 0);
    const auto floats = static_cast<std::int64_t>(first.weight.get_size() / sizeof(float));
    float* const sum = sums[pair * parts_].get();
    for (std::int64_t part = 1; part < parts_; ++part)
      for (std::int64_t i = 0; i < floats; ++i) sum[i] += sums[pair * parts_ + part][i];
    // A part of the rows and columns of the whole weight.
    memory::dims strides(first.weight.dims().size(), 1);
    for (std::size_t a = strides.size() - 1; a > 2; --a)
      strides[a - 1] = strides[a] * shape_.kernel;
    strides[1] = taps;
    strides[0] = row;
    float* const to = weight + out_channels(pair / in_groups_).begin * row +
                      in_channels(pair % in_groups_).begin * taps;
    reorder(Block(first.weight, sum).view,
            Block({first.weight.dims(), memory::data_type::f32, strides}, to).view);
  });
}

}  // namespace aladdin
