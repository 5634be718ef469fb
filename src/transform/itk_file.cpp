#include "aladdin/transform/itk_file.h"

#include <itkAffineTransform.h>
#include <itkHDF5TransformIOFactory.h>
#include <itkMatlabTransformIOFactory.h>
#include <itkTransformFileWriter.h>
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
    return true;
  }();
  (void)once;
}

template <unsigned Dims>
itk::TransformBase::Pointer itk_affine(const Affine& affine) {
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
  return transform.GetPointer();
}

std::vector<StoredTransform> read_stored(const Path& path) {
  refuse_foreign_transform(path);
  const std::string extension = full_extension(path);
  if (extension == ".tfm" || extension == ".txt") return read_text_transforms(path);
  if (extension == ".mat") return read_matlab_transforms(path);
  return read_hdf5_transforms(path);
}

// ITK's writers do not say that the disk is full.
void require_written(const Path& path, const Path& beside, const Affine& affine) {
  try {
    const Chain back = read_itk_transform(beside);
    const auto* read = back.size() == 1 ? std::get_if<Affine>(&back[0]) : nullptr;
    if (read && read->matrix == affine.matrix && read->offset == affine.offset) return;
  } catch (const Error&) {
  }
  throw Error(fmt::format("cannot write '{}': the written file cannot be read back", path.string()))
      .hint("is the disk full?")
      .of_output();
}

}  // namespace

Chain read_itk_transform(const Path& path) {
  const QuietItk quiet;
  return translated(path, "read the transform", [&] { return to_chain(read_stored(path), path); });
}

void write_itk_affine(const Path& path, const Affine& affine) {
  const std::string extension = full_extension(path);
  if (extension == ".tfm" || extension == ".txt") return write_text(path, text_of_affine(affine));
  const QuietItk quiet;
  register_formats();
  AtomicFile file(path);
  translated(path, "write the transform", [&] {
    auto writer = itk::TransformFileWriterTemplate<double>::New();
    writer->SetFileName(file.path().string());
    writer->SetInput(affine.dims == 2 ? itk_affine<2>(affine) : itk_affine<3>(affine));
    writer->Update();
  });
  require_written(path, file.path(), affine);
  file.commit();
}

}  // namespace aladdin
