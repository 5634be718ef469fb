// make_findings 2d|3d|groups PAGE: the page of made-up findings, for the tests of the page in a browser.
//
// An ellipse with two structures; the left one shrinks with age, the right one grows. All is computed from hashes: the
// same page on every machine.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>

#include "aladdin/report/findings_page.h"

namespace {

using aladdin::stats::Findings;

double noise(std::uint64_t key) {
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    key += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = key;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    sum += static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53 - .5;
  }
  return sum * 1.73;
}

struct Place {
  double radius, left, right;  // 1 on the ellipse; distance from the two structures
};

Place place(const aladdin::Grid& grid, std::int64_t i, std::int64_t j, std::int64_t k) {
  const double x = 2.0 * (i + .5) / grid.size[0] - 1;
  const double y = 2.0 * (j + .5) / grid.size[1] - 1;
  const double z = grid.dims == 3 ? 2.0 * (k + .5) / grid.size[2] - 1 : 0;
  return {std::sqrt((x * x + y * y + z * z) / .81), std::hypot(x + .35, y - .1, z),
          std::hypot(x - .35, y + .2, z)};
}

Findings make(const std::string& kind) {
  Findings f;
  const bool flat = kind == "2d";
  const bool grouped = kind == "groups";
  aladdin::Grid grid;
  grid.dims = flat ? 2 : 3;
  grid.size = flat ? aladdin::Size3{160, 192, 1} : aladdin::Size3{60, 72, 60};
  grid.spacing = flat ? aladdin::Vec3{1, 1, 1} : aladdin::Vec3{3, 3, 3};
  grid.origin = {-90, -110, flat ? 0.0 : -80};
  f.title = flat ? "Age in 100 subjects" : "Age and <i>volume</i> & more";
  f.model = "log J ~ age + sex + volume of the brain";
  f.test = grouped ? "diagnosis (3 groups)" : "age";
  f.measure = "absolute log-Jacobian, smoothed by 4 mm";
  f.statistic = grouped ? "F" : "t";
  f.dof_test = grouped ? 2 : 1;
  f.dof_error = 96;
  f.permutations = 5000;
  f.atlas = aladdin::Image(grid);
  f.labels = aladdin::Labels(grid);
  f.label_names = {{1, "left caudate"}, {2, "right putamen"}};
  f.tested_name = grouped ? "diagnosis" : "age (years)";
  const int subjects = 100;
  for (int s = 0; s < subjects; ++s) {
    f.ids.push_back("sub-" + std::to_string(s + 1));
    if (grouped)
      f.groups.push_back(s % 3 == 0 ? "control" : s % 3 == 1 ? "MCI" : "Alzheimer");
    else
      f.tested.push_back(60 + 12 * noise(s));
  }
  std::int64_t peaks[2] = {0, 0};
  float best[2] = {0, 0};
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const Place at = place(grid, i, j, k);
        const std::int64_t voxel = grid.offset(i, j, k);
        if (at.radius > 1) continue;
        f.labels.at(i, j, k) = at.left < .22 ? 1 : at.right < .22 ? 2 : 0;
        f.atlas.at(i, j, k) = static_cast<float>(.45 + .35 * std::sin(9 * at.radius) * .6 +
                                                 (f.labels.at(i, j, k) != 0 ? .2 : 0));
        const double raw =
            -7 * std::exp(-std::pow(at.left / .24, 2)) +
            5.5 * std::exp(-std::pow(at.right / .2, 2)) +
            1.1 * std::sin(i * .35 + std::cos(j * .3)) * std::cos(j * .27 + k * .31) +
            .25 * noise(900 + voxel);
        const double t = grouped ? raw * raw / 2 : raw;
        const double size = std::abs(raw);
        f.voxels.push_back(voxel);
        f.maps.statistic.push_back(static_cast<float>(t));
        if (!grouped) {
          f.maps.effect.push_back(static_cast<float>(t * .0011));
          f.maps.effect_low.push_back(static_cast<float>((t - 1.98) * .0011));
          f.maps.effect_high.push_back(static_cast<float>((t + 1.98) * .0011));
        }
        const double r = t / std::sqrt(t * t + 96);
        const double p = std::erfc(size / std::sqrt(2.0));
        f.maps.partial_r.push_back(static_cast<float>(grouped ? std::abs(r) : r));
        f.maps.p.push_back(static_cast<float>(p));
        f.maps.p_fdr.push_back(static_cast<float>(std::min(1.0, 12 * p)));
        f.maps.p_fwe.push_back(static_cast<float>(std::min(1.0, 4000 * p)));
        f.maps.tfce.push_back(static_cast<float>(raw * size * 40));
        f.maps.p_tfce.push_back(static_cast<float>(std::max(1 / 5001.0, std::min(1.0, 900 * p))));
        for (int s = 0; s < subjects; ++s) {
          const double term = grouped ? (s % 3) - 1.0 : (f.tested[s] - 60) / 12;
          f.data.push_back(
              static_cast<float>(.02 * raw * term / 2 + .05 * noise((voxel << 12) + s)));
        }
        const int which = raw < 0 ? 0 : 1;
        if (std::abs(t) > best[which]) {
          best[which] = static_cast<float>(std::abs(t));
          peaks[which] = voxel;
        }
      }
  for (const int which : {0, 1}) {
    aladdin::stats::Cluster c;
    const std::int64_t at = peaks[which];
    c.peak_index = {at % grid.size[0], at / grid.size[0] % grid.size[1],
                    at / (grid.size[0] * grid.size[1])};
    c.peak_mm =
        grid.to_point({static_cast<double>(c.peak_index[0]), static_cast<double>(c.peak_index[1]),
                       static_cast<double>(c.peak_index[2])});
    c.voxels = which == 0 ? 1200 : 640;
    c.volume = static_cast<double>(c.voxels) * (flat ? 1 : 27);
    c.structure = f.label_names[which + 1];
    c.statistic = which == 0 && !grouped ? -best[0] : best[which];
    c.effect = c.statistic * .0011;
    c.partial_r = c.statistic / std::sqrt(c.statistic * c.statistic + 96);
    c.p_corrected = which == 0 ? .0002 : .004;
    f.clusters.push_back(c);
  }
  const char* names[] = {"left caudate",      "right putamen",  "left hippocampus",
                         "right hippocampus", "left amygdala",  "right amygdala",
                         "left thalamus",     "right thalamus", "lateral ventricles",
                         "<b>brain stem</b>", "cerebellum",     "left accumbens"};
  for (int s = 0; s < 12; ++s) {
    aladdin::stats::StructureFinding g;
    g.label = s + 1;
    g.name = names[s];
    g.mean = 3000 + 400 * s;
    g.statistic = s == 0 ? -6.4 : s == 8 ? 7.2 : 2 * noise(77 + s);
    const double error = g.mean * .0008 * (1 + .5 * std::abs(noise(s + 5)));
    g.effect = g.statistic * error;
    g.effect_low = g.effect - 1.98 * error;
    g.effect_high = g.effect + 1.98 * error;
    g.partial_r = g.statistic / std::sqrt(g.statistic * g.statistic + 96);
    g.p = std::erfc(std::abs(g.statistic) / std::sqrt(2.0));
    g.p_fdr = std::min(1.0, g.p * 4);
    g.p_fwe = std::min(1.0, g.p * 12);
    f.structures.push_back(g);
  }
  f.notes.push_back("Two of 102 subjects have no age and were left out.");
  return f;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "make_findings 2d|3d|groups PAGE\n";
    return 2;
  }
  std::ofstream out(argv[2], std::ios::binary);
  out << aladdin::report::findings_page(make(argv[1]));
  return out.good() ? 0 : 1;
}
