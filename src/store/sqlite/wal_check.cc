#include "store/sqlite/wal_check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <span>
#include <vector>

#include "store/sqlite/damage.h"
#include "store/sqlite/files/descriptor.h"
#include "store/sqlite/files/files.h"

namespace ym::sqlite {
namespace {

constexpr std::size_t kHeaderSize = 32;
constexpr std::size_t kFrameHeaderSize = 24;
constexpr std::uint32_t kMagic = 0x377f0682;  // its last bit: checksums of big-endian words

using Bytes = std::span<const unsigned char>;

std::uint32_t big_endian(Bytes bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 | std::uint32_t{bytes[at + 2]} << 8 |
         bytes[at + 3];
}
std::uint32_t little_endian(Bytes bytes, std::size_t at) {
  return std::uint32_t{bytes[at + 3]} << 24 | std::uint32_t{bytes[at + 2]} << 16 | std::uint32_t{bytes[at + 1]} << 8 |
         bytes[at];
}

// SQLite's running checksum over pairs of words.
struct Chain {
  bool big = false;
  std::uint32_t a = 0, b = 0;

  void follow(Bytes bytes) {
    const auto word = big ? big_endian : little_endian;
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      a += word(bytes, i) + b;
      b += word(bytes, i + 4) + a;
    }
  }
  bool is(Bytes stored) const { return a == big_endian(stored, 0) && b == big_endian(stored, 4); }
};

struct Log {
  Descriptor file;
  std::uint64_t size = 0;
  std::array<unsigned char, kHeaderSize> header{};
  std::uint32_t page_size = 0;

  bool read(std::uint64_t at, std::span<unsigned char> into) const {
    return ::pread(file.get(), into.data(), into.size(), static_cast<off_t>(at)) == std::ssize(into);
  }
  std::uint64_t frames() const { return (size - kHeaderSize) / (kFrameHeaderSize + page_size); }
  std::uint64_t place(std::uint64_t frame) const { return kHeaderSize + frame * (kFrameHeaderSize + page_size); }
};

// The page size is used even if the header is bad otherwise. It is one of eight values, so it is checked on its own.
bool plausible_page_size(std::uint32_t size) { return size >= 512 && size <= 65536 && (size & (size - 1)) == 0; }

bool good_header(const Log& log, Chain& chain) {
  const auto magic = big_endian(log.header, 0);
  if ((magic & ~1U) != kMagic || big_endian(log.header, 4) != 3'007'000) return false;
  chain.big = (magic & 1U) != 0;
  chain.follow(Bytes(log.header).first(24));
  return chain.is(Bytes(log.header).subspan(24));
}

Bytes salts(const Log& log) { return Bytes(log.header).subspan(16, 8); }

// The first frame that does not continue the chain, or the number of frames.
std::optional<std::uint64_t> first_bad_frame(const Log& log, Chain chain) {
  std::vector<unsigned char> frame(kFrameHeaderSize + log.page_size);
  for (std::uint64_t i = 0; i < log.frames(); ++i) {
    if (!log.read(log.place(i), frame)) return std::nullopt;
    const Bytes bytes(frame);
    chain.follow(bytes.first(8));
    chain.follow(bytes.subspan(kFrameHeaderSize));
    if (!std::ranges::equal(bytes.subspan(8, 8), salts(log)) || !chain.is(bytes.subspan(16))) return i;
  }
  return log.frames();
}

// The number of commits of this generation of the log that end at the frame `first` or after it.
std::optional<std::uint64_t> commits_from(const Log& log, std::uint64_t first, Bytes generation) {
  std::uint64_t commits = 0;
  std::array<unsigned char, kFrameHeaderSize> frame{};
  for (std::uint64_t i = first; i < log.frames(); ++i) {
    if (!log.read(log.place(i), frame)) return std::nullopt;
    const Bytes bytes(frame);
    commits += big_endian(bytes, 4) != 0 && std::ranges::equal(bytes.subspan(8, 8), generation);
  }
  return commits;
}

Result<void> judge(const std::filesystem::path& wal, const Log& log) {
  Chain chain;
  const bool good = good_header(log, chain);
  // With a bad header SQLite would drop the whole log. Frames are written only after the header was flushed, so any
  // commit after it was, or could have been, acknowledged.
  std::array<unsigned char, 8> generation{};
  if (!good && log.frames() > 0 && !log.read(log.place(0) + 8, generation))
    return std::unexpected(os_error("read", wal));
  const auto bad = good ? first_bad_frame(log, chain) : std::optional<std::uint64_t>(0);
  const auto lost = bad ? commits_from(log, *bad, good ? salts(log) : Bytes(generation)) : std::nullopt;
  if (!lost) return std::unexpected(os_error("read", wal));
  if (*lost < (good ? 2 : 1)) return {};
  return std::unexpected(damaged(wal, fmt::format("{} is damaged, and {} transactions behind it would be lost",
                                                  good ? fmt::format("frame {} of the write-ahead log", *bad + 1)
                                                       : std::string("the header of the write-ahead log"),
                                                  *lost)));
}

}  // namespace

Result<void> check_wal(const std::filesystem::path& wal) {
  Log log{.file = Descriptor(::open(wal.c_str(), O_RDONLY | O_CLOEXEC))};
  if (!log.file && errno == ENOENT) return {};
  struct stat status{};
  if (!log.file || ::fstat(log.file.get(), &status) != 0) return std::unexpected(os_error("open", wal));
  log.size = static_cast<std::uint64_t>(status.st_size);
  if (log.size <= kHeaderSize) return {};
  if (!log.read(0, log.header)) return std::unexpected(os_error("read", wal));
  log.page_size = big_endian(log.header, 8);
  if (!plausible_page_size(log.page_size))
    return std::unexpected(damaged(wal, "the header of the write-ahead log is damaged"));
  return judge(wal, log);
}

}  // namespace ym::sqlite
