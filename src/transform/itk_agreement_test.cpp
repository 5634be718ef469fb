// Our files in ITK's hands: the same points, the same resampled voxels.
#include <gtest/gtest.h>
#include <itkAffineTransform.h>
#include <itkBSplineInterpolateImageFunction.h>
#include <itkCompositeTransform.h>
#include <itkDisplacementFieldTransform.h>
#include <itkImageFileReader.h>
#include <itkLinearInterpolateImageFunction.h>
#include <itkMetaImageIO.h>
#include <itkNearestNeighborInterpolateImageFunction.h>
#include <itkNiftiImageIO.h>
#include <itkNrrdImageIO.h>
#include <itkResampleImageFilter.h>
#include <itkTransformFileReader.h>
#include <itkTransformFileWriter.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/itk_test_transforms.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/test_fields.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin {
namespace {

using namespace testing;

itk::ImageIOBase::Pointer io_for(const Path& path) {
  if (full_extension(path) == ".nrrd") return itk::NrrdImageIO::New().GetPointer();
  if (full_extension(path) == ".mha") return itk::MetaImageIO::New().GetPointer();
  return itk::NiftiImageIO::New().GetPointer();
}

template <class ItkImage>
typename ItkImage::Pointer itk_read(const Path& path) {
  auto reader = itk::ImageFileReader<ItkImage>::New();
  reader->SetImageIO(io_for(path));
  reader->SetFileName(path.string());
  reader->Update();
  typename ItkImage::Pointer image = reader->GetOutput();
  image->DisconnectPipeline();
  return image;
}

template <unsigned Dims>
typename itk::Transform<double, Dims, Dims>::Pointer itk_field(const Path& path) {
  auto transform = itk::DisplacementFieldTransform<double, Dims>::New();
  transform->SetDisplacementField(itk_read<itk::Image<itk::Vector<double, Dims>, Dims>>(path));
  return transform.GetPointer();
}

template <unsigned Dims>
Vec3 itk_apply(const itk::Transform<double, Dims, Dims>& transform, const Vec3& point) {
  itk::Point<double, Dims> p;
  for (unsigned axis = 0; axis < Dims; ++axis) p[axis] = point[axis];
  const auto q = transform.TransformPoint(p);
  Vec3 result{0, 0, 0};
  for (unsigned axis = 0; axis < Dims; ++axis) result[axis] = q[axis];
  return result;
}

template <unsigned Dims>
typename itk::Image<float, Dims>::Pointer itk_image(const Image& image) {
  auto result = itk::Image<float, Dims>::New();
  typename itk::Image<float, Dims>::SizeType size;
  auto spacing = result->GetSpacing();
  auto origin = result->GetOrigin();
  auto direction = result->GetDirection();
  for (unsigned axis = 0; axis < Dims; ++axis) {
    size[axis] = image.grid.size[axis];
    spacing[axis] = image.grid.spacing[axis];
    origin[axis] = image.grid.origin[axis];
    for (unsigned row = 0; row < Dims; ++row)
      direction[row][axis] = image.grid.direction[row][axis];
  }
  result->SetRegions(size);
  result->SetSpacing(spacing);
  result->SetOrigin(origin);
  result->SetDirection(direction);
  result->Allocate();
  std::copy(image.values.begin(), image.values.end(), result->GetBufferPointer());
  return result;
}

template <unsigned Dims>
Image itk_resample(const Image& image, const itk::Transform<double, Dims, Dims>& transform,
                   const Grid& grid, Interpolation how) {
  using ItkImage = itk::Image<float, Dims>;
  auto filter = itk::ResampleImageFilter<ItkImage, ItkImage>::New();
  filter->SetInput(itk_image<Dims>(image));
  filter->SetTransform(&transform);
  filter->SetReferenceImage(itk_image<Dims>(Image(grid)));
  filter->UseReferenceImageOn();
  if (how == Interpolation::nearest)
    filter->SetInterpolator(itk::NearestNeighborInterpolateImageFunction<ItkImage>::New());
  if (how == Interpolation::bspline)  // order 3 is ITK's default
    filter->SetInterpolator(itk::BSplineInterpolateImageFunction<ItkImage>::New());
  filter->Update();
  Image result(grid);
  std::copy_n(filter->GetOutput()->GetBufferPointer(), result.values.size(), result.values.begin());
  return result;
}

// At most `allowed` voxels may differ: a point on the edge of a voxel or of the buffer falls on
// either side by the last bit of its coordinates.
void expect_agreement(const Image& ours, const Image& theirs, double range, std::int64_t allowed,
                      const std::string& what) {
  std::int64_t off = 0, nonzero = 0;
  for (std::size_t v = 0; v < ours.values.size(); ++v) {
    off += !(std::abs(ours.values[v] - theirs.values[v]) <= 1e-4 * range);  // NaN is off
    nonzero += theirs.values[v] != 0;
  }
  EXPECT_LE(off, allowed) << what;
  EXPECT_GT(nonzero, static_cast<std::int64_t>(ours.values.size()) / 20) << what;
}

template <unsigned Dims>
void shifts_rotations_and_scalings() {
  const TemporaryFolder folder;
  const Grid grid = oblique_grid(Dims, small_size(Dims));
  std::vector<Affine> known;
  for (int axis = 0; axis < static_cast<int>(Dims); ++axis) {
    Vec3 shift{0, 0, 0}, factors{1, 1, 1};
    shift[axis] = 3.7;
    factors[axis] = 1.15;
    known.push_back(translation(shift, Dims));
    known.push_back(scaling(factors, grid.centre(), Dims));
    if (Dims == 3 || axis == 0)
      known.push_back(rotation(Dims == 3 ? axis : 2, 0.3, grid.centre(), Dims));
  }
  for (const Affine& affine : known) {
    for (const char* name : {"f.nii.gz", "f.nrrd", "f.mha"}) {
      write_displacement(folder / name, to_displacement({affine}, grid));
      const auto theirs = itk_field<Dims>(folder / name);
      const Chain ours = read_transform(folder / name);
      for (const Vec3& point : points_inside(grid, 0, 30)) {
        EXPECT_LT(norm(itk_apply<Dims>(*theirs, point) - affine(point)), 1e-4) << name;
        EXPECT_LT(norm(map_point(ours, point) - affine(point)), 1e-4) << name;
      }
    }
    testing::register_itk_formats();
    for (const char* name : {"a.tfm", "a.mat", "a.h5"}) {
      write_affine(folder / name, affine);
      auto reader = itk::TransformFileReaderTemplate<double>::New();
      reader->SetFileName((folder / name).string());
      reader->Update();
      const auto* theirs = dynamic_cast<itk::AffineTransform<double, Dims>*>(
          reader->GetTransformList()->front().GetPointer());
      ASSERT_NE(theirs, nullptr) << name;
      const Chain ours = read_transform(folder / name);
      for (const Vec3& point : points_inside(grid, 0, 30)) {
        EXPECT_LT(norm(itk_apply<Dims>(*theirs, point) - affine(point)), 1e-9) << name;
        EXPECT_LT(norm(map_point(ours, point) - affine(point)), 1e-9) << name;
      }
    }
  }
}

TEST(ItkAgreement, ShiftsRotationsAndScalings3D) { shifts_rotations_and_scalings<3>(); }
TEST(ItkAgreement, ShiftsRotationsAndScalings2D) { shifts_rotations_and_scalings<2>(); }

// What antsRegistration writes with --write-composite-transform: an affine and a field in one file.
TEST(ItkAgreement, ACompositeFileWithAField) {
  const TemporaryFolder folder;
  const Grid grid = oblique_grid(3, small_size(3));
  write_displacement(folder / "f.nrrd", smooth_field(grid, 2, 1, 5));
  auto composite = itk::CompositeTransform<double, 3>::New();
  auto affine = itk::AffineTransform<double, 3>::New();
  affine->Rotate(0, 1, 0.2);
  affine->Scale(1.1);
  composite->AddTransform(affine);
  composite->AddTransform(itk_field<3>(folder / "f.nrrd"));
  write_affine(folder / "warm.h5", Affine{});  // registers the file formats
  auto writer = itk::TransformFileWriterTemplate<double>::New();
  writer->SetFileName((folder / "c.h5").string());
  writer->SetInput(composite);
  writer->Update();
  const Chain ours = read_transform(folder / "c.h5");
  EXPECT_EQ(ours.size(), 2U);
  for (const Vec3& point : points_inside(grid, 0, 50))
    EXPECT_LT(norm(map_point(ours, point) - itk_apply<3>(*composite, point)), 1e-4);
}

// What ITK puts into an .h5 is checked as any other file of ours is.
TEST(ItkAgreement, ABadFieldInAnH5IsRefusedByName) {
  const TemporaryFolder folder;
  const Path file = folder / "bad.h5";
  write_affine(folder / "warm.h5", Affine{});  // registers the file formats
  const auto refusal = [&](double value, double origin) -> std::string {
    auto field = itk::Image<itk::Vector<double, 3>, 3>::New();
    field->SetRegions(itk::Size<3>{4, 4, 4});
    field->Allocate(true);
    field->GetBufferPointer()[21][1] = value;
    auto point = field->GetOrigin();
    point[2] = origin;
    field->SetOrigin(point);
    auto transform = itk::DisplacementFieldTransform<double, 3>::New();
    transform->SetDisplacementField(field);
    auto writer = itk::TransformFileWriterTemplate<double>::New();
    writer->SetFileName(file.string());
    writer->SetInput(transform);
    writer->Update();
    try {
      read_transform(file);
    } catch (const Error& error) {
      return error.what();
    }
    return "read";
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(1, 0), "read");
  EXPECT_EQ(refusal(kNan, 0), fmt::format("the displacement field in '{}' has vectors that are not "
                                          "finite",
                                          file.string()));
  EXPECT_EQ(refusal(1, kNan), fmt::format("'{}' has an unusable geometry: the origin is not "
                                          "finite along axis 2; repair its header",
                                          file.string()));
}

// Field, image and output all on different oblique grids, so that every border is crossed.
template <unsigned Dims>
void resampling() {
  const TemporaryFolder folder;
  const Path file = folder / "field.nii.gz";
  const Grid field_grid = oblique_grid(Dims, small_size(Dims)),
             image_grid = oblique_grid(Dims, small_size(Dims), 0.1);
  Grid out = oblique_grid(Dims, small_size(Dims), -0.2);
  for (unsigned axis = 0; axis < Dims; ++axis) out.spacing[axis] *= 0.9;
  write_displacement(file, smooth_field(field_grid, 3, 1, 5));
  const auto theirs = itk_field<Dims>(file);
  const Chain ours = read_transform(file);
  const Image image = textured_image(image_grid, 6);
  for (const auto how : {Interpolation::linear, Interpolation::nearest, Interpolation::bspline})
    expect_agreement(pull_back(image, ours, out, how), itk_resample<Dims>(image, *theirs, out, how),
                     100, 0, name_of(how));
}

TEST(ItkAgreement, ResamplingOnObliqueAnisotropicGrids3D) { resampling<3>(); }
TEST(ItkAgreement, ResamplingOnObliqueAnisotropicGrids2D) { resampling<2>(); }

// The same through the program, as a user would.
TEST(ItkAgreement, WhatTheProgramWrites) {
  const TemporaryFolder folder;
  const Grid out = oblique_grid(3, small_size(3));
  const Image image = textured_image(oblique_grid(3, small_size(3), 0.1), 6);
  write_displacement(folder / "field.nii.gz", smooth_field(out, 3, 1, 5));
  write_image(folder / "image.nii.gz", image);
  const auto theirs = itk_field<3>(folder / "field.nii.gz");
  for (const auto how : {Interpolation::linear, Interpolation::nearest, Interpolation::bspline}) {
    const std::string command = fmt::format(
        "'{}' warp -q '{}' --transform '{}' -o '{}' --interp {} --force", ALADDIN_PROGRAM,
        (folder / "image.nii.gz").string(), (folder / "field.nii.gz").string(),
        (folder / "out.nii.gz").string(), name_of(how));
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const Image ours = read_image(folder / "out.nii.gz");
    ASSERT_TRUE(same_grid(ours.grid, out));
    expect_agreement(ours, itk_resample<3>(image, *theirs, out, how), 100, 0, name_of(how));
  }
}

TEST(ItkAgreement, LabelsAreItksOneHotImagesAndTheirArgmax) {
  const TemporaryFolder folder;
  const Grid grid = oblique_grid(3, small_size(3)), out = oblique_grid(3, small_size(3), 0.1);
  write_displacement(folder / "f.nrrd", smooth_field(grid, 2, 1, 8));
  const auto transform = itk_field<3>(folder / "f.nrrd");
  Labels labels(grid);
  const Image texture = textured_image(grid, 9);
  for (std::size_t v = 0; v < labels.values.size(); ++v)
    labels.values[v] = static_cast<std::int32_t>(texture.values[v] / 25) * 50;
  const Labels ours = pull_back(labels, read_transform(folder / "f.nrrd"), out);
  std::vector<float> best(labels.values.size(), 0.0F), second(best);
  std::vector<std::int32_t> winner(labels.values.size(), 0);
  for (const std::int32_t label : {0, 50, 100, 150, 200}) {
    Image hot(grid);
    for (std::size_t v = 0; v < hot.values.size(); ++v) hot.values[v] = labels.values[v] == label;
    const Image moved = itk_resample<3>(hot, *transform, out, Interpolation::linear);
    for (std::size_t v = 0; v < best.size(); ++v) {
      second[v] = std::max(second[v], std::min(best[v], moved.values[v]));
      if (moved.values[v] > best[v]) winner[v] = label;
      best[v] = std::max(best[v], moved.values[v]);
    }
  }
  std::int64_t labelled = 0;
  for (std::size_t v = 0; v < best.size(); ++v) {
    if (best[v] > 0 && best[v] - second[v] < 1e-5F) continue;  // a tie
    ASSERT_EQ(ours.values[v], winner[v]) << v;
    labelled += winner[v] > 0;
  }
  EXPECT_GT(labelled, grid.voxels() / 2);
}

TEST(ItkAgreement, ABrainThroughAnExportedField) {
  const Path brains = Path(ALADDIN_SHARED_DATA) / "brains" / "images";
  if (!std::filesystem::exists(brains)) GTEST_SKIP() << "no real data at " << brains;
  const TemporaryFolder folder;
  const Path file = folder / native_to_atlas_name("1000");
  const Image brain = read_image(brains / "1000.nii.gz");
  // A coarse oblique grid over the same head, and a field that also turns and shifts it.
  Grid out = brain.grid;
  for (int axis = 0; axis < 3; ++axis) {
    out.size[axis] = brain.grid.size[axis] * 2 / 5;
    out.spacing[axis] = 2.2 + 0.3 * axis;
  }
  out.direction = rotation(0, 0.15).matrix * brain.grid.direction;
  out.origin = out.origin + (brain.grid.centre() - out.centre());
  const Chain chain{smooth_field(out, 2, 1.5, 4), rotation(2, 0.1, out.centre()),
                    translation({2, -3, 4})};
  write_displacement(file, to_displacement(chain, out));
  const auto theirs = itk_field<3>(file);
  const Chain ours = read_transform(file);
  const float range = *std::max_element(brain.values.begin(), brain.values.end());
  for (const auto how : {Interpolation::linear, Interpolation::nearest, Interpolation::bspline})
    expect_agreement(pull_back(brain, ours, out, how), itk_resample<3>(brain, *theirs, out, how),
                     range, 0, name_of(how));
}

}  // namespace
}  // namespace aladdin
