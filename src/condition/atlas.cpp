#include "aladdin/condition/atlas.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"
#include "aladdin/evaluate/vote.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/image/label_map.h"
#include "aladdin/kernels/jacobian.h"
#include "aladdin/kernels/warp.h"
#include "aladdin/transform/displacement.h"

namespace aladdin::condition {
namespace {

using Values = std::vector<float>;

constexpr std::int64_t kMostBytes = 2LL << 30;  // of the sums of the atlases made at once
constexpr std::size_t kMostAtOnce = 8;          // subjects side by side
constexpr double kFloor = .1;  // least weight of a determinant, as `atlas.floor` has it by default
constexpr double kWholeVote =
    1 << 15;  // votes are whole multiples of its inverse (evaluate/bridge.h)
constexpr std::int64_t kGrain = 4096;

void add_scaled(Values& sum, const Values& more, double factor) {
  if (factor == 0) return;
  const auto f = static_cast<float>(factor);
  parallel_ranges(static_cast<std::int64_t>(sum.size()), kGrain,
                  [&](std::int64_t a, std::int64_t b) {
                    for (std::int64_t i = a; i < b; ++i) sum[i] += f * more[i];
                  });
}

// Of one atlas, before and after it is known where its middle is.
struct Sums {
  Values velocity, displacement;  // sum d_i v_i, sum d_i u_i
  Middle middle;
  Values weighted, weight, sum, squares, votes;  // votes: [voxel][label]
  double total = 0;                              // of the scaled weights
};

struct Loaded {
  std::size_t member = 0;
  Values displacement, image;
  std::vector<evaluate::LabelIndex> labels;  // empty: has none
};

class Maker {
 public:
  Maker(const RunSubjects& subjects, const std::vector<std::size_t>& members,
        const Eigen::MatrixXd& weights, std::size_t first, std::size_t count)
      : subjects_(subjects),
        members_(members),
        weights_(weights),
        first_(first),
        shape_(subjects.shape()),
        voxels_(shape_.voxels()),
        labels_(subjects.has_labels() ? static_cast<std::int64_t>(subjects.label_table().size())
                                      : 0),
        sums_(count) {}

  void find_middles(Progress& progress) {
    const std::size_t n = subjects_.size();
    Eigen::MatrixXd offset = Eigen::MatrixXd::Constant(
        static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(sums_.size()), -1.0 / double(n));
    for (std::size_t m = 0; m < members_.size(); ++m)
      for (std::size_t a = 0; a < sums_.size(); ++a)
        offset(members_[m], a) =
            weight_of(m, a) == 1.0 / double(n) ? 0 : weight_of(m, a) - 1.0 / double(n);
    for (Sums& one : sums_) {
      one.velocity.assign(shape_.dims * subjects_.velocity_shape().voxels(), 0);
      one.displacement.assign(shape_.dims * voxels_, 0);
    }
    for (std::size_t begin = 0; begin < n; begin += at_once()) {
      const std::size_t count = std::min(at_once(), n - begin);
      std::vector<Values> v(count), u(count);
      parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t k) {
        if (offset.row(static_cast<Eigen::Index>(begin) + k).isZero(0)) return;
        v[k] = subjects_.velocity(begin + k);
        u[k] = subjects_.displacement(begin + k);
      });
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t a = 0; a < sums_.size(); ++a) {
          if (v[k].empty()) continue;
          add_scaled(sums_[a].velocity, v[k], offset(begin + k, a));
          add_scaled(sums_[a].displacement, u[k], offset(begin + k, a));
        }
      progress.advance(static_cast<std::int64_t>(count));
    }
    parallel_for(static_cast<std::int64_t>(sums_.size()), [&](std::int64_t a) {
      Sums& one = sums_[a];
      one.middle = find_middle(subjects_.refined(std::move(one.velocity)), one.displacement,
                               subjects_.model());
      one.displacement = {};
    });
  }

  void add_images(Progress& progress) {
    for (Sums& one : sums_) {
      for (Values* all : {&one.weighted, &one.weight, &one.sum, &one.squares})
        all->assign(voxels_, 0);
      one.votes.assign(voxels_ * labels_, 0);
    }
    for (std::size_t begin = 0; begin < members_.size(); begin += at_once()) {
      const std::size_t count = std::min(at_once(), members_.size() - begin);
      std::vector<Loaded> block(count);
      parallel_for(static_cast<std::int64_t>(count),
                   [&](std::int64_t k) { block[k] = load(begin + k); });
      for (std::size_t a = 0; a < sums_.size(); ++a) add_block(a, block);
      progress.advance(static_cast<std::int64_t>(count));
    }
  }

  Atlas atlas(std::size_t a) {
    Sums& one = sums_[a];
    Atlas out;
    const Grid& padded = subjects_.model().padded;
    Image image(padded), variability(padded);
    for (std::int64_t v = 0; v < voxels_; ++v) {
      const double mean = one.sum[v] / one.total;
      image.values[v] = static_cast<float>(std::clamp<double>(
          std::abs(one.weight[v]) > 0 ? one.weighted[v] / one.weight[v] : 0, 0, 1));
      variability.values[v] =
          static_cast<float>(std::sqrt(std::max(0.0, one.squares[v] / one.total - mean * mean)));
    }
    out.image = visible(image);
    out.padded = std::move(image);
    out.variability = visible(variability);
    if (labels_ > 0) put_labels(one, out);
    Values det(voxels_);
    kernels::jacobian_determinant(one.middle.to_group.data(), det.data(), shape_);
    Image log_jacobian(padded);
    constexpr float kLeast = 1e-3F;
    for (std::int64_t v = 0; v < voxels_; ++v)
      log_jacobian.values[v] = std::log(std::max(det[v], kLeast));
    out.log_jacobian = visible(log_jacobian);
    Image folded(padded);
    for (std::int64_t v = 0; v < voxels_; ++v) folded.values[v] = det[v] <= 0 ? 1 : 0;
    for (const float value : visible(folded).values) out.folds += value > 0;
    out.to_group = field_mm(one.middle.to_group);
    out.to_population = field_mm(one.middle.to_population);
    out.rounds = one.middle.rounds;
    one = {};
    return out;
  }

 private:
  static std::size_t at_once() {
    return std::clamp<std::size_t>(static_cast<std::size_t>(threads()), 1, kMostAtOnce);
  }
  double weight_of(std::size_t member, std::size_t a) const {
    return weights_(static_cast<Eigen::Index>(member), static_cast<Eigen::Index>(first_ + a));
  }
  // Equal weights are 1, so that their votes are whole numbers.
  double scaled_weight(std::size_t member, std::size_t a) const {
    return weight_of(member, a) /
           weights_.col(static_cast<Eigen::Index>(first_ + a)).cwiseAbs().maxCoeff();
  }

  Loaded load(std::size_t m) const {
    Loaded out;
    out.member = m;
    bool counts = false;
    for (std::size_t a = 0; a < sums_.size(); ++a) counts = counts || weight_of(m, a) != 0;
    if (!counts) return out;
    const std::size_t i = members_[m];
    out.displacement = subjects_.displacement(i);
    out.image = subjects_.image(i).values;
    if (labels_ > 0 && subjects_.is_labelled(i)) out.labels = subjects_.labels(i);
    return out;
  }

  void add_block(std::size_t a, const std::vector<Loaded>& block) {
    Sums& one = sums_[a];
    std::vector<Values> u(block.size()), det(block.size()), warped(block.size());
    parallel_for(static_cast<std::int64_t>(block.size()), [&](std::int64_t k) {
      const Loaded& subject = block[k];
      if (subject.image.empty() || weight_of(subject.member, a) == 0) return;
      u[k].resize(subject.displacement.size());
      kernels::compose(subject.displacement.data(), one.middle.to_population.data(), u[k].data(),
                       shape_);
      det[k].resize(voxels_);
      warped[k].resize(voxels_);
      kernels::jacobian_determinant(u[k].data(), det[k].data(), shape_);
      kernels::warp(subject.image.data(), u[k].data(), warped[k].data(), shape_, 1,
                    kernels::Border::clamp);
    });
    for (std::size_t k = 0; k < block.size(); ++k) {
      if (u[k].empty()) continue;
      const double w = scaled_weight(block[k].member, a);
      one.total += w;
      parallel_ranges(voxels_, kGrain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t v = begin; v < end; ++v) {
          const double volume = w * std::max<double>(det[k][v], kFloor);
          one.weighted[v] += static_cast<float>(volume * warped[k][v]);
          one.weight[v] += static_cast<float>(volume);
          one.sum[v] += static_cast<float>(w * warped[k][v]);
          one.squares[v] += static_cast<float>(w * warped[k][v] * warped[k][v]);
        }
        if (!block[k].labels.empty()) vote(one, block[k].labels, u[k], w, begin, end);
      });
    }
  }

  void vote(Sums& one, const std::vector<evaluate::LabelIndex>& labels, const Values& u, double w,
            std::int64_t begin, std::int64_t end) const {
    const Size3 size{shape_.w, shape_.h, shape_.d};
    for (std::int64_t v = begin; v < end; ++v) {
      const Vec3 x{static_cast<double>(v % shape_.w), static_cast<double>(v / shape_.w % shape_.h),
                   static_cast<double>(v / (shape_.w * shape_.h))};
      float* row = one.votes.data() + v * labels_;
      evaluate::for_each_vote(labels.data(), size, evaluate::moved(x, u.data(), v, shape_),
                              [&](evaluate::LabelIndex label, double share) {
                                row[label] +=
                                    static_cast<float>(w * std::floor(kWholeVote * share + .5));
                              });
    }
  }

  void put_labels(const Sums& one, Atlas& out) const {
    const Grid& padded = subjects_.model().padded;
    const auto& table = subjects_.label_table();
    std::vector<Image> shares(static_cast<std::size_t>(labels_), Image(padded));
    Labels labels(padded);
    for (std::int64_t v = 0; v < voxels_; ++v) {
      const float* row = one.votes.data() + v * labels_;
      double all = 0;
      std::int64_t best = 0;
      for (std::int64_t k = 0; k < labels_; ++k) {
        all += std::max(row[k], 0.0F);
        if (row[k] > row[best]) best = k;
      }
      labels.values[v] = table[best];
      for (std::int64_t k = 0; k < labels_; ++k)
        shares[k].values[v] =
            all > 0 ? static_cast<float>(std::max(row[k], 0.0F) / all) : (k == 0 ? 1.0F : 0.0F);
    }
    out.labels = visible(labels);
    const double voxel = voxel_volume(padded);
    out.volumes.assign(table.size(), 0);
    const auto counts = count_labels(*out.labels);
    for (std::size_t k = 0; k < table.size(); ++k) {
      if (const auto found = counts.find(table[k]); found != counts.end())
        out.volumes[k] = static_cast<double>(found->second) * voxel;
      out.probabilities.push_back(visible(shares[k]));
      double sum = 0;
      for (const float share : out.probabilities.back().values) sum += share;
      out.expected_volumes.push_back(sum * voxel);
    }
  }

  template <class T>
  Volume<T> visible(const Volume<T>& padded) const {
    const Model& model = subjects_.model();
    WorkingGrid working;
    working.visible = model.visible;
    working.padded = model.padded;
    working.pad_before = model.pad_before;
    return crop_padding(padded, working);
  }

  VectorImage field_mm(const Values& voxels) const {
    const Grid& padded = subjects_.model().padded;
    VectorImage all(padded);
    all.values = voxels;
    const VectorImage mm = voxels_to_mm(all);
    VectorImage out(subjects_.model().visible);
    for (int c = 0; c < padded.dims; ++c) {
      Image one(padded);
      std::copy_n(mm.component(c), voxels_, one.values.begin());
      const Image cropped = visible(one);
      std::copy(cropped.values.begin(), cropped.values.end(), out.component(c));
    }
    return out;
  }

  const RunSubjects& subjects_;
  const std::vector<std::size_t>& members_;
  const Eigen::MatrixXd& weights_;
  std::size_t first_;
  kernels::Shape shape_;
  std::int64_t voxels_, labels_;
  std::vector<Sums> sums_;
};

}  // namespace

void make_atlases(const RunSubjects& subjects, const std::vector<std::size_t>& members,
                  const Eigen::MatrixXd& weights,
                  const std::function<void(std::size_t, Atlas&&)>& use) {
  const auto all = static_cast<std::size_t>(weights.cols());
  const std::int64_t labels = subjects.has_labels() ? std::ssize(subjects.label_table()) : 0;
  const std::int64_t each =
      subjects.shape().voxels() * (4 + labels + 6 * subjects.shape().dims) * 4;
  const std::size_t at_once = std::clamp<std::size_t>(kMostBytes / each, 1, all);
  const std::size_t rounds = (all + at_once - 1) / at_once;
  Progress progress("atlas",
                    static_cast<std::int64_t>(rounds * (subjects.size() + members.size())));
  for (std::size_t first = 0; first < all; first += at_once) {
    Maker maker(subjects, members, weights, first, std::min(at_once, all - first));
    maker.find_middles(progress);
    maker.add_images(progress);
    for (std::size_t a = 0; a < std::min(at_once, all - first); ++a) use(first + a, maker.atlas(a));
  }
}

}  // namespace aladdin::condition
