# Third-party libraries; why each is here stands in docs/design/0002-dependencies.md.
find_package(Threads REQUIRED)
find_package(Boost REQUIRED CONFIG COMPONENTS json url)
find_package(OpenSSL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(prometheus-cpp REQUIRED CONFIG)
find_package(PkgConfig REQUIRED)
pkg_check_modules(pq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
# Its -pthread would not fit precompiled headers that others share.
set_property(TARGET PkgConfig::re2 PROPERTY INTERFACE_COMPILE_OPTIONS)
if(YM_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
if(YM_PAPERS)
  pkg_check_modules(clp REQUIRED IMPORTED_TARGET clp)
endif()
find_package(ZLIB REQUIRED)
# No CMake file or pkg-config file comes with it.
find_library(YM_LIBCSV csv REQUIRED)
find_library(YM_JEMALLOC jemalloc REQUIRED)

# The compiled half of Asio and Beast, for all who use them (BOOST_*_SEPARATE_COMPILATION).
add_library(ym_asio STATIC "${CMAKE_SOURCE_DIR}/cmake/asio_impl.cc")
target_link_libraries(ym_asio PUBLIC ym_options OpenSSL::SSL Threads::Threads)
# Of fmt there is no archive: for programs that do not load the shared one.
add_library(ym_fmt STATIC "${CMAKE_SOURCE_DIR}/cmake/fmt_impl.cc")
target_link_libraries(ym_fmt PRIVATE ym_options)
