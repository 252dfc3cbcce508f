// SegmentFile: one segment of a recording, written as gzip so that flushed lines can be read after a crash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace ym {

class SegmentFile {
 public:
  // Errors: `io`.
  static Result<SegmentFile> create(const std::filesystem::path& path);
  SegmentFile(SegmentFile&&) noexcept;
  SegmentFile& operator=(SegmentFile&&) noexcept;
  ~SegmentFile();

  // Errors: `io`: data written since the last flush may be lost.
  Result<void> write(std::string_view lines);
  Result<void> flush();
  // Size on disk at the last flush.
  std::uint64_t bytes() const;

 private:
  struct Impl;
  explicit SegmentFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym
