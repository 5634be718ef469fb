# Every outside library, once. Torch and ITK are wrapped in interface targets of our own, so that a
# module says which of them it uses and nothing else sees their flags.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
# Threads are ours (core/parallel.h): Eigen starts none.
set_property(TARGET Eigen3::Eigen APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS EIGEN_DONT_PARALLELIZE)
find_package(Boost 1.74 REQUIRED)

find_package(ITK 5.2 REQUIRED COMPONENTS
  ITKCommon ITKIOImageBase ITKIONIFTI ITKIONRRD ITKIOMeta ITKIOGDCM ITKIOPNG
  ITKTransform ITKDisplacementField ITKIOTransformBase ITKIOTransformInsightLegacy
  ITKIOTransformMatlab ITKIOTransformHDF5 ITKImageFunction ITKImageGrid)
add_library(aladdin_itk INTERFACE)
target_include_directories(aladdin_itk SYSTEM INTERFACE ${ITK_INCLUDE_DIRS})
target_link_libraries(aladdin_itk INTERFACE ${ITK_LIBRARIES})
# The demons: as a component of the above they would ask for the developer's files of FFTW. Libraries have the version in
# their names, or, as some packagers build them, not.
set(itk_suffix -${ITK_VERSION_MAJOR}.${ITK_VERSION_MINOR})
find_library(ITK_DEMONS_LIBRARY REQUIRED
             NAMES ITKPDEDeformableRegistration${itk_suffix} ITKPDEDeformableRegistration HINTS ${ITK_LIBRARY_DIRS})
target_link_libraries(aladdin_itk INTERFACE ${ITK_DEMONS_LIBRARY})
# MINC likewise; not every build of ITK has it.
find_library(ITK_MINC_LIBRARY NAMES ITKIOMINC${itk_suffix} ITKIOMINC HINTS ${ITK_LIBRARY_DIRS})
if(ITK_MINC_LIBRARY)
  target_link_libraries(aladdin_itk INTERFACE ${ITK_MINC_LIBRARY})
  target_compile_definitions(aladdin_itk INTERFACE ALADDIN_MINC)
else()
  message(STATUS "MINC files will not be read: this ITK has no ITKIOMINC")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  target_compile_options(aladdin_itk INTERFACE -include ${CMAKE_CURRENT_LIST_DIR}/itk_for_clang.h)
endif()

if(ALADDIN_LEARNING)
  if(ALADDIN_TORCH)
    include(cmake/torch_of_python.cmake)
  else()
    find_package(Torch 1.13 REQUIRED)
  endif()
  add_library(aladdin_torch INTERFACE)
  target_include_directories(aladdin_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(aladdin_torch INTERFACE ${TORCH_LIBRARIES})
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    # ATen.h names IValue long before it is defined, which clang does not take in C++20.
    target_compile_options(aladdin_torch INTERFACE "SHELL:-include ATen/core/ivalue.h")
  endif()

  # Gloo, which Torch's c10d talks through: several processes train together (src/team). Its headers are a package of
  # their own; without them a build is one process.
  find_path(GLOO_INCLUDE_DIR gloo/context.h)
  find_library(GLOO_LIBRARY gloo)
  add_library(aladdin_gloo INTERFACE)
  if(GLOO_INCLUDE_DIR AND GLOO_LIBRARY)
    target_include_directories(aladdin_gloo SYSTEM INTERFACE ${GLOO_INCLUDE_DIR})
    target_link_libraries(aladdin_gloo INTERFACE ${GLOO_LIBRARY})
    target_compile_definitions(aladdin_gloo INTERFACE ALADDIN_GLOO)
  else()
    message(WARNING "training on several machines is left out: there is no gloo/context.h (libgloo-dev)")
  endif()
  # NCCL, only where Torch itself was built for CUDA.
  find_path(NCCL_INCLUDE_DIR nccl.h)
  if(TORCH_CUDA_LIBRARIES AND NCCL_INCLUDE_DIR)
    target_include_directories(aladdin_gloo SYSTEM INTERFACE ${NCCL_INCLUDE_DIR})
    target_compile_definitions(aladdin_gloo INTERFACE ALADDIN_NCCL)
  endif()
endif()

# FFTW in single precision: the cosine transform of src/optimise.
find_library(FFTW_LIBRARY fftw3f REQUIRED)
find_path(FFTW_INCLUDE_DIR fftw3.h REQUIRED)
add_library(aladdin_fftw INTERFACE)
target_include_directories(aladdin_fftw SYSTEM INTERFACE ${FFTW_INCLUDE_DIR})
target_link_libraries(aladdin_fftw INTERFACE ${FFTW_LIBRARY})

# oneDNN: Debian's CMake package of it asks for OpenCL, which only its GPU engine needs.
find_library(DNNL_LIBRARY NAMES dnnl onednn REQUIRED)
find_path(DNNL_INCLUDE_DIR dnnl.hpp REQUIRED)
add_library(aladdin_dnnl INTERFACE)
target_include_directories(aladdin_dnnl SYSTEM INTERFACE ${DNNL_INCLUDE_DIR})
target_link_libraries(aladdin_dnnl INTERFACE ${DNNL_LIBRARY})
find_file(DNNL_VERSION_HEADER dnnl_version.h PATH_SUFFIXES oneapi/dnnl REQUIRED)
file(STRINGS ${DNNL_VERSION_HEADER} dnnl_lines REGEX "#define DNNL_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE "[^0-9]+([0-9]+)[^0-9]+([0-9]+)[^0-9]+([0-9]+)" "\\1.\\2.\\3" dnnl_VERSION "${dnnl_lines}")

if(ALADDIN_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
