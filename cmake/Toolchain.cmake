# Compiler, standard, warnings, sanitizers.

# g++ 12.2 miscompiles coroutines: awaiting inside an `if` condition, designated
# temporaries and captured lambdas in awaited expressions end in traps and double
# frees (24 of 65 small Asio programs failed). Debian 12 packages clang 19.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR "Yardmaster is built with clang++ 19 or newer (found ${CMAKE_CXX_COMPILER_ID} "
                      "${CMAKE_CXX_COMPILER_VERSION}): g++ 12 miscompiles coroutines. Run `tools/dev setup`, "
                      "then configure with the presets: `cmake --preset release`.")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_PCH_INSTANTIATE_TEMPLATES ON)

find_program(YM_CCACHE ccache)
if(YM_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${YM_CCACHE})
endif()

set(YM_SANITIZE "" CACHE STRING "sanitizers, e.g. address,undefined or thread")

add_library(ym_options INTERFACE)
target_compile_options(ym_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wextra-semi -Wimplicit-fallthrough
  -Wno-missing-designated-field-initializers -Wunused -Woverloaded-virtual -Wcast-qual -Wnull-dereference
  -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -ftrivial-auto-var-init=zero
  -fPIE "SHELL:-Xclang -fno-pch-timestamp")  # PIE last: libraries and programs share one precompiled header
target_compile_definitions(ym_options INTERFACE
  _GLIBCXX_ASSERTIONS BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED)
target_link_options(ym_options INTERFACE -fuse-ld=mold -Wl,-z,relro,-z,now,-z,noexecstack)
if(YM_SANITIZE)
  target_compile_options(ym_options INTERFACE -fsanitize=${YM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ym_options INTERFACE -fsanitize=${YM_SANITIZE})
  if(YM_SANITIZE MATCHES "address.*undefined")
    # A third of the time to compile: what AddressSanitizer finds too need not be checked twice, and its own
    # checks are as good as calls.
    target_compile_options(ym_options INTERFACE -fno-sanitize=null,object-size
                           "SHELL:-mllvm -asan-instrumentation-with-call-threshold=0")
  endif()
else()
  target_compile_options(ym_options INTERFACE $<$<CONFIG:Release>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3>)
endif()
target_include_directories(ym_options INTERFACE "${CMAKE_SOURCE_DIR}/src")
target_compile_definitions(ym_options INTERFACE YM_VERSION="${PROJECT_VERSION}")
