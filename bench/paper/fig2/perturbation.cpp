#include "perturbation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "aladdin/core/error.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin::bench {
namespace {

struct Box {
  Size3 first{0, 0, 0};
  Grid grid;
};

Box choose_box(const Labels& labels, Rng& rng) {
  std::vector<std::int64_t> inside;
  for (std::size_t v = 0; v < labels.values.size(); ++v)
    if (labels.values[v] != 0) inside.push_back(static_cast<std::int64_t>(v));
  if (inside.empty()) fail("a label map is empty, expected a structure to perturb");
  const std::int64_t centre =
      inside[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(inside.size())))];
  const Grid& grid = labels.grid;
  const Size3 at{centre % grid.size[0], centre / grid.size[0] % grid.size[1],
                 centre / (grid.size[0] * grid.size[1])};
  Box box{{}, grid};
  Vec3 corner{0, 0, 0};
  for (int a = 0; a < grid.dims; ++a) {
    const std::int64_t half = std::max<std::int64_t>(2, grid.size[a] / 8);
    box.first[a] = std::max<std::int64_t>(0, at[a] - half);
    box.grid.size[a] = std::min(grid.size[a], at[a] + half + 1) - box.first[a];
    corner[a] = static_cast<double>(box.first[a]);
  }
  box.grid.origin = grid.to_point(corner);
  return box;
}

template <class Use>  // use(voxel of the box, voxel of the whole, index in the box)
void each_voxel(const Box& box, const Grid& whole, Use&& use) {
  const auto& n = box.grid.size;
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i)
        use(box.grid.offset(i, j, k),
            whole.offset(box.first[0] + i, box.first[1] + j, box.first[2] + k), Size3{i, j, k});
}

// cos^2 over the box, 1 in its middle.
double window(const Size3& index, const Grid& grid) {
  double out = 1;
  for (int a = 0; a < grid.dims; ++a) {
    const double position =
        (static_cast<double>(index[a]) + 0.5) / static_cast<double>(grid.size[a]) - 0.5;
    const double cosine = std::cos(std::numbers::pi * position);
    out *= cosine * cosine;
  }
  return out;
}

Vec3 random_direction(int dims, Rng& rng) {
  Vec3 out{0, 0, 0};
  double squares = 0;
  for (int a = 0; a < dims; ++a) {
    out[a] = rng.normal();
    squares += out[a] * out[a];
  }
  for (double& component : out) component /= std::sqrt(squares);
  return out;
}

// Phi_i^-1 + shift, on the box.
Displacement moved(const Displacement& field, const Box& box, const Vec3& shift_mm) {
  Displacement out(box.grid);
  each_voxel(box, field.grid(), [&](std::int64_t here, std::int64_t there, const Size3& index) {
    const double share = window(index, box.grid);
    for (int c = 0; c < box.grid.dims; ++c)
      out.vectors.component(c)[here] =
          field.vectors.component(c)[there] + static_cast<float>(share * shift_mm[c]);
  });
  return out;
}

Image crop(const Image& image, const Box& box) {
  Image out(box.grid);
  each_voxel(box, image.grid, [&](std::int64_t here, std::int64_t there, const Size3&) {
    out.values[here] = image.values[there];
  });
  return out;
}

Response respond(const Image& before, const Image& after, const Image& target) {
  Response out;
  for (std::size_t v = 0; v < target.values.size(); ++v) {
    const double was = before.values[v] - target.values[v], is = after.values[v] - target.values[v];
    out.residual += std::abs(was);
    out.change += std::abs(is - was);
    out.rise += is * is - was * was;
  }
  const double voxels = static_cast<double>(target.values.size());
  return {out.residual / voxels, out.change / voxels, out.rise / voxels};
}

double mean_edge_mm(const Grid& grid) {
  double sum = 0;
  for (int a = 0; a < grid.dims; ++a) sum += grid.spacing[a];
  return sum / grid.dims;
}

}  // namespace

std::vector<Trial> perturb(const RegisteredCohort& cohort, std::size_t subject,
                           const std::vector<double>& shifts_vox, Rng& rng) {
  const Registered& own = cohort.subjects[subject];
  std::size_t partner =
      static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(cohort.subjects.size()) - 1));
  if (partner >= subject) ++partner;
  const Registered& other = cohort.subjects[partner];
  const Box box = choose_box(own.labels, rng);
  const Vec3 direction = random_direction(box.grid.dims, rng);
  const Image target = crop(own.image, box);

  const auto from_atlas = [&](const Displacement& phi) {
    return pull_back(cohort.atlas, {phi}, box.grid);
  };
  const auto from_partner = [&](const Displacement& phi) {
    Chain chain{phi};
    chain.insert(chain.end(), other.native_to_atlas.begin(), other.native_to_atlas.end());
    return pull_back(other.image, chain, box.grid);
  };
  const Displacement still = moved(own.atlas_to_native, box, {0, 0, 0});
  const Image atlas = from_atlas(still), image = from_partner(still);
  std::vector<Trial> out;
  for (const double shift : shifts_vox) {
    const Displacement phi =
        moved(own.atlas_to_native, box, (shift * mean_edge_mm(box.grid)) * direction);
    out.push_back({subject, partner, shift, respond(atlas, from_atlas(phi), target),
                   respond(image, from_partner(phi), target)});
  }
  return out;
}

}  // namespace aladdin::bench
