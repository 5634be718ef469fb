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

find_package(ITK 5.2 REQUIRED COMPONENTS
  ITKCommon ITKIOImageBase ITKIONIFTI ITKIONRRD ITKIOMeta ITKIOGDCM ITKIOPNG
  ITKTransform ITKDisplacementField ITKIOTransformBase ITKIOTransformInsightLegacy
  ITKIOTransformMatlab ITKIOTransformHDF5 ITKImageFunction ITKImageGrid)
add_library(aladdin_itk INTERFACE)
target_include_directories(aladdin_itk SYSTEM INTERFACE ${ITK_INCLUDE_DIRS})
target_link_libraries(aladdin_itk INTERFACE ${ITK_LIBRARIES})
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  target_compile_options(aladdin_itk INTERFACE -include ${CMAKE_CURRENT_LIST_DIR}/itk_for_clang.h)
endif()

find_package(Torch 1.13 REQUIRED)
add_library(aladdin_torch INTERFACE)
target_include_directories(aladdin_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
target_link_libraries(aladdin_torch INTERFACE ${TORCH_LIBRARIES})

# oneDNN: Debian's CMake package of it asks for OpenCL, which only its GPU engine needs.
find_library(DNNL_LIBRARY dnnl REQUIRED)
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
