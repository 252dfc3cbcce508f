# How this project makes libraries, programs and tests.
#
# A library is a folder: every .cc in it, those named *_test.cc aside, which become
# one test program. Folders nested in it that have a CMakeLists.txt of their own are
# libraries of their own.

# One precompiled header for libraries and one for tests, each built once.
# Written once: a newer stub would make everything out of date at each configure.
if(NOT EXISTS "${CMAKE_BINARY_DIR}/pch_stub.cc")
  file(WRITE "${CMAKE_BINARY_DIR}/pch_stub.cc" "")
endif()
set(YM_PCH_HEADERS
  <algorithm> <array> <chrono> <cstdint> <expected> <functional> <map> <memory> <mutex> <optional> <set> <span> <string>
  <string_view> <tuple> <utility> <variant> <vector>
  "${CMAKE_SOURCE_DIR}/src/base/fmt_once.h")
add_library(ym_pch STATIC "${CMAKE_BINARY_DIR}/pch_stub.cc")
target_link_libraries(ym_pch PUBLIC ym_options fmt::fmt)
target_precompile_headers(ym_pch PRIVATE ${YM_PCH_HEADERS})
if(YM_TESTS)
  # Tests are compiled without optimisation, which takes less than half as long: the libraries that they test
  # are optimised all the same.
  set(YM_TEST_OPTIONS -O0 -U_FORTIFY_SOURCE)
  set(YM_TEST_HEADERS <gmock/gmock.h> <gtest/gtest.h>)
  add_library(ym_test_pch STATIC "${CMAKE_BINARY_DIR}/pch_stub.cc")
  target_link_libraries(ym_test_pch PUBLIC ym_options fmt::fmt GTest::gmock GTest::gtest)
  target_compile_options(ym_test_pch PRIVATE ${YM_TEST_OPTIONS})
  target_precompile_headers(ym_test_pch PRIVATE ${YM_PCH_HEADERS} ${YM_TEST_HEADERS})
endif()

# Sources below the current folder that belong to it, not to a nested library.
function(ym_sources pattern out)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}")
  file(GLOB_RECURSE nested CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt")
  foreach(list_file IN LISTS nested)
    get_filename_component(folder "${list_file}" DIRECTORY)
    list(FILTER found EXCLUDE REGEX "^${folder}/")
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# Sources of a library are compiled some at a time, as one: what they include is read once for all of them, which takes
# half the time. So names in unnamed namespaces are unique within a library, and within its tests. OFF: each by itself.
option(YM_UNITY "compile the sources of a library in batches" ON)

# The target's sources are compiled in batches of so many; FOLDER: in one batch for each folder.
function(ym_batches target size)
  if(NOT YM_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
  if(NOT size STREQUAL "FOLDER")
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${size})
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
endfunction()

# unit.<name>, or unit.<name>.1 and so on. Those in shards wait for most of their time: they begin first, and more of
# them run at once than of those that compute, which count twice.
function(ym_unit_tests name shards)
  if(NOT shards)
    add_test(NAME unit.${name} COMMAND ${name}_test)
    set_tests_properties(unit.${name} PROPERTIES PROCESSORS 2)
    return()
  endif()
  foreach(number RANGE 1 ${shards})
    math(EXPR index "${number} - 1")
    add_test(NAME unit.${name}.${number} COMMAND ${name}_test)
    set_tests_properties(unit.${name}.${number} PROPERTIES COST 1000
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# ym_library(name DEPS public... PRIVATE_DEPS private... TEST_DEPS test-only...)
#
# DEPS are all that the library may need: `name_link_test` links it alone, every object
# of it, so that a dependency that is used but not declared is a link error.
# SHARDS: as many tests that each run a part of the test program, because it mostly waits.
# TESTING: the library itself is for tests only. BUSY_TESTS: its tests compute so much that they are
# optimised, with a TEST_PCH that is.
# PCH, TEST_PCH: headers that most of its sources, or tests, include and that are costly to read, precompiled
# for them. SMALL: programs that have to stay small take few of its functions, so each function has a section of its own.
# ONE_BY_ONE_TESTS: each test source is compiled by itself: their names are alike. BY_FOLDER: each folder is a batch, of
# sources and of tests, so names are unique within a folder. HEAVY: a folder of it, and headers that are precompiled for
# its sources alone.
function(ym_library name)
  cmake_parse_arguments(arg "TESTING;BUSY_TESTS;SMALL;ONE_BY_ONE_TESTS;BY_FOLDER" "SHARDS" "DEPS;PRIVATE_DEPS;TEST_DEPS;PCH;TEST_PCH;HEAVY" ${ARGN})
  if(arg_TESTING AND NOT YM_TESTS)
    # A name that is never built: its CMakeLists.txt may say more about it.
    add_library(ym_${name} STATIC EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/pch_stub.cc")
    return()
  endif()
  ym_sources("*.cc" sources)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  if(NOT sources)
    set(sources "${CMAKE_BINARY_DIR}/pch_stub.cc")
  endif()
  if(arg_HEAVY)
    list(POP_FRONT arg_HEAVY folder)
    set(heavy ${sources})
    list(FILTER heavy INCLUDE REGEX "^${folder}/")
    list(FILTER sources EXCLUDE REGEX "^${folder}/")
    add_library(ym_${name}_${folder} OBJECT ${heavy})
    target_link_libraries(ym_${name}_${folder} PRIVATE ym_options ${arg_DEPS} ${arg_PRIVATE_DEPS} fmt::fmt)
    target_precompile_headers(ym_${name}_${folder} PRIVATE ${YM_PCH_HEADERS} ${arg_HEAVY})
    ym_batches(ym_${name}_${folder} 7)
    list(APPEND sources $<TARGET_OBJECTS:ym_${name}_${folder}>)
  endif()
  add_library(ym_${name} STATIC ${sources})
  if(arg_BY_FOLDER)
    ym_batches(ym_${name} FOLDER)
  elseif(NOT arg_TESTING)
    ym_batches(ym_${name} 12)
  endif()
  if(arg_SMALL)
    target_compile_options(ym_${name} PRIVATE -ffunction-sections -fdata-sections)
  endif()
  target_link_libraries(ym_${name} PUBLIC ym_options ${arg_DEPS} PRIVATE ${arg_PRIVATE_DEPS} fmt::fmt)
  if(arg_TESTING)
    target_link_libraries(ym_${name} PRIVATE GTest::gmock GTest::gtest)
    target_compile_options(ym_${name} PRIVATE ${YM_TEST_OPTIONS})
    target_precompile_headers(ym_${name} REUSE_FROM ym_test_pch)
  elseif(arg_PCH)
    target_precompile_headers(ym_${name} PRIVATE ${YM_PCH_HEADERS} ${arg_PCH})
  else()
    target_precompile_headers(ym_${name} REUSE_FROM ym_pch)
  endif()
  if(NOT YM_TESTS)
    return()
  endif()
  add_executable(${name}_link_test "${CMAKE_SOURCE_DIR}/cmake/link_test_main.cc")
  target_link_libraries(${name}_link_test PRIVATE -Wl,--whole-archive ym_${name} -Wl,--no-whole-archive)
  add_test(NAME structure.${name}.links_alone COMMAND ${name}_link_test)
  if(tests)
    add_executable(${name}_test ${tests})
    if(arg_BY_FOLDER)
      ym_batches(${name}_test FOLDER)
    elseif(NOT arg_ONE_BY_ONE_TESTS)
      ym_batches(${name}_test 8)
    endif()
    target_link_libraries(${name}_test PRIVATE ym_${name} ${arg_TEST_DEPS} ym_base_testing ym_options fmt::fmt GTest::gmock_main)
    if(NOT arg_BUSY_TESTS)
      target_compile_options(${name}_test PRIVATE ${YM_TEST_OPTIONS})
    endif()
    if(arg_TEST_PCH)
      target_precompile_headers(${name}_test PRIVATE ${YM_PCH_HEADERS} ${YM_TEST_HEADERS} ${arg_TEST_PCH})
    else()
      target_precompile_headers(${name}_test REUSE_FROM ym_test_pch)
    endif()
    target_compile_definitions(${name}_test PRIVATE YM_SOURCE_DIR="${CMAKE_SOURCE_DIR}" YM_BINARY_DIR="${CMAKE_BINARY_DIR}")
    ym_unit_tests(${name} "${arg_SHARDS}")
  endif()
endfunction()

# Every target, its folder and the targets that it uses, as rows of build/PRESET/targets.tsv; tools/lib/sanitized.py reads
# it. Headers-only libraries are among them, which CMake's own files leave out.
function(ym_write_graph)
  set(rows "")
  set(folders "${CMAKE_SOURCE_DIR}")
  while(folders)
    list(POP_FRONT folders folder)
    get_property(nested DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    list(APPEND folders ${nested})
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      set(row "${target}\t${folder}")
      foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES MANUALLY_ADDED_DEPENDENCIES SOURCES)
        get_target_property(value ${target} ${property})
        if(NOT value)
          set(value "")
        endif()
        string(REPLACE ";" " " value "${value}")
        string(APPEND row "\t${value}")
      endforeach()
      string(APPEND rows "${row}\n")
    endforeach()
  endwhile()
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/targets.tsv" CONTENT "@rows@" @ONLY)
endfunction()
