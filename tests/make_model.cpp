// make_model IMAGE MODEL [WIDTH DEPTH SCALE SHIFT PASS…]: a model file whose atlas is IMAGE and whose
// network says SHIFT voxels along every axis wherever it looks; SHIFT '-' leaves it untrained instead.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/image/prepare.h"
#include "aladdin/network/model.h"

using namespace aladdin;

int main(int argc, char** argv) try {
  if (argc < 3) return std::fprintf(stderr, "make_model IMAGE MODEL …\n"), 2;
  const Image image = read_image(argv[1]);
  const auto number = [&](int n, int otherwise) {
    return argc > n ? std::atoi(argv[n]) : otherwise;
  };
  Model model;
  model.network.dims = image.grid.dims;
  model.network.width = number(3, 2);
  model.network.depth = number(4, 2);
  model.network.velocity_scale = number(5, 1);
  model.visible = image.grid;
  model.pad_before = pad_to_multiple(model.visible, 1 << model.network.depth, model.padded);
  model.content_centre = model.visible.centre();
  model.parameters = initial_parameters(model.network, 1);
  if (const std::string shift = argc > 6 ? argv[6] : "0"; shift != "-") {
    for (auto& values : model.parameters) values.assign(values.size(), 0.0F);
    for (float& value : model.parameters.back()) value = std::stof(shift);
  }
  if (argc > 7) {
    model.passes.clear();
    for (int n = 7; n < argc; ++n) model.passes.push_back(std::atoi(argv[n]));
  }
  model.atlas = prepare(image, find_intensity_map(image, nullptr, model.intensity, argv[1]),
                        model.padded, {0, 0, 0});
  write_model(argv[2], model);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
