// For the tests: transform files as ITK itself writes them.
#pragma once

#include <itkCompositeTransform.h>
#include <itkDisplacementFieldTransform.h>
#include <itkHDF5TransformIOFactory.h>
#include <itkMatlabTransformIOFactory.h>
#include <itkSimilarity2DTransform.h>
#include <itkSimilarity3DTransform.h>
#include <itkTransformFactory.h>
#include <itkTransformFileWriter.h>
#include <itkTranslationTransform.h>
#include <itkTxtTransformIOFactory.h>

#include <type_traits>

#include "aladdin/core/files.h"

namespace aladdin::testing {

inline void register_itk_formats() {
  itk::TransformFactoryBase::RegisterDefaultTransforms();
  itk::TxtTransformIOFactory::RegisterOneFactory();
  itk::MatlabTransformIOFactory::RegisterOneFactory();
  itk::HDF5TransformIOFactory::RegisterOneFactory();
}

template <class Real>
void write_with_itk(const Path& path, const itk::TransformBaseTemplate<Real>& transform) {
  auto writer = itk::TransformFileWriterTemplate<Real>::New();
  writer->SetFileName(path.string());
  writer->SetInput(&transform);
  writer->Update();
}

// A field of 4 x 3 (x 2) voxels, turned; every vector another.
template <class Real, unsigned Dims>
typename itk::DisplacementFieldTransform<Real, Dims>::Pointer small_itk_field() {
  using Field = itk::Image<itk::Vector<Real, Dims>, Dims>;
  auto field = Field::New();
  typename Field::SizeType size;
  typename Field::SpacingType spacing;
  typename Field::PointType origin;
  auto direction = field->GetDirection();
  for (unsigned axis = 0; axis < Dims; ++axis) {
    size[axis] = 4 - axis;
    spacing[axis] = 5 + axis;
    origin[axis] = -3.5 + axis;
  }
  direction(0, 0) = direction(1, 1) = 0.8;
  direction(0, 1) = -(direction(1, 0) = 0.6);
  field->SetRegions(size);
  field->SetSpacing(spacing);
  field->SetOrigin(origin);
  field->SetDirection(direction);
  field->Allocate();
  const auto voxels = field->GetLargestPossibleRegion().GetNumberOfPixels();
  for (std::size_t v = 0; v < voxels; ++v)
    for (unsigned c = 0; c < Dims; ++c)
      field->GetBufferPointer()[v][c] = static_cast<Real>(0.25 * static_cast<double>(v) - c);
  auto transform = itk::DisplacementFieldTransform<Real, Dims>::New();
  transform->SetDisplacementField(field);
  return transform;
}

// Similarity, field, translation: another map in another order.
template <class Real, unsigned Dims>
typename itk::CompositeTransform<Real, Dims>::Pointer small_itk_composite() {
  auto turn = std::conditional_t<Dims == 2, itk::Similarity2DTransform<Real>,
                                 itk::Similarity3DTransform<Real>>::New();
  auto numbers = turn->GetParameters();
  for (unsigned n = 0; n < numbers.Size(); ++n) numbers[n] = static_cast<Real>(0.125 * (n + 1));
  turn->SetParameters(numbers);
  auto shift = itk::TranslationTransform<Real, Dims>::New();
  auto offset = shift->GetParameters();
  for (unsigned axis = 0; axis < Dims; ++axis) offset[axis] = static_cast<Real>(1 + 0.5 * axis);
  shift->SetParameters(offset);
  auto composite = itk::CompositeTransform<Real, Dims>::New();
  composite->AddTransform(turn);
  composite->AddTransform(small_itk_field<Real, Dims>());
  composite->AddTransform(shift);
  return composite;
}

}  // namespace aladdin::testing
