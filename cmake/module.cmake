# aladdin_module(name SOURCES … [USES module…] [LINK library…] [TESTS …] [TEST_LINK library…])
#
# One folder under src/ is one module. USES names the modules below it: tests/check_layers.sh holds
# every #include to that list. All modules go into the library `aladdin`, those that link Torch into
# `aladdin_learning`: Debian's Torch loads some 230 shared libraries, 0.4 s at every start, which a
# program that only looks at an image should not pay.
add_library(aladdin_flags INTERFACE)
target_compile_options(aladdin_flags INTERFACE -Wall -Wextra -Wshadow -Wno-unknown-pragmas)
target_include_directories(aladdin_flags INTERFACE ${PROJECT_BINARY_DIR}/include)
# Torch's and ITK's headers are not clean under our warnings; they come in as SYSTEM.

set_property(GLOBAL PROPERTY ALADDIN_LAYERS "")
add_custom_target(fast_tests)  # all that the tests with the label fast need

# Torch's headers take most of the compile time of what includes them: they are read once for all modules and their
# tests.
function(aladdin_read_torch_once target)
  if(CCACHE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # or ccache could not keep what uses them
  endif()
  get_property(first GLOBAL PROPERTY ALADDIN_TORCH_HEADERS)
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE <ATen/ATen.h> <torch/csrc/autograd/custom_function.h>)
    set_property(GLOBAL PROPERTY ALADDIN_TORCH_HEADERS ${target})
  endif()
endfunction()

function(aladdin_module name)
  cmake_parse_arguments(M "" "" "SOURCES;USES;LINK;TESTS;TEST_LINK" ${ARGN})
  if("aladdin_torch" IN_LIST M_LINK AND NOT ALADDIN_LEARNING)
    return()
  endif()
  add_library(aladdin_${name} OBJECT ${M_SOURCES})
  target_link_libraries(aladdin_${name} PUBLIC aladdin_flags fmt::fmt spdlog::spdlog
                        OpenMP::OpenMP_CXX PRIVATE ${M_LINK})
  set(library aladdin)
  if("aladdin_torch" IN_LIST M_LINK)
    set(library aladdin_learning)
    aladdin_read_torch_once(aladdin_${name})
    if(NOT TARGET aladdin_learning)
      add_library(aladdin_learning SHARED)
      set_target_properties(aladdin_learning PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0
                            EXPORT_NAME learning
                            LIBRARY_OUTPUT_DIRECTORY $<TARGET_FILE_DIR:aladdin>)
      target_link_libraries(aladdin_learning PUBLIC aladdin)
    endif()
  endif()
  target_link_libraries(${library} PRIVATE aladdin_${name})
  string(REPLACE ";" "," uses "${M_USES}")
  string(REPLACE ";" "," links "${M_LINK}")
  set_property(GLOBAL APPEND PROPERTY ALADDIN_LAYERS "${name}:${uses}:${links}")
  if(ALADDIN_TESTS AND M_TESTS)
    add_executable(${name}_test ${M_TESTS})
    target_link_libraries(${name}_test PRIVATE ${library} aladdin_flags ${M_TEST_LINK} ${M_LINK}
                          GTest::gmock GTest::gtest_main fmt::fmt nlohmann_json::nlohmann_json)
    foreach(test ${M_TESTS})  # those alone that ask for it: the others are the same objects in every clone
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${test})
      file(STRINGS ${test} asks REGEX ALADDIN_SHARED_DATA)
      if(asks)
        set_property(SOURCE ${test} APPEND PROPERTY COMPILE_DEFINITIONS
                     ALADDIN_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data")
      endif()
    endforeach()
    if(library STREQUAL aladdin_learning)
      # As the modules are compiled, or their headers could not be used.
      set_target_properties(${name}_test PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${name}_test PRIVATE -fPIC)
      target_link_libraries(${name}_test PRIVATE spdlog::spdlog OpenMP::OpenMP_CXX)
      aladdin_read_torch_once(${name}_test)
    endif()
    set(label slow)
    if(library STREQUAL aladdin)
      set(label fast)
      add_dependencies(fast_tests ${name}_test)
    endif()
    gtest_discover_tests(${name}_test TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT 600 LABELS ${label})
  endif()
endfunction()
