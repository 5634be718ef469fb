#include "aladdin/method/demons.h"

#include <itkDiffeomorphicDemonsRegistrationFilter.h>
#include <itkFastSymmetricForcesDemonsRegistrationFilter.h>
#include <itkHistogramMatchingImageFilter.h>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/ops/tensor.h"

namespace aladdin {
namespace {

template <unsigned Dims>
using Picture = itk::Image<float, Dims>;
template <unsigned Dims>
using Field = itk::Image<itk::Vector<float, Dims>, Dims>;

// Along the grid's own axes: the world has no part in it.
template <class Image>
typename Image::Pointer make(const kernels::Shape& shape, const std::array<double, 3>& spacing_mm) {
  constexpr unsigned dims = Image::ImageDimension;
  typename Image::SizeType size;
  typename Image::SpacingType spacing;
  const std::array<std::int64_t, 3> sizes{shape.w, shape.h, shape.d};
  for (unsigned axis = 0; axis < dims; ++axis) {
    size[axis] = static_cast<itk::SizeValueType>(sizes[axis]);
    spacing[axis] = spacing_mm[axis];
  }
  auto image = Image::New();
  image->SetRegions(size);
  image->SetSpacing(spacing);
  image->Allocate();
  return image;
}

template <unsigned Dims>
typename Picture<Dims>::Pointer to_itk(const at::Tensor& image,
                                       const std::array<double, 3>& spacing_mm) {
  const auto values = values_of(image);
  auto out = make<Picture<Dims>>(ops::shape_of(image), spacing_mm);
  std::copy(values.begin(), values.end(), out->GetBufferPointer());
  return out;
}

template <unsigned Dims>
at::Tensor from_itk(const Picture<Dims>& image, const at::Tensor& like) {
  at::Tensor out = at::empty(like.sizes(), at::kFloat);
  std::copy_n(image.GetBufferPointer(), out.numel(), out.data_ptr<float>());
  return out.to(like.device());
}

template <unsigned Dims>
typename Field<Dims>::Pointer field_to_itk(const at::Tensor& u,
                                           const std::array<double, 3>& spacing_mm) {
  const auto values = values_of(u);
  const kernels::Shape shape = ops::shape_of(u);
  auto out = make<Field<Dims>>(shape, spacing_mm);
  auto* vectors = out->GetBufferPointer();
  for (std::int64_t v = 0; v < shape.voxels(); ++v)
    for (unsigned c = 0; c < Dims; ++c)
      vectors[v][c] = static_cast<float>(values[c * shape.voxels() + v] * spacing_mm[c]);
  return out;
}

template <unsigned Dims>
at::Tensor field_from_itk(const Field<Dims>& field, const std::array<double, 3>& spacing_mm,
                          const at::Tensor& like) {
  at::Tensor out = at::empty(like.sizes(), at::kFloat);
  const std::int64_t voxels = out.numel() / Dims;
  float* values = out.data_ptr<float>();
  const auto* vectors = field.GetBufferPointer();
  for (std::int64_t v = 0; v < voxels; ++v)
    for (unsigned c = 0; c < Dims; ++c)
      values[c * voxels + v] = static_cast<float>(vectors[v][c] / spacing_mm[c]);
  return out.to(like.device());
}

template <unsigned Dims, class Filter>
at::Tensor run(const DemonsConfig& config, const std::array<double, 3>& spacing_mm,
               const at::Tensor& fixed, const at::Tensor& moving, const at::Tensor& start) {
  auto filter = Filter::New();
  filter->SetFixedImage(to_itk<Dims>(fixed, spacing_mm));
  filter->SetMovingImage(to_itk<Dims>(moving, spacing_mm));
  filter->SetInitialDisplacementField(field_to_itk<Dims>(start, spacing_mm));
  filter->SetNumberOfIterations(static_cast<unsigned>(config.iterations));
  filter->SetSmoothDisplacementField(config.sigma > 0);
  if (config.sigma > 0) filter->SetStandardDeviations(config.sigma);
  filter->SetNumberOfWorkUnits(static_cast<unsigned>(threads()));
  filter->Update();
  return field_from_itk<Dims>(*filter->GetOutput(), spacing_mm, start);
}

template <unsigned Dims>
at::Tensor demons_of(DemonsKind kind, const DemonsConfig& config,
                     const std::array<double, 3>& spacing_mm, const at::Tensor& fixed,
                     const at::Tensor& moving, const at::Tensor& start) {
  using P = Picture<Dims>;
  if (kind == DemonsKind::fast_symmetric)
    return run<Dims, itk::FastSymmetricForcesDemonsRegistrationFilter<P, P, Field<Dims>>>(
        config, spacing_mm, fixed, moving, start);
  return run<Dims, itk::DiffeomorphicDemonsRegistrationFilter<P, P, Field<Dims>>>(
      config, spacing_mm, fixed, moving, start);
}

template <unsigned Dims>
at::Tensor matched(const at::Tensor& moving, const at::Tensor& fixed) {
  auto filter = itk::HistogramMatchingImageFilter<Picture<Dims>, Picture<Dims>>::New();
  filter->SetInput(to_itk<Dims>(moving, {1, 1, 1}));
  filter->SetReferenceImage(to_itk<Dims>(fixed, {1, 1, 1}));
  filter->SetNumberOfHistogramLevels(256);
  filter->SetNumberOfMatchPoints(7);
  filter->ThresholdAtMeanIntensityOn();
  filter->Update();
  return from_itk<Dims>(*filter->GetOutput(), moving);
}

template <class Body>
at::Tensor translated(Body&& body) {
  try {
    return body();
  } catch (const itk::ExceptionObject& error) {
    fail("ITK's demons failed: {}", error.GetDescription());
  }
}

}  // namespace

at::Tensor demons(DemonsKind kind, const DemonsConfig& config,
                  const std::array<double, 3>& spacing_mm, const at::Tensor& fixed,
                  const at::Tensor& moving, const at::Tensor& start) {
  return translated([&] {
    return start.size(1) == 2 ? demons_of<2>(kind, config, spacing_mm, fixed, moving, start)
                              : demons_of<3>(kind, config, spacing_mm, fixed, moving, start);
  });
}

at::Tensor match_histogram(const at::Tensor& moving, const at::Tensor& fixed) {
  return translated(
      [&] { return moving.dim() == 4 ? matched<2>(moving, fixed) : matched<3>(moving, fixed); });
}

}  // namespace aladdin
