#include "aladdin/network/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/test_files.h"
#include "aladdin/network/safetensors.h"
#include "aladdin/network/test_model.h"

namespace aladdin {
namespace {

using ::testing::HasSubstr;

TEST(Model, EverythingComesBackToTheBit) {
  const testing::TemporaryFolder folder;
  for (const int dims : {2, 3}) {
    Model model = testing::make_model({dims, 2, 4, 2, 2, dims == 2}, {13, 17, dims == 2 ? 1 : 9});
    model.passes = {4, 2, 1};
    model.squarings = 5;
    model.centred_content = dims == 2;
    model.intensity = {0.5, 99.25};
    model.centre.assign(velocity_grid(model).voxels() * dims, 0.25F);
    model.notes["seed"] = "7";
    write_model(folder / "m.safetensors", model);
    const Model back = read_model(folder / "m.safetensors");
    EXPECT_EQ(back.network, model.network);
    EXPECT_EQ(back.passes, model.passes);
    EXPECT_EQ(back.squarings, 5);
    EXPECT_EQ(back.visible.origin, model.visible.origin);
    EXPECT_EQ(back.padded.origin, model.padded.origin);
    EXPECT_EQ(back.padded.size, model.padded.size);
    EXPECT_EQ(back.pad_before, model.pad_before);
    EXPECT_EQ(back.centred_content, model.centred_content);
    EXPECT_EQ(back.content_centre, model.content_centre);
    EXPECT_EQ(back.intensity.high_percent, 99.25);
    EXPECT_EQ(back.parameters, model.parameters);
    EXPECT_EQ(back.centre, model.centre);
    EXPECT_EQ(back.atlas.values, model.atlas.values);
    EXPECT_EQ(back.notes, model.notes);
  }
}

TEST(Model, WhatProgram01DoesNotKnowIsAnotherVersion) {
  const testing::TemporaryFolder folder;
  Model model = testing::make_model({3, 2, 4, 2, 1}, {9, 9, 9});
  const auto version = [&] {
    write_model(folder / "m", model);
    return Safetensors(folder / "m").text("version");
  };
  EXPECT_EQ(version(), "1");
  model.flow = FlowKind::image;
  EXPECT_EQ(version(), "2");
  EXPECT_EQ(read_model(folder / "m").flow, FlowKind::image);
  model.flow = FlowKind::velocity;
  model.affine_mean.assign(model.padded.voxels(), 0.5F);
  EXPECT_EQ(version(), "2");
  EXPECT_EQ(read_model(folder / "m").affine_mean, model.affine_mean);
}

TEST(Model, OtherVersionsAndOtherFilesAreRefusedByName) {
  const testing::TemporaryFolder folder;
  write_model(folder / "m", testing::make_model({3, 2, 4, 2, 1}, {9, 9, 9}));
  const auto refusal = [&](const std::string& key, const std::string& value) {
    Safetensors file(folder / "m");
    file.metadata[key] = value;
    file.write(folder / "changed");
    return testing::error_of([&] { read_model(folder / "changed"); });
  };
  EXPECT_EQ(refusal("note.x", "1"), "");
  EXPECT_THAT(refusal("version", "3"), HasSubstr("version 3, this program reads versions 1 to 2"));
  EXPECT_THAT(refusal("version", "0"), HasSubstr("build the model again"));
  EXPECT_THAT(refusal("version", "new"), HasSubstr("'new'"));
  EXPECT_THAT(refusal("format", "pt"), HasSubstr("not a model of aladdin"));
}

TEST(Model, HostileMetadataAreOneSentence) {
  const testing::TemporaryFolder folder;
  write_model(folder / "m", testing::make_model({3, 2, 4, 2, 1}, {9, 9, 9}));
  const auto refusal = [&](const std::string& key, const std::string& from, const std::string& to) {
    Safetensors file(folder / "m");
    std::string& text = file.metadata[key];
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << key << ": " << text;
    text.replace(at, from.size(), to);
    file.write(folder / "changed");
    return testing::error_of([&] { read_model(folder / "changed"); });
  };
  EXPECT_THAT(refusal("padded", "\"dims\":3", "\"dims\":30"), HasSubstr("30-D"));
  EXPECT_THAT(refusal("padded", "[12,12,12]", "[12,12,-12]"), HasSubstr("-12"));
  EXPECT_THAT(refusal("padded", "[12,12,12]", "[99999,99999,99999]"), HasSubstr("at most"));
  EXPECT_THAT(refusal("padded", "[12,12,12]", "[12,12]"), HasSubstr("damaged"));
  EXPECT_THAT(refusal("padded", "[12,12,12]", "[12,12,16]"), HasSubstr("'atlas'"));
  EXPECT_THAT(refusal("visible", "[9,9,9]", "[9,9,99]"), HasSubstr("within the padded"));
  EXPECT_THAT(refusal("visible", "0.8", "0.7"), HasSubstr("not those of the padded"));
  EXPECT_THAT(refusal("visible", "[1.0,0.0,0.0]", "[-1.0,0.0,0.0]"),
              HasSubstr("not those of the padded"));
  EXPECT_THAT(refusal("network", "\"width\":4", "\"width\":5"), HasSubstr("expected F32 (5"));
  EXPECT_THAT(refusal("network", "\"width\":4", "\"width\":-1"), HasSubstr("-1 channels wide"));
  EXPECT_THAT(refusal("network", "\"depth\":2", "\"depth\":3"), HasSubstr("no tensor"));
  EXPECT_THAT(refusal("network", "\"depth\":2", "\"deep\":3"), HasSubstr("damaged"));
  EXPECT_THAT(refusal("network", "{", ""), HasSubstr("damaged"));
  EXPECT_THAT(refusal("passes", "[1]", "[3,1]"), HasSubstr("powers of 2"));
  EXPECT_THAT(refusal("passes", "[1]", "[2]"), HasSubstr("last pass"));
  EXPECT_THAT(refusal("squarings", "7", "70"), HasSubstr("70 squarings"));
}

TEST(Model, WhatDoesNotFitTogetherIsNotWritten) {
  const testing::TemporaryFolder folder;
  const Model good = testing::make_model({3, 2, 4, 2, 1}, {9, 9, 9});
  const auto refusal = [&](const std::function<void(Model&)>& change) {
    Model model = good;
    change(model);
    const auto said = testing::error_of([&] { write_model(folder / "m", model); });
    EXPECT_FALSE(std::filesystem::exists(folder / "m"));
    return said;
  };
  EXPECT_THAT(refusal([](Model& m) { m.parameters[0].pop_back(); }), HasSubstr("down0.weight"));
  EXPECT_THAT(refusal([](Model& m) { m.atlas.values.pop_back(); }), HasSubstr("atlas"));
  EXPECT_THAT(refusal([](Model& m) { m.centre = {1}; }), HasSubstr("centre has 1"));
  EXPECT_THAT(refusal([](Model& m) { m.affine_mean = {1}; }), HasSubstr("alignment has 1"));
  EXPECT_THAT(refusal([](Model& m) {
                m.flow = FlowKind::atlas;
                m.passes = {2, 1};
              }),
              HasSubstr("expected one"));
  EXPECT_THAT(refusal([](Model& m) { m.parameters[2][1] = NAN; }), HasSubstr("not finite"));
}

}  // namespace
}  // namespace aladdin
