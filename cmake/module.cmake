# spillway_together(target): its sources are compiled SPILLWAY_TOGETHER at a time, but for those in SPILLWAY_ALONE.
function(spillway_together target)
  if(SPILLWAY_TOGETHER GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${SPILLWAY_TOGETHER})
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    get_target_property(sources ${target} SOURCES)
    foreach(source ${sources})
      if("${folder}/${source}" IN_LIST SPILLWAY_ALONE)
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endforeach()
  endif()
endfunction()

# spillway_module(name SOURCES a.cc HEADERS a.h [ROOMS "b: ." "c: b"] [DEPENDS base model] [USES fmt::fmt] [NOT_TOGETHER a.cc] [FUZZED])
# One folder of src/ is one static library.  DEPENDS is the whole list of folders it may include, ROOMS the folders in it
# and which of them each may include ("." is the folder itself; only check_layers.py reads that), USES the
# libraries of other people that its sources need.  Several sources are compiled together (SPILLWAY_TOGETHER), which halves
# the time; NOT_TOGETHER are those that have local names in common with others.  FUZZED are the modules that read
# what a fuzzer makes up, and work on it: only they tell the fuzzers what an input has reached, which costs time.
#
# Nothing is precompiled: sources that are compiled together read a header once, and ccache finds them in other clones.
# scripts/nightly compiles every source alone, and so finds one that does not include what it needs.
#
# SPILLWAY_UNOPTIMISED are modules that the sanitizers of CI watch as they are: optimising what a sanitizer adds takes two
# thirds of the time of clang, and tests spend little time in these.
#
# Every header can be included alone: a source includes its own header first (check_layers.py sees to that), and the
# target all_verify_interface_header_sets compiles those that have no source.
function(spillway_module name)
  cmake_parse_arguments(ARG "FUZZED" "" "SOURCES;HEADERS;ROOMS;DEPENDS;USES;NOT_TOGETHER" ${ARGN})
  add_library(spillway_${name} STATIC ${ARG_SOURCES})
  set(alone ${ARG_HEADERS})
  foreach(source ${ARG_SOURCES})
    string(REGEX REPLACE "\\.cc$" ".h" header ${source})
    list(REMOVE_ITEM alone ${header})
  endforeach()
  list(REMOVE_ITEM ARG_HEADERS ${alone})
  target_sources(spillway_${name}
    PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${ARG_HEADERS}
    PUBLIC FILE_SET alone TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${alone})
  target_include_directories(spillway_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include)
  list(TRANSFORM ARG_DEPENDS PREPEND spillway_)
  target_link_libraries(spillway_${name} PUBLIC ${ARG_DEPENDS} PRIVATE spillway_warnings ${ARG_USES})
  set_target_properties(spillway_${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY alone)
  set_source_files_properties(${ARG_NOT_TOGETHER} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  spillway_together(spillway_${name})
  if(name IN_LIST SPILLWAY_UNOPTIMISED)
    target_compile_options(spillway_${name} PRIVATE -O0)
  endif()
  if(SPILLWAY_FUZZ AND ARG_FUZZED)
    target_compile_options(spillway_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  add_dependencies(spillway_${name} layers)
endfunction()
