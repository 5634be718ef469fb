#include "aladdin/transform/itk_file.h"

#include <itkAffineTransform.h>
#include <itkCompositeTransform.h>
#include <itkDisplacementFieldTransform.h>
#include <itkHDF5TransformIOFactory.h>
#include <itkMatlabTransformIOFactory.h>
#include <itkTransformFactory.h>
#include <itkTransformFileReader.h>
#include <itkTransformFileWriter.h>
#include <itkTranslationTransform.h>
#include <itkTxtTransformIOFactory.h>

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

void register_formats() {
  static const bool once = [] {
    itk::Object::GlobalWarningDisplayOff();
    itk::TxtTransformIOFactory::RegisterOneFactory();
    itk::MatlabTransformIOFactory::RegisterOneFactory();
    itk::HDF5TransformIOFactory::RegisterOneFactory();
    itk::TransformFactory<itk::MatrixOffsetTransformBase<double, 3, 3>>::RegisterTransform();
    itk::TransformFactory<itk::MatrixOffsetTransformBase<double, 2, 2>>::RegisterTransform();
    return true;
  }();
  (void)once;
}

template <unsigned Dims>
Affine numbers_of(const itk::MatrixOffsetTransformBase<double, Dims, Dims>& transform) {
  Affine affine;
  affine.dims = Dims;
  for (unsigned row = 0; row < Dims; ++row) {
    affine.offset[row] = transform.GetOffset()[row];
    for (unsigned column = 0; column < Dims; ++column)
      affine.matrix[row][column] = transform.GetMatrix()(row, column);
  }
  return affine;
}

template <unsigned Dims>
VectorImage numbers_of(const itk::Image<itk::Vector<double, Dims>, Dims>& field) {
  Grid grid;
  grid.dims = Dims;
  for (unsigned axis = 0; axis < Dims; ++axis) {
    grid.size[axis] = static_cast<std::int64_t>(field.GetLargestPossibleRegion().GetSize()[axis]);
    grid.spacing[axis] = field.GetSpacing()[axis];
    grid.origin[axis] = field.GetOrigin()[axis];
    for (unsigned row = 0; row < Dims; ++row)
      grid.direction[row][axis] = field.GetDirection()[row][axis];
  }
  grid.validate();
  VectorImage vectors(grid);
  const auto* from = field.GetBufferPointer();
  for (std::int64_t v = 0; v < grid.voxels(); ++v)
    for (unsigned c = 0; c < Dims; ++c) vectors.component(c)[v] = static_cast<float>(from[v][c]);
  return vectors;
}

// True when `transform` is of this dimension and was understood.
template <unsigned Dims>
bool append(const itk::TransformBase& transform, Chain& chain) {
  if (const auto* composite =
          dynamic_cast<const itk::CompositeTransform<double, Dims>*>(&transform)) {
    // ITK applies the last of the queue first.
    for (int t = static_cast<int>(composite->GetNumberOfTransforms()) - 1; t >= 0; --t)
      if (!append<Dims>(*composite->GetNthTransformConstPointer(t), chain)) return false;
    return true;
  }
  if (const auto* affine =
          dynamic_cast<const itk::MatrixOffsetTransformBase<double, Dims, Dims>*>(&transform)) {
    chain.emplace_back(numbers_of<Dims>(*affine));
    return true;
  }
  if (const auto* shift =
          dynamic_cast<const itk::TranslationTransform<double, Dims>*>(&transform)) {
    Affine affine;
    affine.dims = Dims;
    for (unsigned axis = 0; axis < Dims; ++axis) affine.offset[axis] = shift->GetOffset()[axis];
    chain.emplace_back(affine);
    return true;
  }
  if (const auto* field =
          dynamic_cast<const itk::DisplacementFieldTransform<double, Dims>*>(&transform)) {
    chain.emplace_back(Displacement(numbers_of<Dims>(*field->GetDisplacementField())));
    return true;
  }
  if (std::string(transform.GetNameOfClass()) == "IdentityTransform" &&
      transform.GetInputSpaceDimension() == Dims) {
    Affine identity;
    identity.dims = Dims;
    chain.emplace_back(identity);
    return true;
  }
  return false;
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

// ITK's reason in one line, without where in ITK it arose.
std::string first_line(const char* text) {
  std::string line = text;
  if (const auto colon = line.rfind("): "); colon != std::string::npos)
    line = line.substr(colon + 3);
  line = line.substr(0, line.find('\n'));
  const bool about_itk = line.find("Transform IO") != std::string::npos;
  return about_itk ? "its content is not what its name says" : line;
}

void require_finite(const Affine& affine, const Path& path) {
  for (int row = 0; row < 3; ++row) {
    bool finite = std::isfinite(affine.offset[row]);
    for (const double value : affine.matrix[row]) finite = finite && std::isfinite(value);
    if (!finite) fail("the transform '{}' has numbers that are not finite", path.string());
  }
}

// ITK leaves a transform at the identity when its text file ends before the numbers.
void require_whole_text(const Path& path) {
  const std::string extension = full_extension(path);
  if (extension != ".tfm" && extension != ".txt") return;
  int waiting = 0;  // transforms whose parameters have not come yet
  for (const auto& line : split(read_text(path), '\n')) {
    if (line.starts_with("Transform:") && line.find("Composite") == std::string::npos) ++waiting;
    if (line.starts_with("Parameters:") && !trim(line.substr(11)).empty()) --waiting;
  }
  if (waiting > 0)
    throw Error(fmt::format("the transform '{}' ends before its parameters", path.string()))
        .hint("copy it again from its source");
}

}  // namespace

bool is_itk_transform_file(const Path& path) {
  const std::string extension = full_extension(path);
  for (const char* known : {".tfm", ".txt", ".mat", ".h5", ".hdf5", ".xfm"})
    if (extension == known) return true;
  return false;
}

Chain read_itk_transform(const Path& path) {
  register_formats();
  if (!std::filesystem::exists(path)) fail("no such file: '{}'", path.string());
  require_whole_text(path);
  Chain chain;
  try {
    // The double reader converts files of float transforms.
    auto reader = itk::TransformFileReaderTemplate<double>::New();
    reader->SetFileName(path.string());
    reader->Update();
    for (const auto& transform : *reader->GetTransformList())
      if (!append<3>(*transform, chain) && !append<2>(*transform, chain))
        throw Error(fmt::format("'{}' holds a {} that cannot be used", path.string(),
                                transform->GetNameOfClass()))
            .hint("expected affine transforms, displacement fields or composites of them");
  } catch (const itk::ExceptionObject& error) {
    throw Error(fmt::format("cannot read the transform '{}': {}", path.string(),
                            first_line(error.GetDescription())))
        .hint(
            "expected an ITK or ANTs transform (.tfm, .txt, .mat, .h5); matrices of FSL and SPM "
            "are not");
  }
  if (chain.empty()) fail("'{}' holds no transform", path.string());
  for (const auto& transform : chain)
    if (const auto* affine = std::get_if<Affine>(&transform)) require_finite(*affine, path);
  return chain;
}

void write_itk_affine(const Path& path, const Affine& affine) {
  register_formats();
  AtomicFile file(path);
  try {
    auto writer = itk::TransformFileWriterTemplate<double>::New();
    writer->SetFileName(file.path().string());
    writer->SetInput(affine.dims == 2 ? itk_affine<2>(affine) : itk_affine<3>(affine));
    writer->Update();
  } catch (const itk::ExceptionObject& error) {
    fail("cannot write the transform '{}': {}", path.string(), first_line(error.GetDescription()));
  }
  file.commit();
}

}  // namespace aladdin
