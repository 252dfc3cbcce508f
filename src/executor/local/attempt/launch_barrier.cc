#include "executor/local/attempt/launch_barrier.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "executor/local/attempt/checksum.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/record.h"

namespace ym::local {
namespace {

constexpr std::string_view kClaimKind = "claim";

// The decision is a symbolic link without a target. Making it is atomic, and one of several callers wins. It needs no
// data block, so it works on a full disk.
std::string link_text(const Decision& decision) {
  if (decision.verdict == Decision::Verdict::go) return "1:go";
  return "1:release:" + std::string(to_string(decision.cause));
}

constexpr std::string_view kRelease = "1:release:";

StopCause cause_in(std::string_view text) {
  if (!text.starts_with(kRelease)) return StopCause::start_timeout;
  return parse_enum<StopCause>(text.substr(kRelease.size())).value_or(StopCause::start_timeout);
}

Decision parse_link(std::string_view text) {
  if (text == "1:go") return kGo;
  return release_because(cause_in(text));
}

// The target of a link, in `room`. Empty: it cannot be read (see errno).
std::optional<std::string_view> read_link(int folder, const char* name, std::array<char, 128>& room) {
  const ssize_t n = ::readlinkat(folder, name, room.data(), room.size());
  if (n < 0) return std::nullopt;
  return std::string_view{room.data(), static_cast<std::size_t>(n)};
}

}  // namespace

Result<std::optional<Decision>> read_decision(int attempt_folder) {
  std::array<char, 128> room{};
  if (const auto text = read_link(attempt_folder, kDecisionFile, room)) return parse_link(*text);
  if (errno == ENOENT) return std::nullopt;
  if (errno == EINVAL) return Decision{};  // not a link: another program made it
  return std::unexpected(os_error("read the decision"));
}

Result<Decision> decide(int attempt_folder, const Decision& wanted) {
  const bool made = ::symlinkat(link_text(wanted).c_str(), attempt_folder, kDecisionFile) == 0;
  if (!made && errno != EEXIST) return std::unexpected(os_error("make the decision"));
  if (made) return wanted;
  auto held = read_decision(attempt_folder);
  if (!held) return std::unexpected(held.error());
  if (!*held) return fail(ErrorCode::io, "the decision has vanished");
  return **held;
}

void close_barrier(int attempt_folder, StopCause cause) {
  const auto text = link_text(release_because(cause));
  if (::symlinkat(text.c_str(), attempt_folder, kDecisionFile) == 0) return;
  static_cast<void>(::symlinkat(text.c_str(), attempt_folder, kStopFile));
}

std::optional<StopCause> late_stop(int attempt_folder) {
  std::array<char, 128> room{};
  if (const auto text = read_link(attempt_folder, kStopFile, room)) return cause_in(*text);
  // Any other file or error counts as a stop; only ENOENT means that there is none.
  return errno == ENOENT ? std::nullopt : std::optional(StopCause::start_timeout);
}

std::string new_nonce() {
  std::array<std::uint64_t, 2> bits{};
  while (::getrandom(bits.data(), sizeof bits, 0) != sizeof bits) continue;
  return hex(bits[0]) + hex(bits[1]);
}

Result<bool> take_claim(int task_folder, const Claim& claim, Durability durability) {
  Record record{std::string(kClaimKind)};
  record.add("token", to_string(claim.token));
  record.add("task", claim.task);
  record.add("nonce", claim.nonce);
  record.add("boot", claim.supervisor.boot);
  record.add("pid", claim.supervisor.pid);
  record.add("start", static_cast<std::int64_t>(claim.supervisor.start_ticks));
  for (const auto& group : claim.cgroups) record.add("cgroup", group);
  if (durability == Durability::for_good) return create_durably(task_folder, kClaimFile, record.encode());
  return create_file(task_folder, kClaimFile, record.encode());
}

Result<Claim> read_claim(int task_folder) {
  const auto record = read_record(task_folder, kClaimFile, kClaimKind);
  if (!record) return std::unexpected(record.error());
  const auto token = record->text("token").and_then(parse_token);
  const auto task = record->number("task");
  const auto pid = record->number("pid");
  const auto start = record->number("start");
  if (!token || !task || !pid || !start) return fail(ErrorCode::corrupt, "the claim record lacks a field");
  return Claim{
      .version = record->version(),
      .token = *token,
      .task = static_cast<std::int32_t>(*task),
      .nonce = record->text("nonce").value_or(""),
      .supervisor = {record->text("boot").value_or(""), static_cast<pid_t>(*pid), static_cast<std::uint64_t>(*start)},
      .cgroups = record->all("cgroup")};
}

bool ClaimWatch::all_claimed(int attempt_folder) {
  while (seen_ < tasks_ && exists(attempt_folder, (std::to_string(seen_) + "/" + kClaimFile).c_str())) ++seen_;
  return seen_ == tasks_;
}

Result<std::optional<Fd>> try_lock_task(int task_folder) {
  Fd fd{::openat(task_folder, kLockFile, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)};
  if (!fd) return std::unexpected(os_error("open the lock"));
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return std::optional<Fd>(std::move(fd));
  if (errno == EWOULDBLOCK) return std::optional<Fd>();
  return std::unexpected(os_error("flock"));
}

std::int32_t count_tasks(int attempt_folder) {
  std::int32_t tasks = 0;
  while (exists(attempt_folder, std::to_string(tasks).c_str())) ++tasks;
  return tasks;
}

bool is_held(int attempt_folder, std::int32_t tasks) {
  for (std::int32_t task = 0; task < tasks; ++task) {
    const auto folder = open_folder(attempt_folder, std::to_string(task));
    if (!folder && folder.error().code == ErrorCode::not_found) continue;
    const auto lock = folder ? try_lock_task(folder->get()) : std::unexpected(folder.error());
    if (!lock || !*lock) return true;
  }
  return false;
}

}  // namespace ym::local
