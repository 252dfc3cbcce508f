#include "executor/kubernetes/pods/pod_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <functional>
#include <string_view>
#include <utility>

#include "executor/kubernetes/pods/pod.h"
#include "executor/logs/log_chunk.h"

namespace ym::kubernetes {
namespace {

constexpr Duration kQuiet = seconds(30);
// From user code's end until the node's file has all of its output.
constexpr int kMostLooks = 15;
constexpr Duration kPause{200};

std::string log_target(const std::string& pod) { return fmt::format("{}/log?container={}", pod, kTaskContainer); }

// Messages of a kubelet in place of a log that is gone, with status 200: one line without a line end.
constexpr std::array<std::string_view, 4> kLost{
    "unable to retrieve container logs for ", "Unable to retrieve container logs for ",
    "failed to try resolving symlinks in path \"", "failed to open log file \""};

constexpr std::size_t kLongestLost = 4096;

bool may_say_lost(std::string_view text) {
  return text.size() <= kLongestLost && !text.contains('\n') && std::ranges::any_of(kLost, [&](std::string_view known) {
           return text.starts_with(known.substr(0, text.size()));
         });
}

bool says_lost(std::string_view text) {
  const bool of_a_file = text.starts_with("failed to ");
  return may_say_lost(text) && (of_a_file ? text.ends_with(": no such file or directory") : text.contains("://"));
}

// `take` gets the log, never such a message of the kubelet: that counts as not found.
Api<void> stream_log(ApiClient& client, const std::string& target, const std::function<bool(std::string_view)>& take,
                     Duration quiet) {
  std::string held;  // may still be the kubelet's message
  bool holds = true;
  const auto sift = [&](std::string_view piece) {
    if (!holds) return take(piece);
    held += piece;
    holds = may_say_lost(held);
    return holds || take(held);
  };
  const auto done = client.stream(target, sift, quiet);
  if (!done || !holds) return done;
  if (says_lost(held))
    return std::unexpected(ApiError{.kind = ApiError::Kind::not_found,
                                    .status = 200,
                                    .message = "the node no longer has the log",
                                    .retry_after = {}});
  take(held);
  return done;
}

Error log_error(const ApiError& error) {
  auto out = as_error(error);
  // The API answers "bad request" for a container that has not begun.
  if (error.kind == ApiError::Kind::refused || error.kind == ApiError::Kind::not_found) out.code = ErrorCode::not_found;
  return out;
}

// Only the server's user may read users' output; retention deletes it. Existing folders stay as they are.
void make_private_folder(const std::filesystem::path& folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0 || errno != ENOENT || !folder.has_parent_path()) return;
  make_private_folder(folder.parent_path());
  ::mkdir(folder.c_str(), 0700);
}

// Makes an empty file, never uses an existing one.
bool make_private_file(const std::filesystem::path& file) {
  ::unlink(file.c_str());
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

}  // namespace

bool LogCut::take(std::string_view piece) {
  if (query_.last_lines) {
    kept_ += piece;
    seen_ += piece.size();
    if (kept_.size() > 4 * query_.max_bytes) keep_lines();
    return true;
  }
  const auto start = seen_;
  seen_ += piece.size();
  if (seen_ <= query_.offset) return true;
  if (start < query_.offset) piece.remove_prefix(query_.offset - start);
  const auto room = query_.max_bytes - kept_.size();
  cut_ = cut_ || piece.size() > room;
  kept_ += piece.substr(0, room);
  return !cut_;
}

// The last lines; of these, the last bytes that fit.
void LogCut::keep_lines() {
  const auto begin = seen_ - kept_.size();
  LastLines last(*query_.last_lines, seen_);
  last.look_through(kept_, begin);
  std::size_t from = last.found_all() ? last.start() - begin : 0;
  if (kept_.size() - from > query_.max_bytes) from = kept_.size() - query_.max_bytes;
  kept_.erase(0, from);
}

LogChunk LogCut::result(bool ended) && {
  if (query_.last_lines) {
    keep_lines();
    return {.offset = seen_ - kept_.size(), .data = std::move(kept_), .complete = ended};
  }
  return {.offset = query_.offset, .data = std::move(kept_), .complete = ended && !cut_};
}

Result<LogChunk> read_pod_log(ApiClient& client, const std::string& pod, const LogQuery& query,
                              const LogLength& length) {
  auto target = log_target(pod);
  // One byte more, to find out whether more follows.
  if (!query.last_lines) target += fmt::format("&limitBytes={}", query.offset + query.max_bytes + 1);
  for (int looks = 1;; ++looks) {
    LogCut cut(query);
    const auto take = [&](std::string_view piece) { return !query.stop.stop_requested() && cut.take(piece); };
    const auto done = stream_log(client, target, take, kQuiet);
    if (query.stop.stop_requested()) return fail(ErrorCode::unavailable, "the caller no longer waits for the log");
    const bool whole = length.final || (length.bytes && std::cmp_greater_equal(cut.seen(), *length.bytes));
    // Of a task that ended very quickly, the kubelet says for a moment that it has not begun.
    const bool is_lost = !done && done.error().status == 200;
    const bool is_coming = length.bytes && (!done || !whole) && !is_lost && !cut.is_full();
    if (is_coming && looks < kMostLooks && client.pause(kPause)) continue;
    if (!done) return std::unexpected(log_error(done.error()));
    return std::move(cut).result(whole);
  }
}

Result<void> save_pod_log(ApiClient& client, const std::string& pod, const std::filesystem::path& file,
                          const LogBounds& bounds) {
  using Steady = std::chrono::steady_clock;
  std::error_code error;
  make_private_folder(file.parent_path());
  const auto unfinished = std::filesystem::path(file.string() + ".part");
  if (!make_private_file(unfinished)) return fail(ErrorCode::io, "cannot make " + unfinished.string());
  std::ofstream out(unfinished, std::ios::binary | std::ios::app);
  if (!out) return fail(ErrorCode::io, "cannot write " + unfinished.string());
  const auto until = Steady::now() + std::chrono::milliseconds(bounds.timeout.ms);
  bool late = false;
  const auto take = [&](std::string_view piece) {
    out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    late = Steady::now() > until;
    return out.good() && !late;
  };
  const auto target = fmt::format("{}&limitBytes={}", log_target(pod), bounds.most_bytes);
  const auto done = stream_log(client, target, take, std::min(kQuiet, bounds.timeout));
  out.close();
  const bool written = done && !late && !out.fail();
  if (written) std::filesystem::rename(unfinished, file, error);
  if (written && !error) return {};
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  if (!done) {
    auto failure = log_error(done.error());
    failure.retryable = done.error().kind == ApiError::Kind::unreachable && Steady::now() < until;
    return std::unexpected(failure);
  }
  if (late) return fail(ErrorCode::unavailable, "reading its log takes too long");
  return fail(ErrorCode::io, "cannot write " + file.string());
}

Result<LogChunk> read_saved_log(const std::filesystem::path& file, const LogQuery& query) {
  const auto opened = open_log(AT_FDCWD, file.c_str());
  if (!opened && opened.error().code == ErrorCode::not_found) return fail(ErrorCode::not_found, "its log is not kept");
  if (!opened) return std::unexpected(opened.error());
  return read_log_chunk(opened->get(), query, true);
}

}  // namespace ym::kubernetes
