# SPILLWAY_STATIC: a program that needs libc and nothing else, so that it runs on other systems than the one it was made
# on, and starts faster.  What is compiled is the same; only the program itself is linked in another way.
#
# Libraries that there are as archives are linked as archives.  Debian has Highway and fmt only as shared libraries; what
# is used of them is compiled from their headers.  The shared ones stay on the command line of the linker, which leaves
# out what it does not need.
set(static_missing "")
foreach(library LZ4:liblz4.a MD:libmd.a URING:liburing.a)
  string(REPLACE ":" ";" library ${library})
  list(GET library 0 name)
  list(GET library 1 archive)
  find_library(static_${name} ${archive})
  if(static_${name})
    set_target_properties(PkgConfig::${name} PROPERTIES INTERFACE_LINK_LIBRARIES ${static_${name}})
  else()
    list(APPEND static_missing ${archive})
  endif()
endforeach()
if(NOT HWY_VERSION MATCHES "^1\\.0\\.")
  list(APPEND static_missing "Highway 1.0")
endif()
if(NOT fmt_VERSION MATCHES "^9\\.")
  list(APPEND static_missing "fmt 9")
endif()

if(static_missing)
  list(JOIN static_missing ", " static_missing)
  message(STATUS "The program will need shared libraries: there is no ${static_missing}")
else()
  add_library(spillway_static STATIC cmake/static/highway.cc cmake/static/fmt.cc)
  target_include_directories(spillway_static PRIVATE cmake/static)  # highway.cc includes itself
  target_link_libraries(spillway_static PRIVATE fmt::fmt PkgConfig::HWY_CONTRIB)
  target_link_options(spillway PRIVATE -static-libstdc++ -static-libgcc LINKER:--as-needed)
  # What is linked directly comes before the libraries that others need.
  target_link_libraries(spillway PRIVATE -Wl,--whole-archive $<TARGET_FILE:spillway_static> -Wl,--no-whole-archive)
  add_dependencies(spillway spillway_static)
endif()
