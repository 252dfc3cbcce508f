// A file that exists as long as this object.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace ym::sim {

class TempFile {
 public:
  explicit TempFile(const std::string& text) : path_(std::filesystem::temp_directory_path() / "ym-sim-XXXXXX") {
    const int file = ::mkstemp(path_.data());
    if (file < 0) std::abort();
    ::close(file);
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TempFile() { std::filesystem::remove(path_); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace ym::sim
