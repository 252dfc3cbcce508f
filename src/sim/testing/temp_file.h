// A file that exists as long as this object.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "base/result.h"

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

// The same, with PATH for this path in its message: sentences hold no path that is another one each time.
template <class T>
Result<T> without_path(Result<T> result, const std::string& path) {
  if (result) return result;
  std::string& message = result.error().message;
  for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos;)
    message.replace(at, path.size(), "PATH");
  return result;
}

}  // namespace ym::sim
