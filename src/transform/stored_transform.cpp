#include "aladdin/transform/stored_transform.h"

#include <itkMatrixOffsetTransformBase.h>
#include <itkTransformFactory.h>
#include <itkTranslationTransform.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "aladdin/core/text.h"
#include "aladdin/image/io.h"

namespace aladdin {
namespace {

constexpr std::string_view kSuffix[] = {"_double_2_2", "_double_3_3"};

// 2 or 3; 0 where it is neither.
int dims_of(std::string_view type) {
  return type.ends_with(kSuffix[0]) ? 2 : type.ends_with(kSuffix[1]) ? 3 : 0;
}

std::string class_of(std::string_view type) {
  return one_line(dims_of(type) ? type.substr(0, type.size() - kSuffix[0].size()) : type);
}

std::string as_double(std::string type) {
  constexpr std::string_view kFloat = "_float_";
  if (const auto at = type.find(kFloat); at != std::string::npos)
    type.replace(at, kFloat.size(), "_double_");
  return type;
}

[[noreturn]] void refuse(const StoredTransform& stored, const Path& path) {
  throw Error(fmt::format("'{}' holds a {}, which is not supported", path.string(),
                          class_of(as_double(stored.type))))
      .hint("expected affine transforms, displacement fields or composites of them");
}

[[noreturn]] void refuse_counts(const StoredTransform& stored, const std::string& expected,
                                const Path& path) {
  fail("the {} in '{}' has {} and {} fixed, expected {}", class_of(as_double(stored.type)),
       path.string(), counted(static_cast<long long>(stored.parameters.size()), "number"),
       stored.fixed.size(), expected);
}

void require_finite(const StoredTransform& stored, const Path& path) {
  const auto finite = [](double number) { return std::isfinite(number); };
  if (!std::ranges::all_of(stored.parameters, finite) || !std::ranges::all_of(stored.fixed, finite))
    fail("the transform '{}' has numbers that are not finite", path.string());
}

// Fixed: size, origin, spacing and the rows of the direction. The size is within what there are numbers for.
Grid grid_of(const StoredTransform& stored, int dims, const Path& path) {
  const auto size = static_cast<std::size_t>(dims);
  const auto& fixed = stored.fixed;
  const std::uint64_t vectors = stored.parameters.size() / size;
  if (fixed.size() != size * (size + 3))
    refuse_counts(stored, fmt::format("{} fixed", size * (size + 3)), path);
  Grid grid;
  grid.dims = dims;
  std::uint64_t voxels = 1;
  for (std::size_t axis = 0; axis < size; ++axis) {
    const double n = fixed[axis];
    if (!(n >= 1 && n <= static_cast<double>(vectors / voxels)) || n != std::floor(n))
      refuse_counts(stored, "those of its grid", path);
    grid.size[axis] = static_cast<std::int64_t>(n);
    voxels *= static_cast<std::uint64_t>(n);
    grid.origin[axis] = fixed[size + axis];
    grid.spacing[axis] = fixed[2 * size + axis];
    for (std::size_t row = 0; row < size; ++row)
      grid.direction[row][axis] = fixed[(3 + row) * size + axis];
  }
  if (stored.parameters.size() != voxels * size) refuse_counts(stored, "those of its grid", path);
  return usable_grid(grid, path);
}

Displacement field_of(const StoredTransform& stored, int dims, const Path& path) {
  Displacement field(grid_of(stored, dims, path));
  const auto* from = stored.parameters.data();
  for (std::int64_t v = 0; v < field.grid().voxels(); ++v)
    for (int c = 0; c < dims; ++c, ++from) {
      field.vectors.component(c)[v] = static_cast<float>(*from);
      if (!std::isfinite(field.vectors.component(c)[v]))
        fail("the displacement field in '{}' has vectors that are not finite", path.string());
    }
  return field;
}

// None where ITK has no transform of that name.
itk::TransformBase::Pointer create(const std::string& type) {
  static const bool once = [] {
    itk::TransformFactoryBase::RegisterDefaultTransforms();
    itk::TransformFactory<itk::MatrixOffsetTransformBase<double, 3, 3>>::RegisterTransform();
    itk::TransformFactory<itk::MatrixOffsetTransformBase<double, 2, 2>>::RegisterTransform();
    return true;
  }();
  (void)once;
  const auto made = itk::ObjectFactoryBase::CreateInstance(type.c_str());
  if (made) made->UnRegister();
  return dynamic_cast<itk::TransformBase*>(made.GetPointer());
}

itk::OptimizerParameters<double> itk_numbers(const std::vector<double>& numbers) {
  itk::OptimizerParameters<double> out(numbers.size());
  std::ranges::copy(numbers, out.begin());
  return out;
}

// Nothing if it is not affine.
template <unsigned Dims>
std::optional<Affine> affine_of(const itk::TransformBase& transform) {
  Affine affine;
  affine.dims = Dims;
  const std::string_view name = transform.GetNameOfClass();
  if (name == "AzimuthElevationToCartesianTransform") return std::nullopt;  // but derived from one
  if (name == "IdentityTransform") return affine;
  if (const auto* shift =
          dynamic_cast<const itk::TranslationTransform<double, Dims>*>(&transform)) {
    for (unsigned axis = 0; axis < Dims; ++axis) affine.offset[axis] = shift->GetOffset()[axis];
    return affine;
  }
  const auto* general =
      dynamic_cast<const itk::MatrixOffsetTransformBase<double, Dims, Dims>*>(&transform);
  if (!general) return std::nullopt;
  for (unsigned row = 0; row < Dims; ++row) {
    affine.offset[row] = general->GetOffset()[row];
    for (unsigned column = 0; column < Dims; ++column)
      affine.matrix[row][column] = general->GetMatrix()(row, column);
  }
  return affine;
}

// Those that ITK wrote before it stored the order of the angles.
bool is_old_euler(const StoredTransform& stored) {
  return stored.type.find("Euler3DTransform") != std::string::npos && stored.fixed.size() == 3;
}

Affine affine_of(const StoredTransform& stored, int dims, const Path& path) {
  const auto transform = create(as_double(stored.type));
  const auto affine = [&] {
    return dims == 2 ? affine_of<2>(*transform) : affine_of<3>(*transform);
  };
  if (!transform || !affine()) refuse(stored, path);
  const std::size_t parameters = transform->GetNumberOfParameters(),
                    fixed = transform->GetFixedParameters().Size();
  if (stored.parameters.size() != parameters ||
      (stored.fixed.size() != fixed && !is_old_euler(stored)))
    refuse_counts(stored, fmt::format("{} and {}", parameters, fixed), path);
  transform->SetFixedParameters(itk_numbers(stored.fixed));
  transform->SetParametersByValue(itk_numbers(stored.parameters));
  Affine result = *affine();
  for (int row = 0; row < 3; ++row) {
    bool finite = std::isfinite(result.offset[row]);
    for (const double value : result.matrix[row]) finite = finite && std::isfinite(value);
    if (!finite) fail("the transform '{}' has numbers that are not finite", path.string());
  }
  return result;
}

Transform to_transform(const StoredTransform& stored, const Path& path) {
  const std::string type = as_double(stored.type);
  const int dims = dims_of(type);
  if (is_composite(stored))
    fail("'{}' holds a composite that is not its first transform", path.string());
  if (dims == 0) refuse(stored, path);
  // Those that are smoothed while they are optimised are the same in a file.
  if (class_of(type).ends_with("DisplacementFieldTransform")) return field_of(stored, dims, path);
  require_finite(stored, path);
  return affine_of(stored, dims, path);
}

}  // namespace

bool is_composite(const StoredTransform& stored) {
  return stored.type.starts_with("CompositeTransform_");
}

Chain to_chain(const std::vector<StoredTransform>& stored, const Path& path) {
  const bool composite = !stored.empty() && is_composite(stored.front());
  const int dims = composite ? dims_of(as_double(stored.front().type)) : 0;
  if (composite && dims == 0) refuse(stored.front(), path);
  if (composite && stored.front().parameters.size() + stored.front().fixed.size() > 0)
    refuse_counts(stored.front(), "none", path);
  Chain chain;
  for (std::size_t t = composite ? 1 : 0; t < stored.size(); ++t) {
    chain.push_back(to_transform(stored[t], path));
    if (composite && aladdin::dims_of(chain.back()) != dims)
      fail("'{}' holds a composite of {} dimensions with a part of {}", path.string(), dims,
           aladdin::dims_of(chain.back()));
  }
  if (chain.empty()) fail("'{}' holds no transform", path.string());
  if (composite) std::ranges::reverse(chain);
  return chain;
}

Error not_a_transform(const Path& path, const std::string& found) {
  return Error(fmt::format("cannot read the transform '{}': {}", path.string(), found))
      .hint(
          "expected an ITK or ANTs transform (.tfm, .txt, .mat, .h5), not a matrix of FSL or SPM");
}

}  // namespace aladdin
