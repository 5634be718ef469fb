# The libraries, their headers as "aladdin/<module>/<file>.h", the program, and a CMake package. ITK
# stays inside the library: no public header includes it. Components are the Debian packages (cmake/packages.cmake).
include(CMakePackageConfigHelpers)

target_include_directories(aladdin INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(aladdin PUBLIC fmt::fmt $<INSTALL_INTERFACE:Eigen3::Eigen>)
target_compile_features(aladdin PUBLIC cxx_std_20)

install(TARGETS aladdin EXPORT aladdinTargets LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS aladdin_cli COMPONENT program)
# Private are the headers whose first line says "Inside this folder only", those of the tests, those
# that include ITK, and the inner loops of the kernels.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/*.h)
list(FILTER headers EXCLUDE REGEX "/(test|itk)_[^/]*$|^kernels/fast/")
foreach(header ${headers})
  file(STRINGS src/${header} first_line LIMIT_COUNT 1)
  if(NOT first_line MATCHES "^// Inside this folder only")
    get_filename_component(module ${header} DIRECTORY)
    install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/aladdin/${module}
            COMPONENT development)
  endif()
endforeach()

# Manual pages and completions, made by the program from its declarations.
set(generated ${PROJECT_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${generated}/aladdin.bash
  COMMAND aladdin_cli docs man -o ${generated}/man1
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/packaging/aladdin-bids.1 ${generated}/man1
  COMMAND sh -c "gzip -9nf ${generated}/man1/*.1"
  COMMAND aladdin_cli completion zsh > ${generated}/_aladdin
  COMMAND aladdin_cli completion fish > ${generated}/aladdin.fish
  COMMAND aladdin_cli completion bash > ${generated}/aladdin.bash
  DEPENDS aladdin_cli packaging/aladdin-bids.1 VERBATIM)
add_custom_target(generated ALL DEPENDS ${generated}/aladdin.bash)
install(DIRECTORY ${generated}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
install(FILES ${generated}/aladdin.bash RENAME aladdin COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_aladdin COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${generated}/aladdin.fish COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(PROGRAMS packaging/aladdin-bids TYPE BIN COMPONENT program)
install(PROGRAMS packaging/slicer-module COMPONENT program
        DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/aladdin)

install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT documentation)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/aladdin)
install(EXPORT aladdinTargets NAMESPACE aladdin:: DESTINATION ${package_dir} COMPONENT development)
if(TARGET aladdin_learning)
  install(TARGETS aladdin_learning EXPORT aladdinLearningTargets
          LIBRARY COMPONENT learning NAMELINK_COMPONENT development)
  install(EXPORT aladdinLearningTargets NAMESPACE aladdin:: DESTINATION ${package_dir}
          COMPONENT development)
endif()
configure_package_config_file(cmake/aladdinConfig.cmake.in aladdinConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(aladdinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/aladdinConfig.cmake
              ${PROJECT_BINARY_DIR}/aladdinConfigVersion.cmake DESTINATION ${package_dir}
        COMPONENT development)
include(cmake/packages.cmake)
