#include "recording/segment_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace ym {
namespace {

struct CloseWritten {
  void operator()(gzFile file) const { gzclose_w(file); }
};

}  // namespace

struct SegmentFile::Impl {
  std::filesystem::path path;
  std::unique_ptr<gzFile_s, CloseWritten> file;

  std::unexpected<Error> failed(std::string_view what) const {
    return fail(ErrorCode::io, fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)));
  }
};

SegmentFile::SegmentFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SegmentFile::SegmentFile(SegmentFile&&) noexcept = default;
SegmentFile& SegmentFile::operator=(SegmentFile&&) noexcept = default;
SegmentFile::~SegmentFile() = default;

// Level 1: a fifth of the text's size, at a tenth of the cost of the best level.
Result<SegmentFile> SegmentFile::create(const std::filesystem::path& path) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->file.reset(gzopen(path.c_str(), "wbe1"));
  if (!impl->file) return impl->failed("create");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  return SegmentFile(std::move(impl));
}

Result<void> SegmentFile::write(std::string_view lines) {
  if (lines.empty()) return {};
  const auto written = gzwrite(impl_->file.get(), lines.data(), static_cast<unsigned>(lines.size()));
  if (!std::cmp_equal(written, lines.size())) return impl_->failed("write");
  return {};
}

Result<void> SegmentFile::flush() {
  if (gzflush(impl_->file.get(), Z_SYNC_FLUSH) != Z_OK) return impl_->failed("write");
  return {};
}

std::uint64_t SegmentFile::bytes() const {
  const auto at = gzoffset(impl_->file.get());
  return at < 0 ? 0 : static_cast<std::uint64_t>(at);
}

}  // namespace ym
