#include "aladdin/transform/itk_file.h"

#include <itkAffineTransform.h>
#include <itkCompositeTransform.h>
#include <itkDisplacementFieldTransform.h>
#include <itkHDF5TransformIOFactory.h>
#include <itkMatlabTransformIOFactory.h>
#include <itkTransformFileWriter.h>
#include <itkTxtTransformIOFactory.h>
#include <itk_hdf5.h>

#include "aladdin/image/itk_error.h"
#include "aladdin/transform/foreign_transform.h"
#include "aladdin/transform/hdf5_transform_file.h"
#include "aladdin/transform/matlab_transform_file.h"
#include "aladdin/transform/text_transform_file.h"

namespace aladdin {
namespace {

void register_formats() {
  static const bool once = [] {
    // HDF5 prints the stack of every error, and on exit complains of what is left open.
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    itk::MatlabTransformIOFactory::RegisterOneFactory();
    itk::HDF5TransformIOFactory::RegisterOneFactory();
    itk::TxtTransformIOFactory::RegisterOneFactory();
    return true;
  }();
  (void)once;
}

template <unsigned Dims>
typename itk::AffineTransform<double, Dims>::Pointer itk_affine(const Affine& affine) {
  auto transform = itk::AffineTransform<double, Dims>::New();
  auto matrix = transform->GetMatrix();
  auto offset = transform->GetOffset();
  for (unsigned row = 0; row < Dims; ++row) {
    offset[row] = affine.offset[row];
    for (unsigned column = 0; column < Dims; ++column)
      matrix(row, column) = affine.matrix[row][column];
  }
  transform->SetMatrix(matrix);
  transform->SetOffset(offset);
  return transform;
}

template <unsigned Dims>
typename itk::DisplacementFieldTransform<double, Dims>::Pointer itk_field(
    const Displacement& displacement) {
  using Field = itk::Image<itk::Vector<double, Dims>, Dims>;
  const Grid& grid = displacement.grid();
  auto field = Field::New();
  typename Field::SizeType size;
  typename Field::SpacingType spacing;
  typename Field::PointType origin;
  auto direction = field->GetDirection();
  for (unsigned axis = 0; axis < Dims; ++axis) {
    size[axis] = static_cast<itk::SizeValueType>(grid.size[axis]);
    spacing[axis] = grid.spacing[axis];
    origin[axis] = grid.origin[axis];
    for (unsigned row = 0; row < Dims; ++row) direction(row, axis) = grid.direction[row][axis];
  }
  field->SetRegions(size);
  field->SetSpacing(spacing);
  field->SetOrigin(origin);
  field->SetDirection(direction);
  field->Allocate();
  auto* to = field->GetBufferPointer();
  for (std::int64_t v = 0; v < grid.voxels(); ++v, ++to)
    for (unsigned c = 0; c < Dims; ++c)
      (*to)[c] = displacement.vectors.component(static_cast<int>(c))[v];
  auto transform = itk::DisplacementFieldTransform<double, Dims>::New();
  transform->SetDisplacementField(field);
  return transform;
}

// ITK applies the part that was added last first.
template <unsigned Dims>
itk::TransformBase::Pointer itk_composite(const Chain& chain) {
  auto composite = itk::CompositeTransform<double, Dims>::New();
  for (auto part = chain.rbegin(); part != chain.rend(); ++part) {
    if (const auto* affine = std::get_if<Affine>(&*part))
      composite->AddTransform(itk_affine<Dims>(*affine));
    else
      composite->AddTransform(itk_field<Dims>(std::get<Displacement>(*part)));
  }
  return composite.GetPointer();
}

std::vector<StoredTransform> read_stored(const Path& path) {
  refuse_foreign_transform(path);
  const std::string extension = full_extension(path);
  if (extension == ".tfm" || extension == ".txt") return read_text_transforms(path);
  if (extension == ".mat") return read_matlab_transforms(path);
  return read_hdf5_transforms(path);
}

bool same(const Transform& a, const Transform& b) {
  if (a.index() != b.index()) return false;
  if (const auto* field = std::get_if<Displacement>(&a)) {
    const auto& other = std::get<Displacement>(b);
    return same_grid(field->grid(), other.grid()) && field->vectors.values == other.vectors.values;
  }
  const auto &one = std::get<Affine>(a), &other = std::get<Affine>(b);
  return one.matrix == other.matrix && one.offset == other.offset;
}

// ITK's writers do not say that the disk is full.
void require_written(const Path& path, const Path& beside, const Chain& chain) {
  try {
    if (std::ranges::equal(read_itk_transform(beside), chain,
                           [](const auto& a, const auto& b) { return same(a, b); }))
      return;
  } catch (const Error&) {
  }
  throw Error(fmt::format("cannot write '{}': the written file cannot be read back", path.string()))
      .hint("is the disk full?")
      .of_output();
}

void write_with_itk(const Path& path, const itk::TransformBase& transform, const Chain& chain) {
  const QuietItk quiet;
  register_formats();
  AtomicFile file(path);
  translated(path, "write the transform", [&] {
    auto writer = itk::TransformFileWriterTemplate<double>::New();
    writer->SetFileName(file.path().string());
    writer->SetInput(&transform);
    writer->SetUseCompression(true);  // as HDF5
    writer->Update();
  });
  require_written(path, file.path(), chain);
  file.commit();
}

}  // namespace

Chain read_itk_transform(const Path& path) {
  const QuietItk quiet;
  return translated(path, "read the transform", [&] { return to_chain(read_stored(path), path); });
}

void write_itk_affine(const Path& path, const Affine& affine) {
  const std::string extension = full_extension(path);
  if (extension == ".tfm" || extension == ".txt") return write_text(path, text_of_affine(affine));
  const itk::TransformBase::Pointer transform =
      affine.dims == 2 ? itk::TransformBase::Pointer(itk_affine<2>(affine).GetPointer())
                       : itk::TransformBase::Pointer(itk_affine<3>(affine).GetPointer());
  write_with_itk(path, *transform, {affine});
}

void write_itk_composite(const Path& path, const Chain& chain) {
  const auto transform =
      dims_of(chain.front()) == 2 ? itk_composite<2>(chain) : itk_composite<3>(chain);
  write_with_itk(path, *transform, chain);
}

}  // namespace aladdin
