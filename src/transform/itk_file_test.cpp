// Files that ITK writes, read by us and by ITK: the same points.
#include "aladdin/transform/itk_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <itkMatrixOffsetTransformBase.h>
#include <itkTransformFileReader.h>
#include <itk_hdf5.h>
#include <sys/stat.h>

#include "aladdin/transform/itk_test_transforms.h"
#include "aladdin/transform/test_fields.h"

namespace aladdin {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr const char* kFormats[] = {".tfm", ".txt", ".mat", ".h5"};

// As ITK's own reader has it.
template <unsigned Dims>
itk::TransformBase::Pointer itk_read(const Path& path) {
  itk::TransformFactory<itk::MatrixOffsetTransformBase<double, Dims, Dims>>::RegisterTransform();
  auto reader = itk::TransformFileReaderTemplate<double>::New();
  reader->SetFileName(path.string());
  reader->Update();
  return reader->GetTransformList()->front().GetPointer();
}

template <unsigned Dims>
void expect_same_points(const Path& path, double tolerance = 1e-12) {
  const Chain ours = read_itk_transform(path);
  const auto theirs = itk_read<Dims>(path);
  const auto& map = dynamic_cast<const itk::Transform<double, Dims, Dims>&>(*theirs);
  Rng rng(5);
  std::vector<Vec3> points(20, Vec3{0, 0, 0}), expected = points;
  for (std::size_t n = 0; n < points.size(); ++n) {
    itk::Point<double, Dims> point;
    for (unsigned axis = 0; axis < Dims; ++axis) points[n][axis] = point[axis] = rng.uniform(-9, 9);
    const auto mapped = map.TransformPoint(point);
    for (unsigned axis = 0; axis < Dims; ++axis) expected[n][axis] = mapped[axis];
  }
  map_points(ours, points);
  for (std::size_t n = 0; n < points.size(); ++n)
    EXPECT_LT(norm(points[n] - expected[n]), tolerance) << path;
}

template <class Real>
using Base = itk::TransformBaseTemplate<Real>;

// Random parameters and a random centre.
template <class Real>
void set_numbers(Base<Real>& transform, unsigned dims) {
  Rng rng(7);
  auto fixed = transform.GetFixedParameters();
  for (unsigned n = 0; n < std::min<unsigned>(dims, fixed.Size()); ++n)
    fixed[n] = rng.uniform(-5, 5);
  if (fixed.Size() > dims) fixed[dims] = 1;  // the other order of Euler's angles
  transform.SetFixedParameters(fixed);
  auto numbers = transform.GetParameters();
  for (auto& number : numbers) number += static_cast<Real>(rng.uniform(-0.2, 0.2));
  if (std::string(transform.GetNameOfClass()) == "Rigid3DTransform") {
    numbers.Fill(0);
    numbers[1] = numbers[5] = numbers[6] = 1;  // a rotation
    numbers[9] = 3;
  }
  transform.SetParametersByValue(numbers);
}

template <class Real, unsigned Dims>
bool is_affine(const Base<Real>& transform) {
  return dynamic_cast<const itk::MatrixOffsetTransformBase<Real, Dims, Dims>*>(&transform) ||
         dynamic_cast<const itk::TranslationTransform<Real, Dims>*>(&transform) ||
         std::string(transform.GetTransformTypeAsString()).starts_with("IdentityTransform");
}

template <class Real, unsigned Dims>
int every_affine_class_in_every_format(const TemporaryFolder& folder) {
  const std::string suffix =
      fmt::format("_{}_{}_{}", std::is_same_v<Real, float> ? "float" : "double", Dims, Dims);
  register_itk_formats();
  itk::TransformFactory<itk::MatrixOffsetTransformBase<Real, Dims, Dims>>::RegisterTransform();
  int classes = 0;
  for (const std::string& type : itk::TransformFactoryBase::GetFactory()->GetClassOverrideNames()) {
    if (!type.ends_with(suffix) || type.starts_with("AzimuthElevation")) continue;
    const auto made = itk::ObjectFactoryBase::CreateInstance(type.c_str());
    made->UnRegister();
    auto& transform = dynamic_cast<Base<Real>&>(*made);
    if (!is_affine<Real, Dims>(transform)) continue;
    set_numbers(transform, Dims);
    ++classes;
    for (const char* format : kFormats) {
      const Path path = folder / (type + format);
      write_with_itk(path, transform);
      expect_same_points<Dims>(path);
    }
  }
  return classes;
}

TEST(ItkFile, EveryAffineClassOfItkIsReadAsItkReadsIt) {
  const TemporaryFolder folder;
  EXPECT_GE((every_affine_class_in_every_format<double, 2>(folder)), 9);
  EXPECT_GE((every_affine_class_in_every_format<double, 3>(folder)), 18);
  EXPECT_GE((every_affine_class_in_every_format<float, 2>(folder)), 9);
  EXPECT_GE((every_affine_class_in_every_format<float, 3>(folder)), 18);
}

template <class Real, unsigned Dims>
void fields_and_composites() {
  const TemporaryFolder folder;
  register_itk_formats();
  for (const char* format : kFormats) {
    write_with_itk<Real>(folder / (std::string("field") + format), *small_itk_field<Real, Dims>());
    expect_same_points<Dims>(folder / (std::string("field") + format), 1e-6);
    if (std::string(format) == ".mat") continue;  // ITK writes no composite that it could read
    const Path path = folder / (std::string("composite") + format);
    write_with_itk<Real>(path, *small_itk_composite<Real, Dims>());
    expect_same_points<Dims>(path, 1e-6);
  }
}

TEST(ItkFile, FieldsAndCompositesAreReadAsItkReadsThem) {
  fields_and_composites<double, 2>();
  fields_and_composites<double, 3>();
  fields_and_composites<float, 2>();
  fields_and_composites<float, 3>();
}

TEST(ItkFile, CompressedFieldsAreRead) {
  const TemporaryFolder folder;
  register_itk_formats();
  auto writer = itk::TransformFileWriterTemplate<double>::New();
  writer->SetFileName((folder / "field.h5").string());
  writer->SetInput(small_itk_field<double, 3>());
  writer->SetUseCompression(true);
  writer->Update();
  expect_same_points<3>(folder / "field.h5", 1e-6);
}

TEST(ItkFile, SeveralTransformsWithoutACompositeStayInTheirOrder) {
  const TemporaryFolder folder;
  register_itk_formats();
  for (const char* format : kFormats) {
    auto writer = itk::TransformFileWriterTemplate<double>::New();
    const auto composite = small_itk_composite<double, 3>();
    writer->SetFileName((folder / (std::string("a") + format)).string());
    for (unsigned t = 0; t < 3; ++t) writer->AddTransform(composite->GetNthTransform(t));
    writer->Update();
    const Chain chain = read_itk_transform(folder / (std::string("a") + format));
    ASSERT_EQ(chain.size(), 3U) << format;
    EXPECT_TRUE(std::holds_alternative<Displacement>(chain[1])) << format;
    EXPECT_EQ(std::get<Affine>(chain[2]).offset[2], 2) << format;
  }
}

// Before ITK 4.7 the order of the angles was not stored.
TEST(ItkFile, AnEulerTransformMayHaveThreeFixedNumbers) {
  const TemporaryFolder folder;
  write_text(folder / "e.tfm",
             "#Insight Transform File V1.0\nTransform: Euler3DTransform_double_3_3\n"
             "Parameters: 0.1 0.2 0.3 1 2 3\nFixedParameters: 4 5 6\n");
  register_itk_formats();
  expect_same_points<3>(folder / "e.tfm");
}

// One of the two spellings is what ITK writes here.
TEST(ItkFile, BothSpellingsInHdf5AreRead) {
  const TemporaryFolder folder;
  register_itk_formats();
  const Path path = folder / "a.h5";
  write_with_itk<double>(path, *small_itk_field<double, 2>());
  const auto before = std::get<Displacement>(read_itk_transform(path).at(0)).vectors.values;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  for (const std::string end : {"Parameters", "FixedParameters"}) {
    std::string from = "/TransformGroup/0/Transform" + end, to = "/TransformGroup/0/Tranform" + end;
    if (H5Lexists(file, from.c_str(), H5P_DEFAULT) <= 0) std::swap(from, to);
    ASSERT_GE(H5Lmove(file, from.c_str(), file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
  }
  H5Fclose(file);
  EXPECT_EQ(std::get<Displacement>(read_itk_transform(path).at(0)).vectors.values, before);
}

TEST(ItkFile, ClassesThatAreNeitherAffineNorFieldsAreRefusedByName) {
  const TemporaryFolder folder;
  register_itk_formats();
  for (const char* name :
       {"BSplineTransform", "BSplineDeformableTransform", "ConstantVelocityFieldTransform",
        "TimeVaryingVelocityFieldTransform", "AzimuthElevationToCartesianTransform"})
    for (const char* format : kFormats) {
      const auto made =
          itk::ObjectFactoryBase::CreateInstance(fmt::format("{}_double_3_3", name).c_str());
      made->UnRegister();
      const Path path = folder / (std::string(name) + format);
      write_with_itk(path, dynamic_cast<itk::TransformBase&>(*made));
      EXPECT_EQ(error_of([&] { read_itk_transform(path); }),
                fmt::format("'{}' holds a {}, which is not supported; expected affine transforms, "
                            "displacement fields or composites of them",
                            path.string(), name));
    }
}

TEST(ItkFile, WhatIsNoFileIsRefusedAtOnce) {
  const TemporaryFolder folder;
  for (const char* format : {".tfm", ".txt", ".mat", ".h5", ".hdf5", ".xfm"}) {
    const Path pipe = folder / (std::string("pipe") + format),
               link = folder / (std::string("link") + format);
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", link);
    for (const Path& path : {pipe, link})
      EXPECT_EQ(error_of([&] { read_itk_transform(path); }),
                fmt::format("'{}' is not a file", path.string()));
    std::filesystem::create_directory(folder / (std::string("folder") + format));
    EXPECT_THAT(error_of([&] { read_itk_transform(folder / (std::string("folder") + format)); }),
                HasSubstr("is a folder, expected a file"));
  }
}

}  // namespace
}  // namespace aladdin
