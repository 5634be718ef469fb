#include "aladdin/team/gradient_sum.h"

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

// Large enough that the way matters more than the start, small enough that several are on it at once.
constexpr std::int64_t kBucketFloats = 1 << 18;

}  // namespace

void GradientSum::begin(const std::vector<at::Tensor>& leaves) {
  passes_ = 0;
  next_ = 0;
  buckets_.clear();
  views_.assign(leaves.size(), {});
  bucket_of_.assign(leaves.size(), 0);
  reported_.assign(leaves.size(), 0);
  std::int64_t floats = 0;
  for (std::size_t n = leaves.size(); n-- > 0;) {
    if (buckets_.empty() || floats + leaves[n].numel() > kBucketFloats) {
      buckets_.emplace_back();
      floats = 0;
    }
    buckets_.back().parameters.push_back(n);
    bucket_of_[n] = buckets_.size() - 1;
    floats += leaves[n].numel();
  }
  for (Bucket& bucket : buckets_) {
    std::int64_t size = 0, at = 0;
    for (const std::size_t n : bucket.parameters) size += leaves[n].numel();
    bucket.flat = at::zeros({size}, leaves[0].options().requires_grad(false));
    for (const std::size_t n : bucket.parameters) {
      views_[n] = bucket.flat.narrow(0, at, leaves[n].numel()).view(leaves[n].sizes());
      at += leaves[n].numel();
    }
  }
}

void GradientSum::found(std::size_t parameter, const at::Tensor& grad) {
  if (!overlap_) return;
  views_[parameter].add_(grad);
  ++reported_[parameter];
  const auto is_whole = [&](const Bucket& bucket) {
    for (const std::size_t n : bucket.parameters)
      if (reported_[n] < passes_) return false;
    return true;
  };
  // In order: every process must send the same one next.
  while (next_ < buckets_.size() && is_whole(buckets_[next_])) send(buckets_[next_++]);
}

void GradientSum::send(Bucket& bucket) { bucket.work = team_.start_sum(bucket.flat); }

std::vector<at::Tensor> GradientSum::finish(const std::vector<at::Tensor>& grads) {
  for (; next_ < buckets_.size(); ++next_) {
    for (const std::size_t n : buckets_[next_].parameters) views_[n].copy_(grads[n]);
    send(buckets_[next_]);
  }
  for (const Bucket& bucket : buckets_) team_.wait(bucket.work);
  return views_;
}

}  // namespace aladdin
