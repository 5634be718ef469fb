// For the tests of this folder: a finished run of discs, each as large as the age of its subject says. The population's disc
// has the radius 8; exp(v) scales it about the middle of the grid to that of the subject.
#pragma once

#include <cmath>
#include <numbers>

#include "aladdin/core/rng.h"
#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"
#include "aladdin/network/test_model.h"
#include "aladdin/run/run_record.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::testing {

constexpr double kPopulationRadius = 8;
constexpr double kPerYear = .06;  // voxels
inline double radius_at(double age) { return kPopulationRadius + kPerYear * (age - 50); }
inline double area_at(double age) {  // mm², of voxels of 0.8 x 1.1 mm
  return std::numbers::pi * radius_at(age) * radius_at(age) * .8 * 1.1;
}

struct Disc {
  double radius = 0;
  double age = 0;  // as the table says
};

inline Model disc_model() {
  UnetOptions network;
  network.dims = 2;
  network.velocity_scale = 2;
  Model model = make_model(network, {44, 46, 1});
  model.passes.clear();
  model.parameters.clear();
  return model;
}

// Distance from the middle of the padded grid, in voxels.
template <class Use>
void for_each_distance(const Grid& grid, const Use& use) {
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const double x = double(v % grid.size[0]) - .5 * double(grid.size[0] - 1);
    const double y = double(v / grid.size[0]) - .5 * double(grid.size[1] - 1);
    use(v, x, y);
  }
}

inline void write_disc_run(const RunDirectory& run, const std::vector<Disc>& discs) {
  const Model model = disc_model();
  const Grid& grid = model.padded;
  RunRecord record;
  record.state = RunState::done;
  record.cohort.dims = 2;
  record.cohort.label_names[5] = "disc";
  record.results.emplace();
  record.results->labels = {0, 5};
  for (std::size_t i = 0; i < discs.size(); ++i) {
    SubjectRecord subject;
    subject.id = fmt::format("s{}", i + 1);
    subject.image = run.folder / "images" / (subject.id + ".nii.gz");
    subject.label = run.folder / "labels" / (subject.id + ".nii.gz");
    subject.intensity = IntensityMap{0, 1};
    subject.covariates = {{"age", fmt::format("{}", discs[i].age)},
                          {"sex", i % 2 == 0 ? "F" : "M"}};
    Image image(grid);
    Labels labels(grid);
    for_each_distance(grid, [&](std::int64_t v, double x, double y) {
      const double inside = discs[i].radius - std::hypot(x, y);
      image.values[v] = static_cast<float>(std::clamp(inside + .5, 0.0, 1.0));
      labels.values[v] = inside > 0 ? 5 : 0;
    });
    write_image(subject.image, image);
    write_labels(subject.label, labels);
    VectorImage v(velocity_grid(model));
    const double growth = std::log(discs[i].radius / kPopulationRadius);
    for (std::int64_t k = 0; k < v.grid.voxels(); ++k) {
      const double x = double(2 * (k % v.grid.size[0])) - .5 * double(grid.size[0] - 1);
      const double y = double(2 * (k / v.grid.size[0])) - .5 * double(grid.size[1] - 1);
      v.values[k] = static_cast<float>(growth * x * grid.spacing[0]);
      v.values[v.grid.voxels() + k] = static_cast<float>(growth * y * grid.spacing[1]);
    }
    write_velocity(run.velocities() / native_to_atlas_velocity_name(subject.id), Velocity(v));
    record.subjects.push_back(subject);
  }
  write_model(run.model(), model);
  write_record(run, record);
}

// 13 subjects from 20 to 80, whose mean is the population's disc.
inline std::vector<Disc> ageing_discs() {
  std::vector<Disc> discs;
  for (int k = 0; k < 13; ++k) discs.push_back({radius_at(20 + 5 * k), 20.0 + 5 * k});
  return discs;
}

}  // namespace aladdin::testing
