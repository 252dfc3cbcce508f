#include "executor/testing/recorded_responses/parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace ym::recorded {
namespace {

namespace fs = std::filesystem;

struct Part {
  pid_t pid = 0;
  fs::path output;
};

Part begin_part(int number, int parts, char** argv) {
  Part part{.output = fs::temp_directory_path() / fmt::format("ym-responses-part-{}-{}", ::getpid(), number)};
  part.pid = ::fork();
  if (part.pid != 0) return part;
  ::setenv("GTEST_TOTAL_SHARDS", std::to_string(parts).c_str(), 1);
  ::setenv("GTEST_SHARD_INDEX", std::to_string(number).c_str(), 1);
  if (std::freopen(part.output.c_str(), "w", stdout) != nullptr && ::dup2(::fileno(stdout), 2) == 2)
    ::execv("/proc/self/exe", argv);
  ::_exit(127);
}

bool end_part(const Part& part) {
  int status = 0;
  const bool good = ::waitpid(part.pid, &status, 0) == part.pid && status == 0;
  if (!good) std::cout << std::ifstream(part.output).rdbuf() << "\na part ended with status " << status << std::endl;
  std::error_code ignored;
  fs::remove(part.output, ignored);
  return good;
}

}  // namespace

int run_in_parts(int argc, char** argv, int parts) {
  std::vector<char*> words(argv, argv + argc + 1);
  testing::InitGoogleTest(&argc, argv);
  const bool picked = GTEST_FLAG_GET(filter) != "*" || GTEST_FLAG_GET(list_tests);
  if (picked || std::getenv("GTEST_TOTAL_SHARDS") != nullptr) return RUN_ALL_TESTS();
  std::vector<Part> all;
  for (int number = 0; number < parts; ++number) all.push_back(begin_part(number, parts, words.data()));
  int failed = 0;
  for (const auto& part : all) failed += end_part(part) ? 0 : 1;
  std::cout << fmt::format("{} of {} parts failed", failed, parts) << std::endl;
  return failed == 0 ? 0 : 1;
}

}  // namespace ym::recorded
