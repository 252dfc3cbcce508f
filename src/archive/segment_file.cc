#include "archive/segment_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/fd.h"

namespace ym {
namespace {

namespace fs = std::filesystem;
namespace bj = boost::json;

struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};
using Gzip = std::unique_ptr<gzFile_s, CloseGzip>;

std::unexpected<Error> failed(std::string_view what, const fs::path& path) {
  return fail(ErrorCode::io, fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)));
}

Result<void> sync(const fs::path& path, int flags) {
  const Fd file(::open(path.c_str(), flags | O_CLOEXEC));
  if (!file || ::fsync(file.get()) != 0) return failed("write to disk", path);
  return {};
}

// Invalid UTF-8 is allowed: users may write any bytes.
constexpr bj::parse_options kOptions{.max_depth = 48, .allow_invalid_utf8 = true};

bj::value maybe(const std::optional<std::int64_t>& value) { return value ? bj::value(*value) : bj::value(); }

struct Columns {
  const bj::object& line;
  bool fine = true;

  const bj::value* find(std::string_view name) {
    const auto* found = line.if_contains(name);
    fine = fine && found != nullptr;
    return found;
  }
  std::int64_t whole(std::string_view name) {
    const auto* found = find(name);
    const auto* value = found ? found->if_int64() : nullptr;
    fine = fine && value != nullptr;
    return value ? *value : 0;
  }
  std::optional<std::int64_t> whole_if_any(std::string_view name) {
    const auto* found = find(name);
    return found != nullptr && found->is_null() ? std::nullopt : std::optional(whole(name));
  }
  std::string text(std::string_view name) {
    const auto* found = find(name);
    const auto* value = found ? found->if_string() : nullptr;
    fine = fine && value != nullptr;
    return value ? std::string(*value) : std::string();
  }
};

// What a crash left, and no other writer needs any more.
void remove_left(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const auto name = entry.path().filename().string();
    const bool old = fs::file_time_type::clock::now() - entry.last_write_time(ignored) > std::chrono::hours(24);
    if (old && name.starts_with("unfinished-") && name.ends_with(".new")) fs::remove(entry.path(), ignored);
  }
}

}  // namespace

std::string line_of(const StoredColumns& event, std::string& last_spec) {
  const bool same = !event.spec.empty() && event.spec == last_spec;
  if (!event.spec.empty()) last_spec = event.spec;
  return bj::serialize(bj::object{{"seq", event.seq},
                                  {"time", event.time},
                                  {"type", event.type},
                                  {"v", event.version},
                                  {"job", maybe(event.job)},
                                  {"attempt", maybe(event.attempt)},
                                  {"actor", event.actor},
                                  {"reason", event.reason},
                                  {"payload", event.payload},
                                  {"spec", same ? bj::value() : bj::value(event.spec)}});
}

Result<StoredColumns> event_of(const bj::object& line, std::string& last_spec) {
  Columns columns{line};
  StoredColumns event;
  event.seq = columns.whole("seq");
  event.time = columns.whole("time");
  event.type = columns.text("type");
  event.version = columns.whole("v");
  event.job = columns.whole_if_any("job");
  event.attempt = columns.whole_if_any("attempt");
  event.actor = columns.text("actor");
  event.reason = columns.text("reason");
  event.payload = columns.text("payload");
  const auto* spec = line.if_contains("spec");
  event.spec = spec != nullptr && spec->is_null() ? last_spec : columns.text("spec");
  if (!event.spec.empty()) last_spec = event.spec;
  if (columns.fine) return event;
  return fail(ErrorCode::corrupt, "a line of the segment is no event");
}

bj::array erased_seals_line(const ErasedSeals& seals) {
  bj::array list;
  for (const auto& [seal, digest] : seals) list.push_back(bj::object{{"seal", seal}, {"digest", digest}});
  return list;
}

std::optional<ErasedSeal> erased_seal_of(const bj::value& entry) {
  const auto* members = entry.if_object();
  const auto* seal = members != nullptr ? members->if_contains("seal") : nullptr;
  const auto* digest = members != nullptr ? members->if_contains("digest") : nullptr;
  if (seal == nullptr || digest == nullptr || !seal->is_int64() || !digest->is_string()) return std::nullopt;
  return ErasedSeal{.seal = static_cast<std::uint64_t>(seal->get_int64()), .digest = std::string(digest->get_string())};
}

std::string segment_name(std::uint64_t from, std::uint64_t to, std::string_view sha256) {
  const auto begin = fmt::format("{:012}-{:012}-", from, to);
  return sha256.empty() ? begin : fmt::format("{}{}.jsonl.gz", begin, sha256.substr(0, 8));
}

struct SegmentLines::Impl {
  fs::path path;
  Gzip file;
  std::int64_t number = 0;
};

SegmentLines::SegmentLines(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SegmentLines::SegmentLines(SegmentLines&&) noexcept = default;
SegmentLines::~SegmentLines() = default;

Result<SegmentLines> SegmentLines::open(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    return fail(ErrorCode::not_found, fmt::format("there is no segment {}", path.string()));
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->file.reset(gzopen(path.c_str(), "rbe"));
  if (!impl->file) return failed("open", path);
  gzbuffer(impl->file.get(), 1U << 17);
  return SegmentLines(std::move(impl));
}

Result<std::optional<bj::object>> SegmentLines::next() {
  std::string line;
  std::array<char, 1U << 16> piece{};
  while (!line.ends_with('\n')) {
    if (gzgets(impl_->file.get(), piece.data(), static_cast<int>(piece.size())) == nullptr) break;
    line += piece.data();
  }
  int code = Z_OK;
  const char* message = gzerror(impl_->file.get(), &code);
  if (code != Z_OK && code != Z_STREAM_END)
    return fail(ErrorCode::corrupt, fmt::format("{} after line {}: {}", impl_->path.string(), impl_->number, message));
  if (line.empty()) return std::optional<bj::object>();
  ++impl_->number;
  bj::error_code error;
  auto value = bj::parse(line, error, {}, kOptions);
  if (error || !value.is_object())
    return fail(ErrorCode::corrupt,
                fmt::format("{}: line {} is no object of JSON", impl_->path.string(), impl_->number));
  return std::optional(std::move(value.as_object()));
}

struct NewSegment::Impl {
  fs::path folder, path;
  Gzip file;
  bool named = false;
};

NewSegment::NewSegment(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
NewSegment::NewSegment(NewSegment&&) noexcept = default;
NewSegment::~NewSegment() {
  if (!impl_ || impl_->named) return;
  impl_->file.reset();
  std::error_code ignored;
  fs::remove(impl_->path, ignored);
}

Result<NewSegment> NewSegment::create(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    fs::create_directories(folder, error);
    if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  }
  if (error) return fail(ErrorCode::io, fmt::format("cannot make {}: {}", folder.string(), error.message()));
  auto impl = std::make_unique<Impl>();
  impl->folder = folder;
  remove_left(folder);
  std::string path = folder / "unfinished-XXXXXX.new";
  constexpr int kOfEnding = 4;
  Fd made(::mkostemps(path.data(), kOfEnding, O_CLOEXEC));
  impl->path = path;
  if (!made) return failed("create", impl->path);
  impl->file.reset(gzdopen(made.get(), "wb6"));
  if (!impl->file) return failed("create", impl->path);
  (void)made.release();
  return NewSegment(std::move(impl));
}

Result<void> NewSegment::add(std::string_view line) {
  const auto put = [&](std::string_view text) {
    return std::cmp_equal(gzwrite(impl_->file.get(), text.data(), static_cast<unsigned>(text.size())), text.size());
  };
  if (!put(line) || !put("\n")) return failed("write", impl_->path);
  return {};
}

Result<void> NewSegment::finish() {
  if (gzclose(impl_->file.release()) != Z_OK) return failed("write", impl_->path);
  return sync(impl_->path, O_RDONLY);
}

const fs::path& NewSegment::temporary() const { return impl_->path; }

Result<void> NewSegment::rename(const std::string& name) {
  std::error_code error;
  fs::rename(impl_->path, impl_->folder / name, error);
  if (error) return fail(ErrorCode::io, fmt::format("cannot rename {}: {}", impl_->path.string(), error.message()));
  impl_->named = true;
  return sync_folder(impl_->folder);
}

Result<void> sync_folder(const fs::path& folder) { return sync(folder, O_RDONLY | O_DIRECTORY); }

Result<std::string> sha256_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed("open", path);
  crypto_hash_sha256_state state{};
  crypto_hash_sha256_init(&state);
  std::array<char, 1U << 16> piece{};
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0)
    crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(piece.data()),
                              static_cast<unsigned long long>(file.gcount()));
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256_final(&state, hash.data());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> hex{};
  sodium_bin2hex(hex.data(), hex.size(), hash.data(), hash.size());
  return std::string(hex.data());
}

}  // namespace ym
