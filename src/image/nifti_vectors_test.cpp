// Vector fields of SPM and NiftyReg: told by their headers, converted to displacements in LPS mm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr std::int16_t kVectors = 1007;

using Map = std::function<Vec3(const Vec3&)>;  // of RAS mm

// Oblique and anisotropic, RAS: two rotations times the spacing, far from the origin.
struct Field {
  std::vector<int> size{5, 4, 3, 1, 3};
  double spacing[3] = {0.8, 1.3, 2.5};
  Mat3 axes{};
  Vec3 offset{-73.5, 41.25, 118.0};

  Field() {
    const double a = 0.35, b = -0.2;
    const Mat3 z{{{std::cos(a), -std::sin(a), 0}, {std::sin(a), std::cos(a), 0}, {0, 0, 1}}};
    const Mat3 x{{{1, 0, 0}, {0, std::cos(b), -std::sin(b)}, {0, std::sin(b), std::cos(b)}}};
    axes = z * x;
  }

  Vec3 ras(int i, int j, int k) const {
    return offset + axes * Vec3{i * spacing[0], j * spacing[1], k * spacing[2]};
  }

  Nifti1 header(const std::string& name, float p1, int intent = kVectors,
                const std::string& description = "") const {
    Nifti1 file(size, 16, 32);
    file.set<std::int16_t>(68, static_cast<std::int16_t>(intent)).set<float>(56, p1);
    file.set<std::int16_t>(254, 1);
    for (int d = 0; d < 3; ++d) {
      file.set<float>(80 + 4 * d, static_cast<float>(spacing[d]));
      for (int c = 0; c < 3; ++c)
        file.set<float>(280 + 16 * d + 4 * c, static_cast<float>(axes[d][c] * spacing[c]));
      file.set<float>(280 + 16 * d + 12, static_cast<float>(offset[d]));
    }
    file.bytes.replace(328, name.size(), name);
    file.bytes.replace(148, description.size(), description);
    return file;
  }

  std::vector<float> values(const Map& stored) const {
    std::vector<float> out;
    for (int c = 0; c < size[4]; ++c)
      for (int k = 0; k < size[2]; ++k)
        for (int j = 0; j < size[1]; ++j)
          for (int i = 0; i < size[0]; ++i)
            out.push_back(static_cast<float>(stored(ras(i, j, k))[c]));
    return out;
  }

  // How far the field that is read is from `map` at any voxel, in mm.
  double worst(const VectorImage& read, const Map& map) const {
    double most = 0;
    std::int64_t v = 0;
    for (int k = 0; k < size[2]; ++k)
      for (int j = 0; j < size[1]; ++j)
        for (int i = 0; i < size[0]; ++i, ++v) {
          const Vec3 lps = read.grid.to_point({1.0 * i, 1.0 * j, 1.0 * k});
          const Vec3 to = map(ras(i, j, k));
          const Vec3 want{-to[0], -to[1], to[2]};
          Vec3 got = lps;
          for (int c = 0; c < read.grid.dims; ++c) got[c] += read.component(c)[v];
          if (read.grid.dims == 2) got[2] = want[2];
          most = std::max(most, norm(got - want));
        }
    return most;
  }
};

Vec3 same(const Vec3& ras) { return ras; }
Vec3 shifted(const Vec3& ras) { return ras + Vec3{3.5, -7.25, 12.0}; }
Vec3 affine(const Vec3& ras) {
  return Mat3{{{1.05, 0.1, -0.02}, {-0.08, 0.93, 0.04}, {0.01, -0.06, 1.1}}} * ras + Vec3{4, -2, 9};
}
const std::pair<const char*, Map> kMaps[] = {
    {"identity", same}, {"shift", shifted}, {"affine", affine}};

Map displacement_of(const Map& map) {
  return [map](const Vec3& ras) { return map(ras) - ras; };
}

TEST(ForeignVectors, PositionsAndDisplacementsBecomeTheSameMap) {
  const TemporaryFolder folder;
  const Field field;
  for (const auto& [name, map] : kMaps) {
    const std::pair<Nifti1, VectorKind> files[] = {
        {field.header("Mapping", 0), VectorKind::spm_positions},
        {field.header("", 0, 0, "Deformation"), VectorKind::spm_positions},
        {field.header("", 0, 0, "Inverse Deformation"), VectorKind::spm_positions},
        {field.header("NREG_TRANS", 0), VectorKind::niftyreg_positions},
        {field.header("NREG_TRANS", 1), VectorKind::niftyreg_displacements}};
    for (auto [file, kind] : files) {
      const bool moves = kind == VectorKind::niftyreg_displacements;
      file.append(field.values(moves ? displacement_of(map) : map)).save(folder / "y.nii");
      EXPECT_EQ(read_header(folder / "y.nii").vectors, kind) << name;
      EXPECT_LT(field.worst(read_vectors(folder / "y.nii"), map), 1e-3) << name;
    }
  }
}

TEST(ForeignVectors, Version2SaysTheSame) {
  const TemporaryFolder folder;
  const Field field;
  Nifti1 first = field.header("NREG_TRANS", 1);
  first.append(field.values(displacement_of(affine)));
  Nifti1 second = as_version_2(first);
  second.set<double>(80, 1);
  second.bytes.replace(508, 10, "NREG_TRANS");
  second.save(folder / "f.nii");
  EXPECT_EQ(read_header(folder / "f.nii").vectors, VectorKind::niftyreg_displacements);
  EXPECT_LT(field.worst(read_vectors(folder / "f.nii"), affine), 1e-3);
}

TEST(ForeignVectors, UnitsOfTheGeometryAreThoseOfTheVectors) {
  const TemporaryFolder folder;
  const Field field;
  Nifti1 file = field.header("NREG_TRANS", 0);
  file.bytes[123] = 3;  // micrometres
  file.append(field.values(shifted)).save(folder / "f.nii");
  const VectorImage read = read_vectors(folder / "f.nii");
  EXPECT_NEAR(read.component(0)[7], -3.5e-3, 1e-6);
  EXPECT_NEAR(read.component(2)[7], 12e-3, 1e-6);
}

TEST(ForeignVectors, FieldsThatNameNoConventionStayLps) {
  const TemporaryFolder folder;
  const Field field;
  for (const char* name : {"", "Mapped", "mapping", "anything"}) {
    field.header(name, 1).append(field.values(shifted)).save(folder / "f.nii");
    EXPECT_EQ(read_header(folder / "f.nii").vectors, VectorKind::displacements) << name;
    EXPECT_EQ(read_vectors(folder / "f.nii").component(1)[0],
              static_cast<float>(shifted(field.ras(0, 0, 0))[1]));
  }
}

TEST(ForeignVectors, WhatIsNoDisplacementPerVoxelIsRefusedByName) {
  const TemporaryFolder folder;
  const Field field;
  const auto refusal = [&](const std::string& name, float p1) {
    field.header(name, p1).append(field.values(same)).save(folder / "f.nii");
    return error_of([&] { read_vectors(folder / "f.nii"); });
  };
  for (const float code : {2.F, 6.F})
    EXPECT_THAT(refusal("NREG_TRANS", code), HasSubstr("is a NiftyReg control-point grid"));
  for (const float code : {3.F, 4.F, 5.F})
    EXPECT_THAT(refusal("NREG_TRANS", code), HasSubstr("is a NiftyReg velocity field"));
  for (const float code : {-1.F, 0.5F, 7.F, std::nanf("")})
    EXPECT_THAT(refusal("NREG_TRANS", code), HasSubstr("of an unknown kind"));
  EXPECT_THAT(refusal("NREG_CPP_FILE", 0), HasSubstr("'NREG_CPP_FILE'"));
}

TEST(ForeignVectors, MutatedHeadersAreNotMistakenForMappings) {
  const TemporaryFolder folder;
  Field field;
  // Neither another description nor another number of components makes a mapping.
  field.header("", 0, 0, "Deformed").append(field.values(same)).save(folder / "f.nii");
  EXPECT_THAT(error_of([&] { read_header(folder / "f.nii"); }), HasSubstr("is 5-D"));
  field.size[4] = 2;
  field.header("", 0, 0, "Deformation").append(field.values(same)).save(folder / "f.nii");
  EXPECT_THAT(error_of([&] { read_header(folder / "f.nii"); }), HasSubstr("is 5-D"));
  field.header("Mapping", 0).append(field.values(same)).save(folder / "f.nii");
  EXPECT_THAT(error_of([&] { read_vectors(folder / "f.nii"); }), HasSubstr("2 values per voxel"));
}

TEST(ForeignVectors, VoxelsThatGoNowhereAreCounted) {
  const TemporaryFolder folder;
  const Field field;
  auto values = field.values(same);
  values[3] = values[9] = std::nanf("");
  field.header("Mapping", 0).append(values).save(folder / "iy.nii");
  EXPECT_THAT(error_of([&] { read_vectors(folder / "iy.nii"); }),
              HasSubstr("2 of its 180 values are NaN"));
}

TEST(ForeignVectors, SlicesAreConvertedWhereTheyLieInTheWorldsPlane) {
  const TemporaryFolder folder;
  Field field;
  field.size = {6, 5, 1, 1, 2};
  const double a = 0.4;
  field.axes = {{{std::cos(a), -std::sin(a), 0}, {std::sin(a), std::cos(a), 0}, {0, 0, 1}}};
  const Map shift = [](const Vec3& ras) { return ras + Vec3{2, -3, 0}; };
  field.header("NREG_TRANS", 0).append(field.values(shift)).save(folder / "f.nii");
  EXPECT_LT(field.worst(read_vectors(folder / "f.nii"), shift), 1e-3);
  field.axes = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};  // coronal
  field.header("NREG_TRANS", 0).append(field.values(shift)).save(folder / "f.nii");
  EXPECT_THAT(error_of([&] { read_vectors(folder / "f.nii"); }), HasSubstr("not axial"));
}

}  // namespace
}  // namespace aladdin
