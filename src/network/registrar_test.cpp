#include "aladdin/network/registrar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/dataset.h"
#include "aladdin/image/io.h"
#include "aladdin/image/resample.h"
#include "aladdin/image/test_files.h"
#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/pyramid.h"
#include "aladdin/kernels/similarity.h"
#include "aladdin/kernels/warp.h"
#include "aladdin/network/test_model.h"
#include "aladdin/network/unet_inference.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin {
namespace {

using ::testing::HasSubstr;

// A network that says `bias` everywhere, whatever it sees.
Model constant_model(const UnetOptions& network, const Size3& size, float bias) {
  Model model = testing::make_model(network, size);
  for (auto& values : model.parameters) std::fill(values.begin(), values.end(), 0.0F);
  std::fill(model.parameters.back().begin(), model.parameters.back().end(), bias);
  return model;
}

TEST(Registrar, VelocitiesDoubleFromPassToPassAndAdd) {
  for (const int scale : {1, 2})
    for (const int dims : {2, 3}) {
      // 13, 17, 9 are odd on the way down, and fall below the network's unit of 4.
      Model model = constant_model({dims, 2, 4, 2, scale}, {13, 17, dims == 2 ? 1 : 9}, 0.25F);
      for (const auto& [passes, expected] :
           std::vector<std::pair<std::vector<int>, float>>{{{1}, 0.25F},
                                                           {{4, 2, 1}, 7 * 0.25F},
                                                           {{4, 1}, 5 * 0.25F},
                                                           {{2, 2, 1, 1}, 6 * 0.25F}}) {
        model.passes = passes;
        model.centre.clear();
        for (const float value : Registrar(model).register_prepared(model.atlas.values, {}, 0))
          ASSERT_FLOAT_EQ(value, expected);
        model.centre.assign(velocity_grid(model).voxels() * dims, 0.5F);
        for (const float value : Registrar(model).register_prepared(model.atlas.values, {}, 0))
          ASSERT_FLOAT_EQ(value, expected - 0.5F);
      }
    }
}

TEST(Registrar, PassesFollowTheirFormula) {
  // Weights of full size, so that the velocities are large; written out with the reference kernels.
  UnetOptions options{3, 2, 4, 2, 2, true};
  Model model = testing::make_model(options, {20, 16, 12});
  model.passes = {2, 1};
  model.squarings = 4;
  const Image image = testing::ball(model.padded, 1.5);
  const kernels::Shape full{1, 12, 16, 20, 3}, half = kernels::half(full),
                                               quarter = kernels::half(half);
  const auto half_of = [&](const std::vector<float>& in) {
    std::vector<float> out(half.voxels());
    kernels::reference::reduce(in.data(), out.data(), full, 1);
    return out;
  };
  UnetInference network(options, model.parameters);
  const auto run = [&](std::vector<float> a, const std::vector<float>& b, const kernels::Shape& s) {
    a.insert(a.end(), b.begin(), b.end());
    std::vector<float> out(3 * kernels::half(s).voxels());
    network.velocity(a.data(), {1, 2, s.d, s.h, s.w}, out.data());
    return out;
  };
  const auto first = run(half_of(model.atlas.values), half_of(image.values), half);
  ASSERT_EQ(first.size(), std::size_t(3 * quarter.voxels()));
  std::vector<float> v(3 * half.voxels()), u(v.size()), whole(3 * full.voxels()),
      moved(full.voxels());
  kernels::reference::refine(first.data(), v.data(), half);
  kernels::reference::exponential(v.data(), u.data(), half, 4, 1.0F, kernels::Border::zero);
  kernels::reference::refine(u.data(), whole.data(), full);
  kernels::reference::warp(image.values.data(), whole.data(), moved.data(), full, 1,
                           kernels::Border::clamp);
  const auto second = run(model.atlas.values, moved, full);
  const auto found = Registrar(model).register_prepared(image.values, {}, 0);
  ASSERT_EQ(found.size(), v.size());
  double largest = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    ASSERT_NEAR(found[i], v[i] + second[i], 1e-4);
    largest = std::max(largest, std::abs(double(v[i])));
  }
  EXPECT_GT(largest, 0.05);
}

TEST(Registrar, ANewImageIsPreparedAsAMemberOfTheCohort) {
  const testing::TemporaryFolder folder;
  Cohort cohort;
  for (int i = 0; i < 3; ++i) {
    Grid grid;
    grid.size = {20 + i, 17, 12 + i % 2};
    grid.spacing = {1, 1.5, 2};
    grid.origin = {10.25 * i, -7, 3};
    if (i == 1) grid.direction = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
    if (i == 2) grid.spacing[2] = 1.75;
    Image image = testing::ball(grid, i);
    for (float& value : image.values) value = 100 + 50 * value;
    Subject subject;
    subject.id = fmt::format("s{}", i);
    subject.image = folder / (subject.id + ".nii");
    write_image(subject.image, image);
    subject.grid = read_header(subject.image).grid;
    cohort.subjects.push_back(subject);
  }
  const auto scans = scan_cohort(cohort);
  WorkingGridOptions options;
  options.multiple = 4;
  const WorkingGrid working = choose_working_grid(cohort, scans, options);
  const Dataset dataset(cohort, scans, working);
  Model model = constant_model({3, 2, 4, 2, 1}, {8, 8, 8}, 0);
  set_geometry(model, working);
  model.atlas = Image(model.padded, 0.5F);
  Registrar registrar(model);
  for (std::size_t i = 0; i < 3; ++i) {
    const RegisteredImage done = registrar.register_image(read_image(cohort.subjects[i].image));
    std::vector<float> expected(working.padded.voxels());
    dataset.image(i, expected.data());
    EXPECT_LT(norm(done.shift - working.shift[i]), 1e-9);
    EXPECT_EQ(done.prepared.values, expected) << i;
  }
}

TEST(Registrar, FieldsCarryTheShiftAndTheVelocity) {
  // One voxel along x is 0.8 mm here; both fields are constant, up to the border.
  Model model = constant_model({3, 2, 4, 2, 2}, {12, 12, 12}, 0);
  model.parameters.back()[0] = 0.5F;  // x, in voxels of 1.6 mm
  Registrar registrar(model);
  Image native = testing::ball(model.visible);
  native.grid.origin = native.grid.origin + Vec3{50, -20, 5};
  const RegisteredImage done = registrar.register_image(native, nullptr, "image", 0);
  EXPECT_LT(norm(done.shift - Vec3{50, -20, 5}), 1e-9);
  const ExportedFields fields = registrar.fields(done, native.grid);
  for (std::int64_t v = 0; v < model.visible.voxels(); ++v) {
    ASSERT_NEAR(fields.native_to_atlas.vectors.component(0)[v], 50.8, 1e-4);
    ASSERT_NEAR(fields.native_to_atlas.vectors.component(1)[v], -20, 1e-4);
    ASSERT_NEAR(fields.atlas_to_native.vectors.component(0)[v], -50.8, 1e-4);
  }
  EXPECT_TRUE(same_grid(fields.atlas_to_native.grid(), native.grid));
}

TEST(Registrar, TheRightVelocityRaisesTheSimilarity) {
  // The image is the atlas moved by one voxel along every axis: phi(x) = x + 1.
  Model model = constant_model({3, 2, 4, 2, 1}, {24, 24, 24}, 1);
  model.centred_content = false;
  Registrar registrar(model);
  const Image image = testing::ball(model.padded, 1);
  const ExportedFields fields =
      registrar.fields(registrar.register_image(image, nullptr, "image", 0), image.grid);
  const Image atlas = registrar.atlas();
  EXPECT_TRUE(same_grid(atlas.grid, model.visible));
  const auto ncc = [&](const Chain& chain) {
    const Image moved = pull_back(image, chain, atlas.grid);
    const auto& size = atlas.grid.size;
    return 1 - kernels::ncc(atlas.values.data(), moved.values.data(), nullptr, nullptr,
                            {1, size[2], size[1], size[0], atlas.grid.dims});
  };
  EXPECT_LT(ncc({}), 0.95);
  EXPECT_GT(ncc({fields.native_to_atlas}), 0.999);
}

TEST(Registrar, WhatAnImageDoesNotShowIsNotMatched) {
  // The atlas's right half is textured; the image ends there, and what is filled in beyond it is flat.
  Model model = constant_model({3, 2, 4, 2, 1}, {24, 24, 24}, 0);
  model.passes.clear();
  model.parameters.clear();
  model.centred_content = false;
  model.atlas = testing::ball(model.padded);
  const auto& size = model.padded.size;
  for (std::int64_t v = 0; v < model.padded.voxels(); ++v)
    if (v % size[0] >= size[0] / 2) model.atlas.values[v] *= 0.5F + 0.4F * float(v / 3 % 2);
  Grid half = model.padded;
  half.size[0] /= 2;
  Registrar registrar(model);
  const RegisteredImage done = registrar.register_image(resample(model.atlas, half));
  const auto largest = [](const std::vector<float>& values) {
    return std::abs(*std::ranges::max_element(values, {}, [](float v) { return std::abs(v); }));
  };
  // As if what is filled in had been seen.
  const auto matched = registrar.register_prepared(done.prepared.values);
  EXPECT_LT(largest(done.found), 0.1F * largest(matched));
}

TEST(Registrar, DisplacementsAreInvertedInPlaceOfIntegrated) {
  for (const auto& [flow, sign] : {std::pair{FlowKind::image, 1.0F}, {FlowKind::atlas, -1.0F}}) {
    Model model = constant_model({3, 2, 4, 2, 2}, {12, 12, 12}, 0);
    model.flow = flow;
    model.parameters.back()[1] = 0.25F * sign;  // y, in voxels of twice the size
    Registrar registrar(model);
    const RegisteredImage done = registrar.register_image(testing::ball(model.visible));
    const Maps maps = registrar.maps(done.found);
    const auto voxels = model.padded.voxels();
    for (std::int64_t v = 0; v < voxels; ++v) {
      ASSERT_NEAR(maps.to_subject[voxels + v], 0.5, 1e-5);
      ASSERT_NEAR(maps.to_atlas[voxels + v], -0.5, 1e-5);
    }
    EXPECT_THAT(testing::error_of([&] {
                  registrar.register_image(testing::ball(model.visible), nullptr, "a", 3);
                }),
                HasSubstr("only velocities can be refined"));
  }
}

TEST(Registrar, AMethodWithoutGradientsRegistersByItsOwnMeans) {
  Model model = constant_model({3, 2, 4, 2, 1}, {24, 24, 24}, 0);
  model.passes.clear();
  model.parameters.clear();
  model.flow = FlowKind::image;
  model.centred_content = false;
  const Image image = testing::ball(model.padded, 1);
  const auto similarity = [&](const char* engine) {
    model.notes["settings"] =
        fmt::format("[train]\nengine = \"{}\"\n[demons]\niterations = 40\n", engine);
    Registrar registrar(model);
    const ExportedFields fields = registrar.fields(registrar.register_image(image), image.grid);
    const Image moved = pull_back(image, {fields.native_to_atlas}, model.visible);
    const auto& size = model.visible.size;
    return 1 - kernels::ncc(registrar.atlas().values.data(), moved.values.data(), nullptr, nullptr,
                            {1, size[2], size[1], size[0], 3});
  };
  const double none = similarity("none");
  EXPECT_LT(none, 0.95);
  EXPECT_GT(similarity("joshi"), 0.98);
  EXPECT_GT(similarity("absorb"), 0.98);
}

TEST(Registrar, AModelOfItsCohortAloneIsRefused) {
  Model model = testing::make_model({3, 2, 4, 2, 1}, {12, 12, 12});
  model.notes[kCohortOnly] = "it was built by 'joshi'";
  EXPECT_THAT(testing::error_of([&] { Registrar{model}; }), HasSubstr("own cohort only: it was"));
}

TEST(Registrar, UnusableImagesAreRefused) {
  const Model model = testing::make_model({3, 2, 4, 2, 1}, {12, 12, 12});
  Registrar registrar(model);
  const auto refusal = [&](const Image& image, const Labels* mask = nullptr) {
    return testing::error_of([&] { registrar.register_image(image, mask, "a.nii"); });
  };
  EXPECT_EQ(refusal(testing::ball(model.visible)), "");
  EXPECT_THAT(refusal(Image(model.visible, 3)), HasSubstr("'a.nii' is constant"));
  Grid flat;
  flat.dims = 2;
  flat.size = {8, 8, 1};
  EXPECT_THAT(refusal(testing::ball(flat)), HasSubstr("'a.nii' is 2-D, but the atlas is 3-D"));
  Labels mask(model.padded, 1);
  mask.grid.size[0] -= 1;
  EXPECT_THAT(refusal(testing::ball(model.padded), &mask), HasSubstr("the mask of 'a.nii'"));
}

}  // namespace
}  // namespace aladdin
