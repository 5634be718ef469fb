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
#include <itk_hdf5.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/image/itk_error.h"

namespace aladdin {
namespace {

void register_formats() {
  static const bool once = [] {
    // HDF5 prints the stack of every error, and on exit complains of what a damaged file left open.
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
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

Error not_a_transform(const Path& path, const char* found) {
  return Error(fmt::format("cannot read the transform '{}': {}", path.string(), found))
      .hint(
          "expected an ITK or ANTs transform (.tfm, .txt, .mat, .h5); matrices of FSL and SPM "
          "are not");
}

void require_finite(const Affine& affine, const Path& path) {
  for (int row = 0; row < 3; ++row) {
    bool finite = std::isfinite(affine.offset[row]);
    for (const double value : affine.matrix[row]) finite = finite && std::isfinite(value);
    if (!finite) fail("the transform '{}' has numbers that are not finite", path.string());
  }
}

void require_finite(const Displacement& displacement, const Path& path) {
  for (const float value : displacement.vectors.values)
    if (!std::isfinite(value))
      fail("the displacement field in '{}' has vectors that are not finite", path.string());
}

// The bytes that the Matlab 4 variable at the start of `bytes` takes; nothing if it is none or if it
// is cut short. Its header: type, rows, columns, imaginary, length of the name; either byte order.
std::optional<std::uint64_t> matlab_variable_bytes(std::string_view bytes) {
  std::uint32_t header[5];
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(header, bytes.data(), sizeof header);
  // 1000 * byte order + 100 * row-wise + 10 * (0 double, 1 single) + 0 for numbers
  const auto known = [](std::uint32_t type) {
    return type < 2000 && type % 1000 / 100 < 2 && type % 100 / 10 < 2 && type % 10 == 0;
  };
  if (!known(header[0]))
    for (auto& word : header) word = __builtin_bswap32(word);
  const auto [type, rows, columns, imaginary, name] = header;
  if (!known(type) || imaginary > 1 || name == 0) return std::nullopt;
  const std::uint64_t number = (type % 100 == 10 ? 4 : 8) * (1 + imaginary);
  if (rows > bytes.size() || columns > bytes.size()) return std::nullopt;
  const std::uint64_t size = sizeof header + name + number * rows * columns;
  return size <= bytes.size() ? std::optional(size) : std::nullopt;
}

// ITK allocates whatever the sizes in a .mat ask for before it looks how long the file is.
void require_sound_matlab(const Path& path) {
  if (full_extension(path) != ".mat") return;
  const std::string text = read_text(path);
  std::string_view rest = text;
  if (rest.empty()) throw not_a_transform(path, "it is empty");
  while (!rest.empty()) {
    const auto size = matlab_variable_bytes(rest);
    if (!size) throw not_a_transform(path, "it is not a Matlab 4 file or it is cut short");
    rest.remove_prefix(*size);
  }
}

void require_hdf5(const Path& path) {
  const std::string extension = full_extension(path);
  if (extension != ".h5" && extension != ".hdf5") return;
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  char start[kSignature.size()] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  if (std::string_view(start, sizeof start) != kSignature)
    throw not_a_transform(path, "it is not an HDF5 file");
}

// ITK leaves a transform at the identity when its text file ends before the numbers.
void require_whole_text(const Path& path) {
  const std::string extension = full_extension(path);
  if (extension != ".tfm" && extension != ".txt") return;
  const std::string text = read_text(path);
  if (!text.starts_with("#Insight Transform File"))
    throw not_a_transform(path, "it does not start with '#Insight Transform File'");
  int waiting = 0;  // transforms whose parameters have not come yet
  for (const auto& line : split(text, '\n')) {
    if (line.starts_with("Transform:") && line.find("Composite") == std::string::npos) ++waiting;
    if (line.starts_with("Parameters:") && !trim(line.substr(11)).empty()) --waiting;
  }
  if (waiting > 0)
    throw Error(fmt::format("the transform '{}' ends before its parameters", path.string()))
        .hint("copy it again from its source");
}

bool append_any(const itk::TransformBase& transform, const Path& path, Chain& chain) try {
  return append<3>(transform, chain) || append<2>(transform, chain);
} catch (Error& error) {
  throw error.within(fmt::format("the displacement field in '{}'", path.string()));
}

Chain read_chain(const Path& path) try {
  // The double reader converts files of float transforms.
  auto reader = itk::TransformFileReaderTemplate<double>::New();
  reader->SetFileName(path.string());
  reader->Update();
  Chain chain;
  for (const auto& transform : *reader->GetTransformList())
    if (!append_any(*transform, path, chain))
      throw Error(fmt::format("'{}' holds a {} that cannot be used", path.string(),
                              transform->GetNameOfClass()))
          .hint("expected affine transforms, displacement fields or composites of them");
  return chain;
} catch (const Error&) {
  throw;
} catch (const itk::ExceptionObject&) {
  throw;
} catch (...) {  // of the standard library within ITK, and HDF5's, which have no base in common
  throw not_a_transform(path, "its content is damaged");
}

}  // namespace

Chain read_itk_transform(const Path& path) {
  if (!std::filesystem::exists(path)) fail("no such file: '{}'", path.string());
  require_whole_text(path);
  require_sound_matlab(path);
  require_hdf5(path);
  const QuietItk quiet;
  register_formats();
  Chain chain = translated(path, "read the transform", [&] { return read_chain(path); });
  if (chain.empty()) fail("'{}' holds no transform", path.string());
  for (const auto& transform : chain) {
    if (const auto* affine = std::get_if<Affine>(&transform)) require_finite(*affine, path);
    if (const auto* field = std::get_if<Displacement>(&transform)) require_finite(*field, path);
  }
  return chain;
}

void write_itk_affine(const Path& path, const Affine& affine) {
  const QuietItk quiet;
  register_formats();
  AtomicFile file(path);
  translated(path, "write the transform", [&] {
    auto writer = itk::TransformFileWriterTemplate<double>::New();
    writer->SetFileName(file.path().string());
    writer->SetInput(affine.dims == 2 ? itk_affine<2>(affine) : itk_affine<3>(affine));
    writer->Update();
  });
  file.commit();
}

}  // namespace aladdin
