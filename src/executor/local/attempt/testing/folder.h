// A folder for one test.
#pragma once

#include <fcntl.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>

#include "base/fd.h"
#include "executor/local/attempt/files.h"

namespace ym::local {

// Created empty and opened; removed at the end with its content.
class TestFolder {
 public:
  TestFolder() {
    auto pattern = (std::filesystem::temp_directory_path() / "ym-test-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
    fd = std::move(*open_folder(AT_FDCWD, path));
  }
  ~TestFolder() { std::filesystem::remove_all(path); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::filesystem::path path;
  Fd fd;
};

}  // namespace ym::local
