// For the tests: a small cohort of balls on disk, each at another place on the same grid.
#pragma once

#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"
#include "aladdin/method/training_data.h"
#include "aladdin/network/test_model.h"

namespace aladdin::testing {

// The cohort of a table; its images are on the grid of s0.nii.gz and stay where they are.
inline Dataset load_cohort(const TemporaryFolder& folder, const std::string& csv) {
  write_bytes(folder / "cohort.csv", csv);
  const Cohort cohort = read_cohort((folder / "cohort.csv").string());
  const auto scans = scan_cohort(cohort);
  WorkingGridOptions options;
  options.like = folder / "s0.nii.gz";
  options.centre = false;
  options.multiple = 4;
  return Dataset(cohort, scans, choose_working_grid(cohort, scans, options), {Storage::memory});
}

struct BallCohort {
  int dims = 2;
  int subjects = 3;
  bool labels = false;
  bool alike = false;                 // all at the same place
  std::vector<std::string> splits{};  // of the first subjects; the others have "train"

  Grid grid() const {
    Grid out;
    out.dims = dims;
    out.size = {16, 20, dims == 2 ? 1 : 12};
    out.spacing = dims == 2 ? Vec3{0.8, 1.1, 1} : Vec3{0.8, 1.1, 1.3};
    return out;
  }
  Image image(int subject) const { return ball(grid(), alike ? 0 : 0.6 * subject - 1); }

  Dataset write(const TemporaryFolder& folder) const {
    std::string csv = labels ? "id,image,label,split\n" : "id,image,split\n";
    for (int n = 0; n < subjects; ++n) {
      const std::string name = fmt::format("s{}.nii.gz", n);
      write_image(folder / name, image(n));
      csv += fmt::format("s{},{},", n, name);
      if (labels) {
        Labels map(grid());
        const Image inside = image(n);
        for (std::size_t v = 0; v < inside.values.size(); ++v)
          map.values[v] = inside.values[v] > 0.5F ? 4 : 0;
        write_labels(folder / ("label_" + name), map);
        csv += "label_" + name + ",";
      }
      csv += (n < int(splits.size()) ? splits[n] : "train") + "\n";
    }
    return load_cohort(folder, csv);
  }
};

// Settings that train on such a cohort in a moment.
inline Config small_config() {
  Config config;
  config.network.width = 2;
  config.network.depth = 2;
  config.network.passes = {2, 1};
  config.network.squarings = 3;
  config.train.engine = Engine::learn;
  config.train.pyramid = {2, 1};
  config.train.epochs = {2, 2};
  config.train.least = 1;
  config.atlas.every = 1;
  return config;
}

}  // namespace aladdin::testing
