// What an X5 file may hold beside what we write: formats_test.cpp has the round trips, bench/formats NiTransforms' own files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "aladdin/transform/test_fields.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin {
namespace {

using namespace testing;
using ::testing::HasSubstr;

class X5 : public ::testing::Test {
 protected:
  X5() : grid_(oblique_grid(3, {7, 6, 5})) {
    write_transform(path_, {smooth_field(grid_, 1, 1, 3), translation({1, 2, 3})}, {});
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }

  // Changes the good file, a field and then an affine, and says what reading it gives.
  std::string after(const std::function<void(hid_t file)>& change) const {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    change(file);
    H5Fclose(file);
    return error_of([&] { read_transform(path_); });
  }
  static void set_text(hid_t file, const char* group, const char* name, const char* text) {
    const hid_t one = H5Oopen(file, group, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Adelete(one, name);
    const hid_t attribute = H5Acreate2(one, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, &text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    H5Oclose(one);
  }

  TemporaryFolder folder_;
  Path path_ = folder_ / "a.x5";
  Grid grid_;
};

TEST_F(X5, TheOrderOfTheChainCounts) {
  EXPECT_EQ(after([](hid_t) {}), "");
  EXPECT_EQ(read_transform(path_).size(), 2U);
  EXPECT_THAT(after([](hid_t file) { H5Ldelete(file, "TransformChain", H5P_DEFAULT); }),
              HasSubstr("2 transforms and no chain"));
  EXPECT_EQ(after([](hid_t file) { H5Ldelete(file, "TransformGroup/1", H5P_DEFAULT); }), "");
  const Chain one = read_transform(path_);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Displacement>(one[0]));
}

TEST_F(X5, WhatIsNotSupportedIsNamed) {
  EXPECT_THAT(after([](hid_t file) {
                set_text(file, "TransformGroup/0", "Representation", "coefficients");
              }),
              HasSubstr("'nonlinear' coefficients"));
  EXPECT_THAT(after([](hid_t file) { set_text(file, "/", "Format", "X6"); }),
              HasSubstr("its format is not X5"));
  write_bytes(path_, "\x89HDF\r\n");
  EXPECT_THAT(error_of([&] { read_transform(path_); }), HasSubstr("not an HDF5 file"));
}

TEST_F(X5, PositionsAreTurnedIntoDisplacements) {
  const Chain before = read_transform(path_);
  EXPECT_EQ(after([](hid_t file) {
              set_text(file, "TransformGroup/0", "Representation", "deformations");
            }),
            "");
  const Chain now = read_transform(path_);  // the displacements, read as positions
  const auto& was = std::get<Displacement>(before[0]).vectors;
  const auto& is = std::get<Displacement>(now[0]).vectors;
  for (std::int64_t v = 0; v < grid_.voxels(); ++v) {
    const Vec3 point = grid_.to_point(index_of(grid_, v));
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(is.component(c)[v], was.component(c)[v] - point[c], 1e-5);
  }
}

TEST_F(X5, TwoDimensionsAreRefused) {
  const Grid flat = oblique_grid(2, small_size(2));
  EXPECT_THAT(
      error_of([&] { write_transform(folder_ / "b.x5", {smooth_field(flat, 1, 1, 3)}, {}); }),
      HasSubstr("3-D"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.x5"));
}

// A size that the numbers do not have, cuts and flipped bytes: one sentence, or a sound chain.
TEST_F(X5, DamageIsRefusedInOneSentence) {
  EXPECT_NE(after([](hid_t file) {
              const hid_t set = H5Dopen2(file, "TransformGroup/0/Domain/Size", H5P_DEFAULT);
              const std::int64_t size[] = {1 << 20, 1 << 20, 1 << 20};
              H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, size);
              H5Dclose(set);
            }),
            "");
  write_transform(path_, {smooth_field(grid_, 1, 1, 3), translation({1, 2, 3})}, {});
  const std::string whole = read_text(path_);
  int refused = 0;
  const auto meet = [&](const std::string& bytes) {
    write_bytes(path_, bytes);
    const std::string sentence = error_of([&] { read_transform(path_); });
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    refused += !sentence.empty();
  };
  for (std::size_t length = 0; length < whole.size(); length += whole.size() / 20 + 1)
    meet(whole.substr(0, length));
  EXPECT_EQ(refused, 20);
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 24 + 1) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    meet(bytes);
  }
}

}  // namespace
}  // namespace aladdin
