# LibTorch of an installed PyTorch, in the folder ALADDIN_TORCH. Its own CMake package asks for the whole CUDA toolkit;
# nothing of ours includes CUDA's headers, so headers and the libraries for the CPU are enough to build. libtorch_cuda is
# opened where a device 'cuda' is asked for (ops/device.h).
find_path(TORCH_INCLUDE_DIR ATen/ATen.h REQUIRED NO_DEFAULT_PATH PATHS ${ALADDIN_TORCH}/include)
foreach(name torch_cpu c10)
  find_library(TORCH_${name}_LIBRARY ${name} REQUIRED NO_DEFAULT_PATH PATHS ${ALADDIN_TORCH}/lib)
endforeach()
file(STRINGS ${TORCH_INCLUDE_DIR}/torch/headeronly/version.h torch_lines REGEX "#define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
if(NOT torch_lines)  # before 2.9
  file(STRINGS ${TORCH_INCLUDE_DIR}/torch/csrc/api/include/torch/version.h torch_lines
       REGEX "#define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
endif()
string(REGEX REPLACE "[^0-9]+([0-9]+)[^0-9]+([0-9]+)[^0-9]+([0-9]+).*" "\\1.\\2.\\3" Torch_VERSION "${torch_lines}")
if(Torch_VERSION VERSION_LESS 1.13)
  message(FATAL_ERROR "'${ALADDIN_TORCH}' holds PyTorch ${Torch_VERSION}, expected 1.13 or newer")
endif()
# std::string of the years before 2015 cannot meet that of ITK.
file(STRINGS ${TORCH_c10_LIBRARY} torch_strings REGEX "__cxx11" LIMIT_COUNT 1)
if(NOT torch_strings)
  message(FATAL_ERROR "'${ALADDIN_TORCH}' was built with the C++ ABI of before 2015; use PyTorch 2.7 or newer")
endif()
message(STATUS "Found PyTorch ${Torch_VERSION} in ${ALADDIN_TORCH}")
set(TORCH_INCLUDE_DIRS ${TORCH_INCLUDE_DIR} ${TORCH_INCLUDE_DIR}/torch/csrc/api/include)
# The libraries of CUDA that libtorch_cpu itself names are found at run time, beside PyTorch.
set(TORCH_LIBRARIES ${TORCH_torch_cpu_LIBRARY} ${TORCH_c10_LIBRARY} -Wl,--allow-shlib-undefined)
set(Torch_FOUND TRUE)
