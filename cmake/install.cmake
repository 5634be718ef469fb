# The libraries, their headers as "aladdin/<module>/<file>.h", the program, and a CMake package. ITK
# stays inside the library: no public header includes it.
include(CMakePackageConfigHelpers)

target_include_directories(aladdin INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(aladdin PUBLIC fmt::fmt $<INSTALL_INTERFACE:Eigen3::Eigen>)
target_compile_features(aladdin PUBLIC cxx_std_20)

install(TARGETS aladdin EXPORT aladdinTargets)
install(TARGETS aladdin_cli)
# Private are the headers whose first line says "Inside this folder only", those of the tests, those
# that include ITK, and the inner loops of the kernels.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/*.h)
list(FILTER headers EXCLUDE REGEX "/(test|itk)_[^/]*$|^kernels/fast/")
foreach(header ${headers})
  file(STRINGS src/${header} first_line LIMIT_COUNT 1)
  if(NOT first_line MATCHES "^// Inside this folder only")
    get_filename_component(module ${header} DIRECTORY)
    install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/aladdin/${module})
  endif()
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/aladdin)
install(EXPORT aladdinTargets NAMESPACE aladdin:: DESTINATION ${package_dir})
if(TARGET aladdin_learning)
  install(TARGETS aladdin_learning EXPORT aladdinLearningTargets)
  install(EXPORT aladdinLearningTargets NAMESPACE aladdin:: DESTINATION ${package_dir})
endif()
configure_package_config_file(cmake/aladdinConfig.cmake.in aladdinConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(aladdinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/aladdinConfig.cmake
              ${PROJECT_BINARY_DIR}/aladdinConfigVersion.cmake DESTINATION ${package_dir})
