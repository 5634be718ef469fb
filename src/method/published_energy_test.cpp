// The published energy against the same formulas written out voxel by voxel, in double.
#include "aladdin/method/published_energy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/method/energy.h"

namespace aladdin {
namespace {

constexpr int kD = 4, kH = 5, kW = 6;
constexpr int kSizes[3] = {kW, kH, kD};  // along x, y, z

double clamped(double value, double most) { return std::min(std::max(value, 0.0), most); }

// One volume, read under the clamp rule.
struct Volume {
  std::vector<double> values = std::vector<double>(kD * kH * kW);

  double at(int x, int y, int z) const { return values[x + kW * (y + kH * z)]; }
  double operator()(const std::array<double, 3>& point) const {
    double sum = 0;
    std::array<double, 3> p{};
    std::array<int, 3> low{};
    for (int a = 0; a < 3; ++a) {
      p[a] = clamped(point[a], kSizes[a] - 1);
      low[a] = std::min(int(p[a]), kSizes[a] - 2);
    }
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      std::array<int, 3> at_corner{};
      for (int a = 0; a < 3; ++a) {
        const int high = corner >> a & 1;
        at_corner[a] = low[a] + high;
        weight *= high ? p[a] - low[a] : 1 - (p[a] - low[a]);
      }
      sum += weight * at(at_corner[0], at_corner[1], at_corner[2]);
    }
    return sum;
  }
};

using Field = std::array<Volume, 3>;

template <class Value>
Volume sampled(Value&& value) {
  Volume out;
  for (int z = 0; z < kD; ++z)
    for (int y = 0; y < kH; ++y)
      for (int x = 0; x < kW; ++x) out.values[x + kW * (y + kH * z)] = value(x, y, z);
  return out;
}

std::array<double, 3> moved(const std::array<double, 3>& p, const Field& u) {
  return {p[0] + u[0](p), p[1] + u[1](p), p[2] + u[2](p)};
}

Volume pulled(const Volume& image, const Field& u) {
  return sampled([&](double x, double y, double z) { return image(moved({x, y, z}, u)); });
}
// image o (id + outer) o (id + inner)
Volume pulled(const Volume& image, const Field& outer, const Field& inner) {
  return sampled([&](double x, double y, double z) {
    return image(moved(moved({x, y, z}, inner), outer));
  });
}

double ssd(const Volume& a, const Volume& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) sum += std::pow(a.values[i] - b.values[i], 2);
  return sum / double(a.values.size());
}

double one_minus_ncc(const Volume& a, const Volume& b) {
  const auto n = double(a.values.size());
  double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    ma += a.values[i] / n;
    mb += b.values[i] / n;
  }
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    ab += (a.values[i] - ma) * (b.values[i] - mb);
    aa += std::pow(a.values[i] - ma, 2);
    bb += std::pow(b.values[i] - mb, 2);
  }
  return 1 - ab / std::sqrt(aa * bb);
}

double bending(const Field& u) {
  double sum = 0;
  for (int c = 0; c < 3; ++c) {
    const auto at = [&](int x, int y, int z) { return u[c].at(x, y, z) * 2 / (kSizes[c] - 1); };
    double total = 0;
    for (int z = 1; z < kD - 1; ++z)
      for (int y = 1; y < kH - 1; ++y)
        for (int x = 1; x < kW - 1; ++x) {
          const double centre = 2 * at(x, y, z);
          const double xx = at(x + 1, y, z) - centre + at(x - 1, y, z);
          const double yy = at(x, y + 1, z) - centre + at(x, y - 1, z);
          const double zz = at(x, y, z + 1) - centre + at(x, y, z - 1);
          const double xy =
              at(x + 1, y + 1, z) - at(x + 1, y - 1, z) - at(x - 1, y + 1, z) + at(x - 1, y - 1, z);
          const double xz =
              at(x + 1, y, z + 1) - at(x + 1, y, z - 1) - at(x - 1, y, z + 1) + at(x - 1, y, z - 1);
          const double yz =
              at(x, y + 1, z + 1) - at(x, y + 1, z - 1) - at(x, y - 1, z + 1) + at(x, y - 1, z - 1);
          total += xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz);
        }
    const double weight = double(kSizes[c]) / kD;  // kD is the smallest
    sum += weight * weight * total / ((kD - 2) * (kH - 2) * (kW - 2));
  }
  return sum / 27;  // a ninth of the mean over the components
}

Volume volume_of(const at::Tensor& channel) {
  Volume out;
  const at::Tensor flat = channel.contiguous();
  std::copy_n(flat.data_ptr<double>(), out.values.size(), out.values.begin());
  return out;
}
Field field_of(const at::Tensor& u) { return {volume_of(u[0]), volume_of(u[1]), volume_of(u[2])}; }

// A batch with everything at random; fields of up to 1.3 voxels.
struct Case {
  at::Tensor atlas;
  Batch batch;
  Fields fields;
  std::vector<Volume> images;
  std::vector<Field> to_subject, to_atlas;

  explicit Case(int64_t n) {
    at::manual_seed(3);
    const auto type = at::dtype(at::kDouble);
    const auto field = [&] { return (at::rand({n, 3, kD, kH, kW}, type) - 0.5) * 2.6; };
    atlas = at::rand({1, 1, kD, kH, kW}, type);
    batch.images = at::rand({n, 1, kD, kH, kW}, type);
    fields.to_subject = fields.to_subject_coarse = field();
    fields.to_atlas = fields.to_atlas_coarse = field();
    for (int64_t i = 0; i < n; ++i) {
      images.push_back(volume_of(batch.images[i][0]));
      to_subject.push_back(field_of(fields.to_subject[i]));
      to_atlas.push_back(field_of(fields.to_atlas[i]));
    }
  }
  double sim(int i, double (*compare)(const Volume&, const Volume&)) const {
    return compare(pulled(volume_of(atlas[0][0]), to_atlas[i]), images[i]);
  }
  double atlas_pair(int i, int j, double (*compare)(const Volume&, const Volume&)) const {
    return compare(pulled(images[i], to_subject[i]), pulled(images[j], to_subject[j]));
  }
  double image_pair(int i, int j, double (*compare)(const Volume&, const Volume&)) const {
    return compare(pulled(images[i], to_subject[i], to_atlas[j]), images[j]);
  }
};

LossConfig config_of(SimilarityKind similarity) {
  LossConfig config;
  config.similarity = similarity;
  config.sim = 10;
  config.lambda = 3;
  config.gamma1 = 2;
  config.gamma2 = 5;
  config.published = true;
  return config;
}

Terms run(const LossConfig& config, const Case& c) {
  return Energy(config)(c.atlas, c.batch, c.fields, {0.5, 1, 7}, 1);
}

TEST(PublishedEnergy, SsdOfAPairHasTheWeights1_2_4_1) {
  const Case c(2);
  const Terms terms = run(config_of(SimilarityKind::mse), c);
  EXPECT_NEAR(terms.sim, (c.sim(0, ssd) + c.sim(1, ssd)) / 4, 1e-12);
  EXPECT_NEAR(terms.reg, (bending(c.to_atlas[0]) + bending(c.to_atlas[1])) / 2, 1e-12);
  EXPECT_NEAR(terms.atlas_pairs, c.atlas_pair(0, 1, ssd), 1e-12);
  EXPECT_NEAR(terms.image_pairs, (c.image_pair(0, 1, ssd) + c.image_pair(1, 0, ssd)) / 4, 1e-12);
  EXPECT_NEAR(terms.energy.item<double>(),
              10 * terms.sim + 3 * terms.reg + 2 * terms.atlas_pairs + 5 * terms.image_pairs,
              1e-12);
}

TEST(PublishedEnergy, SsdOfFourPairsHalvesAndTheFlippedBatch) {
  const Case c(4);
  const Terms terms = run(config_of(SimilarityKind::mse), c);
  double sim = 0, reg = 0, images = 0;
  for (int i = 0; i < 4; ++i) {
    sim += c.sim(i, ssd) / 16;
    reg += bending(c.to_atlas[i]) / 4;
    images += c.image_pair(i, 3 - i, ssd) / 16;
  }
  EXPECT_NEAR(terms.sim, sim, 1e-12);
  EXPECT_NEAR(terms.reg, reg, 1e-12);
  EXPECT_NEAR(terms.atlas_pairs, (c.atlas_pair(0, 2, ssd) + c.atlas_pair(1, 3, ssd)) / 4, 1e-12);
  EXPECT_NEAR(terms.image_pairs, images, 1e-12);
}

TEST(PublishedEnergy, NccIsAMean) {
  const Case c(4);
  const Terms terms = run(config_of(SimilarityKind::ncc), c);
  double sim = 0, images = 0;
  for (int i = 0; i < 4; ++i) {
    sim += c.sim(i, one_minus_ncc) / 4;
    images += c.image_pair(i, 3 - i, one_minus_ncc) / 4;
  }
  EXPECT_NEAR(terms.sim, sim, 1e-8);  // ours has an epsilon
  EXPECT_NEAR(terms.atlas_pairs,
              (c.atlas_pair(0, 2, one_minus_ncc) + c.atlas_pair(1, 3, one_minus_ncc)) / 2, 1e-8);
  EXPECT_NEAR(terms.image_pairs, images, 1e-8);
}

TEST(PublishedEnergy, SpacingAndAffineMapsDoNotCount) {
  Case c(2);
  const Energy energy(config_of(SimilarityKind::mse));
  EXPECT_EQ(energy(c.atlas, c.batch, c.fields, {1, 1, 1}, 1).reg,
            energy(c.atlas, c.batch, c.fields, {3, 1, 2}, 1).reg);
  const at::Tensor x = at::arange(kW, at::kDouble).view({1, 1, 1, 1, kW});
  const at::Tensor affine = (0.3 * x + 1).expand({2, 3, kD, kH, kW}).contiguous();
  EXPECT_NEAR(published_bending_energy(affine).item<double>(), 0, 1e-25);
}

TEST(PublishedEnergy, AFlatGridHasTheEnergyOfItsAxes) {
  // x^2 along x, one voxel thick: only D_xx = 2, in units of 2/4, weighed by (5 / 1)^2.
  const at::Tensor x = at::arange(5, at::kDouble).view({1, 1, 1, 1, 5});
  at::Tensor u = at::zeros({1, 3, 1, 4, 5}, at::kDouble);
  u.narrow(1, 0, 1).copy_((x * x).expand({1, 1, 1, 4, 5}));
  EXPECT_NEAR(published_bending_energy(u).item<double>(), 25.0 / 27, 1e-12);
}

TEST(PublishedEnergy, ABatchOfOneHasNoPairsAndOtherOddOnesAreRefused) {
  const Terms one = run(config_of(SimilarityKind::mse), Case(1));
  EXPECT_EQ(one.atlas_pairs, 0);
  EXPECT_EQ(one.image_pairs, 0);
  EXPECT_GT(one.sim, 0);
  try {
    run(config_of(SimilarityKind::mse), Case(3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("this one has 3 images"));
  }
}

TEST(PublishedEnergy, GradientsAgreeWithFiniteDifferences) {
  Case c(2);
  const auto leaf = [](at::Tensor& t) { t = t.detach().clone().requires_grad_(true); };
  leaf(c.fields.to_atlas);
  leaf(c.fields.to_subject);
  c.fields.to_atlas_coarse = c.fields.to_atlas;
  run(config_of(SimilarityKind::mse), c).energy.backward();
  constexpr double kStep = 1e-6;
  for (const bool atlas : {true, false}) {
    const at::Tensor grad = (atlas ? c.fields.to_atlas : c.fields.to_subject).grad().flatten();
    const auto energy_at = [&](int64_t i, double step) {
      const at::NoGradGuard no_grad;
      Case other(2);
      at::Tensor& field = atlas ? other.fields.to_atlas : other.fields.to_subject;
      field.data_ptr<double>()[i] += step;
      return run(config_of(SimilarityKind::mse), other).energy.item<double>();
    };
    for (int64_t i = 0; i < grad.numel(); i += 53)
      EXPECT_NEAR((energy_at(i, kStep) - energy_at(i, -kStep)) / (2 * kStep),
                  grad[i].item<double>(), 1e-5 * grad.abs().max().item<double>())
          << i;
  }
}

}  // namespace
}  // namespace aladdin
