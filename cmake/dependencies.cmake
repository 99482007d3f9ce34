# The libraries of other people.  One that is missing or too old is named with its Debian package, all of them at once.
find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "There is no pkg-config, which finds libraries.  On Debian: apt install pkg-config")
endif()
set(missing_libraries)
set(missing_packages)

macro(spillway_missing what package)
  list(APPEND missing_libraries "${what}")
  list(APPEND missing_packages ${package})
endmacro()

# spillway_library(LZ4 "liblz4>=1.9" liblz4-dev): the target PkgConfig::LZ4.
macro(spillway_library name module package)
  pkg_check_modules(${name} QUIET IMPORTED_TARGET "${module}")
  if(NOT ${name}_FOUND)
    spillway_missing("${module}" ${package})
  endif()
endmacro()

# spillway_package(fmt 9 libfmt-dev): what the CMake files of a library define.
macro(spillway_package name version package)
  find_package(${name} ${version} QUIET)
  if(NOT ${name}_FOUND)
    string(STRIP "${name} ${version}" wanted)
    spillway_missing("${wanted}" ${package})
  endif()
endmacro()

spillway_package(Boost 1.74 libboost-dev)  # its headers only: Asio and Beast
spillway_package(fmt 9 libfmt-dev)
spillway_package(CLI11 2.1 libcli11-dev)
spillway_package(nlohmann_json 3.11 nlohmann-json3-dev)
spillway_library(HWY "libhwy>=1.0.3" libhwy-dev)
spillway_library(HWY_CONTRIB "libhwy-contrib>=1.0.3" libhwy-dev)
spillway_library(LZ4 "liblz4>=1.9" liblz4-dev)
spillway_library(MD "libmd>=1.0" libmd-dev)
spillway_library(TOML "tomlplusplus>=3.1" libtomlplusplus-dev)  # its headers only
spillway_library(URING "liburing>=2.3" liburing-dev)
spillway_library(XXHASH "libxxhash>=0.8" libxxhash-dev)
if(BUILD_TESTING)
  spillway_package(GTest 1.12 libgtest-dev)
  spillway_package(rapidcheck "" librapidcheck-dev)
endif()

if(missing_libraries)
  list(REMOVE_DUPLICATES missing_packages)
  list(JOIN missing_libraries ", " missing_libraries)
  list(JOIN missing_packages " " missing_packages)
  message(FATAL_ERROR "These libraries are missing or too old: ${missing_libraries}.  On Debian 12: apt install ${missing_packages}")
endif()

find_package(Threads REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# The product has xxHash inlined: it needs the header only.
add_library(spillway_xxhash INTERFACE)
target_include_directories(spillway_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIRS})
