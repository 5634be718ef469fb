#include "aladdin/network/dnnl_block.h"

#include "aladdin/core/parallel.h"

namespace aladdin {

Block join_channels(const Block& a, const Block& b) {
  const std::vector<dnnl::memory::desc> parts{a.desc(), b.desc()};
  const dnnl::concat::primitive_desc description(1, parts, dnnl_engine());
  Block out(description.dst_desc());
  dnnl::concat(description)
      .execute(dnnl_stream(), {{DNNL_ARG_MULTIPLE_SRC, a.view},
                               {DNNL_ARG_MULTIPLE_SRC + 1, b.view},
                               {DNNL_ARG_DST, out.view}});
  return out;
}

void add_to(const Block& from, Block& to) {
  constexpr std::int64_t kRange = 65536;
  const float* p = from.data();
  float* q = to.data();
  parallel_ranges(to.floats(), kRange, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) q[i] += p[i];
  });
}

}  // namespace aladdin
