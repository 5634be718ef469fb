#include "aladdin/synth/subject.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "aladdin/core/parallel.h"
#include "aladdin/synth/anatomy.h"
#include "aladdin/synth/bones.h"
#include "aladdin/synth/intensity.h"

namespace aladdin::synth {
namespace {

constexpr float kNoiseSigma = 0.013F;

// Streams of random numbers of one subject, each for one purpose, so that changing the use of one
// leaves the others as they were.
enum Purpose : std::uint64_t { kPerson, kAffine, kShape, kScan, kTexture, kNoise, kPurposes };

// Came later, and leaves the streams above as they were.
constexpr std::uint64_t kFirstPlantedStream = std::uint64_t{1} << 40;

std::uint64_t stream(int index, Purpose purpose) {
  return static_cast<std::uint64_t>(index) * kPurposes + purpose;
}

Point to_point(const Vec3& p) {
  return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
}

Embedding embedding_of(const SynthOptions& options) {
  return embedding_for(atlas_grid(options).extent_mm(), options.slice ? 2 : 3);
}

// Life size of a voxel, in geometric mean.
float blur_for(const Grid& grid, const Embedding& embedding) {
  double product = 1.0;
  for (int axis = 0; axis < grid.dims; ++axis)
    product *= grid.spacing[axis] / embedding.squeeze[axis + 3 - grid.dims];
  return 1.2F * static_cast<float>(std::pow(product, 1.0 / grid.dims));
}

// On the bone's surface below the cartilage, somewhere in the weight-bearing part.
Lesion random_lesion(Rng& rng) {
  const float side = rng.uniform() < 0.6 ? 1.0F : -1.0F;  // the medial side wears more
  const auto draw = [&](double low, double high) {
    return static_cast<float>(rng.uniform(low, high));
  };
  Lesion lesion{{side * draw(17, 29), 0, 0}, draw(4, 10), draw(0.45, 1.0)};
  Point& centre = lesion.centre;
  if (rng.uniform() < 0.35) {
    centre.y = draw(-7, 14);
    centre.z = plateau_height(centre.x, centre.y);
    return lesion;
  }
  const float angle = draw(-30, 65) * std::numbers::pi_v<float> / 180.0F;
  float inside = 0.0F, outside = 60.0F;
  for (int halving = 0; halving < 24; ++halving) {
    const float middle = 0.5F * (inside + outside);
    centre.y = 2.0F + middle * std::sin(angle);
    centre.z = 27.0F - middle * std::cos(angle);
    (femur_distance(centre) < 0 ? inside : outside) = middle;
  }
  return lesion;
}

int lesion_count(Rng& rng, double mean) {
  int count = 0;
  for (double product = rng.uniform(); product > std::exp(-mean); product *= rng.uniform()) ++count;
  return count;
}

struct Person {
  Covariates covariates;
  Morphology morphology;
};

Person random_person(Rng& rng, const SynthOptions& options) {
  Person person;
  auto& [covariates, morphology] = person;
  covariates.sex = rng.uniform() < 0.55 ? 'F' : 'M';
  covariates.age = std::round(rng.uniform(45, 79));
  const double wear = (62 - covariates.age) / 17;  // 1 at 45 years, -1 at 79
  const auto vary = [&](double sd) {
    return static_cast<float>(std::exp(options.thickness * (0.08 * wear + sd * rng.normal())));
  };
  morphology.femoral_cartilage_mm *= vary(0.08);
  morphology.tibial_cartilage_mm *= vary(0.08);
  morphology.subcutaneous_fat_mm *= static_cast<float>(rng.uniform(0.7, 1.5));
  morphology.muscle = static_cast<float>(rng.uniform(0.9, 1.06));
  morphology.effusion = static_cast<float>(rng.uniform() * rng.uniform());
  morphology.soft_seed = static_cast<std::uint32_t>(rng.bits());
  covariates.lesions = lesion_count(rng, options.lesions * (1 - 0.6 * wear));
  for (int n = 0; n < covariates.lesions; ++n) morphology.lesions.push_back(random_lesion(rng));
  covariates.femoral_cartilage_mm = morphology.femoral_cartilage_mm;
  covariates.tibial_cartilage_mm = morphology.tibial_cartilage_mm;
  return person;
}

Mat3 tilt(Rng& rng, double most_deg) {
  Vec3 axis{rng.normal(), rng.normal(), rng.normal()};
  const double angle = rng.uniform() * most_deg * std::numbers::pi / 180;
  axis = (angle / std::max(norm(axis), 1e-9)) * axis;
  return matrix_exponential(
      {{{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}}});
}

// Puts the middle of the field of view at `centre`.
void centre_on(Grid& grid, const Vec3& centre) {
  grid.origin = centre - (grid.centre() - grid.origin);
}

Grid native_grid(Rng& rng, const SynthOptions& options) {
  Grid grid = atlas_grid(options);
  if (grid.dims == 2) {
    centre_on(grid, {rng.uniform(-20, 20), rng.uniform(-20, 20), 0});
    return grid;
  }
  const Mat3 axes{{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};  // towards right, posterior, inferior
  grid.direction = tilt(rng, options.oblique_deg) * axes;
  centre_on(grid, {rng.uniform(-110, -60), rng.uniform(-25, 25), rng.uniform(-30, 30)});
  return grid;
}

struct Scanner {
  CoilBias bias;
  float gain;  // stored units for a signal of 1
  float sigma;
  float texture;
  std::uint32_t texture_seed;
  std::uint64_t noise_seed;
};

float relative(std::int64_t index, std::int64_t size) {
  return size > 1 ? 2.0F * static_cast<float>(index) / static_cast<float>(size - 1) - 1.0F : 0.0F;
}

// Evaluates the anatomy at the canonical point of every voxel.
template <class ToAtlas>
Knee scan(const Grid& grid, const Embedding& embedding, const Morphology& morphology,
          const Scanner& scanner, ToAtlas&& to_atlas) {
  Knee knee{Image(grid), Labels(grid)};
  const float blur = blur_for(grid, embedding);
  const Mat3 axes = grid.index_to_point();
  const Vec3 centre = grid.centre();
  parallel_for(grid.size[1] * grid.size[2], [&](std::int64_t row) {
    const std::int64_t j = row % grid.size[1], k = row / grid.size[1];
    Rng rng(scanner.noise_seed, static_cast<std::uint64_t>(row));
    for (std::int64_t i = 0; i < grid.size[0]; ++i) {
      const Vec3 index{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
      const Vec3 point = grid.origin + axes * index;
      const Composition tissues =
          knee_at(to_point(embedding.to_design(to_atlas(point))), morphology, blur);
      const Point native_mm = to_point(embedding.to_design(point - centre));
      const float bias = scanner.bias(relative(i, grid.size[0]), relative(j, grid.size[1]),
                                      relative(k, grid.size[2]));
      const float signal =
          bias * tissue_signal(tissues, native_mm, scanner.texture_seed, scanner.texture);
      const float measured = scanner.gain * rician(signal, scanner.sigma, rng);
      knee.image.at(i, j, k) = std::round(measured);  // scanners store whole numbers
      knee.labels.at(i, j, k) = tissues.label;
    }
  });
  return knee;
}

}  // namespace

Grid atlas_grid(const SynthOptions& options) {
  Grid grid;
  grid.dims = options.slice ? 2 : 3;
  for (int axis = 0; axis < grid.dims; ++axis) {
    grid.size[axis] = options.size[axis + 3 - grid.dims];
    grid.spacing[axis] = options.spacing_mm[axis + 3 - grid.dims];
  }
  centre_on(grid, {0, 0, 0});
  return grid;
}

Knee make_atlas(const SynthOptions& options) {
  Rng rng(options.seed);
  const Scanner scanner{CoilBias(rng, 0.0), 1000.0F, 0.0F, 0.0F, 0, 0};
  return scan(atlas_grid(options), embedding_of(options), Morphology{}, scanner,
              [](const Vec3& point) { return point; });
}

Subject make_subject(const SynthOptions& options, int index) {
  const Embedding embedding = embedding_of(options);
  const auto random = [&](Purpose purpose) { return Rng(options.seed, stream(index, purpose)); };
  Rng person_rng = random(kPerson), affine_rng = random(kAffine), shape_rng = random(kShape),
      scan_rng = random(kScan), texture_rng = random(kTexture), noise_rng = random(kNoise);
  const Person person = random_person(person_rng, options);
  const Grid native = native_grid(scan_rng, options);
  const Affine about_origin = random_affine(affine_rng, options.affine, embedding);
  const Affine affine = compose(translation(native.centre(), native.dims), about_origin);
  const SmoothVelocity velocity(shape_rng, options.shape, native.dims);
  Rng planted_rng(options.seed, kFirstPlantedStream + static_cast<std::uint64_t>(index));
  const double planted = std::clamp(planted_rng.normal(), -2.0, 2.0);
  const TrueMap map(embedding, affine, velocity, atlas_grid(options), native,
                    options.planted * planted);
  const Scanner scanner{CoilBias(scan_rng, options.bias),
                        static_cast<float>(scan_rng.uniform(400, 900)),
                        static_cast<float>(options.noise) * kNoiseSigma,
                        static_cast<float>(options.texture),
                        static_cast<std::uint32_t>(texture_rng.bits()),
                        noise_rng.bits()};
  Subject subject;
  subject.id = fmt::format("knee{:03d}", index + 1);
  subject.covariates = person.covariates;
  subject.covariates.planted = planted;
  subject.affine = affine;
  subject.native = scan(native, embedding, person.morphology, scanner,
                        [&](const Vec3& point) { return map.native_to_atlas(point); });
  subject.pull_native_to_atlas = map.pull_native_to_atlas();
  subject.pull_atlas_to_native = map.pull_atlas_to_native();
  return subject;
}

}  // namespace aladdin::synth
