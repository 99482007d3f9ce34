# spillway_module(name SOURCES a.cc HEADERS a.h [DEPENDS base model] [USES fmt::fmt])
# One folder of src/ is one static library.  DEPENDS is the whole list of folders it may include, USES the
# libraries of other people that its sources need.
function(spillway_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;DEPENDS;USES" ${ARGN})
  add_library(spillway_${name} STATIC ${ARG_SOURCES})
  target_sources(spillway_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${ARG_HEADERS})
  target_include_directories(spillway_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include)
  list(TRANSFORM ARG_DEPENDS PREPEND spillway_)
  target_link_libraries(spillway_${name} PUBLIC ${ARG_DEPENDS} PRIVATE spillway_warnings ${ARG_USES})
  set_target_properties(spillway_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  add_dependencies(spillway_${name} layers)
endfunction()
