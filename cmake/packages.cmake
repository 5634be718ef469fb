# Debian packages: `./run package` (the preset `package`) makes them with CPack from the components of cmake/install.cmake.
#
#   aladdin                the program, its manual pages and completions
#   libaladdin0            all but training: images, transforms, registration, evaluation, statistics
#   libaladdin-learning0   training, the only part that needs Torch
#   libaladdin-dev         headers and CMake package
#   aladdin-doc            documentation and examples
set(ALADDIN_MAINTAINER "Aladdin developers <aladdin@users.noreply.github.com>" CACHE STRING
    "Name and address in the Debian packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME aladdin)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${ALADDIN_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library learning development documentation)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# aladdin_package(COMPONENT NAME SECTION DEPENDS TEXT): one package of one component.
function(aladdin_package component name section depends text)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${text}" PARENT_SCOPE)
  # Policy: who may do what with it, and what has changed, in a folder of each package.
  set(folder ${PROJECT_BINARY_DIR}/packaging/${name})
  configure_file(cmake/copyright.in ${folder}/copyright COPYONLY)
  file(WRITE ${folder}/changelog "aladdin (${PROJECT_VERSION}) stable; urgency=medium\n\n"
    "  * See CHANGELOG.md in aladdin-doc.\n\n -- ${ALADDIN_MAINTAINER}  Wed, 18 Nov 2026 12:00:00 +0000\n")
  execute_process(COMMAND gzip -9nf ${folder}/changelog)
  install(FILES ${folder}/copyright ${folder}/changelog.gz DESTINATION share/doc/${name}
          COMPONENT ${component})
endfunction()

set(same "(= ${PROJECT_VERSION})")
set(what "Aladdin builds the atlas of a cohort of 2-D or 3-D medical images and,\njointly, a diffeomorphic registration of new images to it.")
aladdin_package(program aladdin science "libaladdin0 ${same}"
  "${what}\n\nThis package has the program.")
aladdin_package(library libaladdin0 libs ""
  "${what}\n\nThis package has the library that registers, evaluates and measures.")
aladdin_package(learning libaladdin-learning0 libs "libaladdin0 ${same}"
  "${what}\n\nThis package has the library that builds atlases, with Torch.")
aladdin_package(development libaladdin-dev libdevel
  "libaladdin0 ${same}, libaladdin-learning0 ${same}, libfmt-dev, libeigen3-dev"
  "${what}\n\nThis package has the headers and the CMake package.")
aladdin_package(documentation aladdin-doc doc ""
  "${what}\n\nThis package has the documentation.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libaladdin-learning0 ${same}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "aladdin-doc")
set(CPACK_DEBIAN_LEARNING_PACKAGE_RECOMMENDS "libopenblas0-openmp")  # ten times the speed of the reference BLAS
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
# The linker's cache follows the libraries.
file(WRITE ${PROJECT_BINARY_DIR}/packaging/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/packaging/triggers)
set(CPACK_DEBIAN_LEARNING_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/packaging/triggers)
# The program opens it by name; ours alone would be enough for the linker.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_GENERATE_SHLIBS OFF)
include(CPack)
