#include "store/sqlite/files/state_dir.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "store/sqlite/files/copies.h"
#include "store/sqlite/files/files.h"
#include "store/sqlite/files/held_locks.h"
#include "store/sqlite/row_sum.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMoved = "moved";
constexpr std::array<std::string_view, 5> kTraces{kMarker, "attempts", "admin.token", "acknowledged",
                                                  "yardmaster.db-wal"};
// Files of an earlier state that would be taken for files of the new one.
constexpr std::array<std::string_view, 5> kSetAside{"attempts", "acknowledged", "yardmaster.db", "yardmaster.db-wal",
                                                    "yardmaster.db-shm"};

bool present(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

std::string holder(int fd) {
  std::array<char, 32> text{};
  const auto length = ::pread(fd, text.data(), text.size() - 1, 0);
  const std::string_view pid(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const auto digits = pid.substr(0, pid.find_first_not_of("0123456789"));
  return digits.empty() ? "its process id is not known" : fmt::format("process {}", digits);
}

// Whether the path still leads to the open file.
bool same_file(int fd, const fs::path& path) {
  struct stat opened{}, named{};
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

// False on a read-only file system and in another user's folder.
bool may_lock(const fs::path& lock) {
  const Descriptor fd(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  return fd || (errno != EROFS && errno != EACCES);
}

}  // namespace

bool has_database(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  return !failed && size > 0;
}

Result<StateDir> StateDir::enter(const fs::path& dir, const Options& options) {
  StateDir state(whole_path(dir), options);
  if (auto made = state.make(); !made) return std::unexpected(made.error());
  if (auto locked = state.lock(); !locked) return std::unexpected(locked.error());
  if (auto judged = state.judge(); !judged) return std::unexpected(judged.error());
  return state;
}

Result<StateDir> StateDir::enter_without_state(const fs::path& dir) {
  StateDir state(whole_path(dir), {});
  if (auto made = state.make(); !made) return std::unexpected(made.error());
  if (auto locked = state.lock(); !locked) return std::unexpected(locked.error());
  if (!has_database(state.database()) || present(state.dir_ / kMoved)) return state;
  return fail(ErrorCode::conflict,
              fmt::format("{} holds a state of its own, whose jobs would be mixed up with the others. Move it with `ym "
                          "migrate --state {}`, or use another state directory",
                          state.dir_.string(), state.dir_.string()));
}

Result<StateDir> StateDir::enter_to_look(const fs::path& dir) {
  StateDir state(whole_path(dir), {});
  if (!may_lock(state.dir_ / "lock")) {
    // This also detects a server of another user.
    const auto held = holder_of(state.dir_ / "lock");
    return held ? state.served_by(*held) : Result<StateDir>(std::move(state));
  }
  if (auto locked = state.lock(); !locked) return std::unexpected(locked.error());
  return state;
}

Result<void> StateDir::make() {
  if (fs::is_directory(dir_)) return {};
  // A refused start leaves nothing behind, not even an empty folder.
  if (!options_.initialise && present(receipt())) return std::unexpected(lost("the whole directory"));
  if (options_.take_over) return nothing_to_take_over();
  std::error_code failed;
  fs::create_directories(dir_.parent_path(), failed);
  if (::mkdir(dir_.c_str(), 0700) != 0) return std::unexpected(os_error("create", dir_));
  return {};
}

Result<void> StateDir::lock() {
  const auto file = dir_ / "lock";
  Descriptor fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd) return std::unexpected(os_error("open", file));
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return std::unexpected(os_error("lock", file));
    return served_by(holder(fd.get()));
  }
  if (!same_file(fd.get(), file))
    return fail(ErrorCode::conflict, fmt::format("{} was replaced while it was being taken. Try again", file.string()));
  const auto pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(fd.get(), 0) != 0 || ::pwrite(fd.get(), pid.data(), pid.size(), 0) != std::ssize(pid))
    return std::unexpected(os_error("write", file));
  lock_ = std::move(fd);
  return {};
}

std::unexpected<Error> StateDir::served_by(std::string_view holder) const {
  return fail(ErrorCode::conflict,
              fmt::format("another server is running on {} ({}). Stop it first, or use another state directory",
                          dir_.string(), holder));
}

Result<void> StateDir::still_ours() const {
  const auto file = dir_ / "lock";
  if (same_file(lock_.get(), file)) return {};
  if (present(file))
    return fail(ErrorCode::conflict, fmt::format("another server has taken over {}: its {} is not ours any more",
                                                 dir_.string(), file.string()));
  return fail(ErrorCode::unavailable, fmt::format("{} was deleted while the server runs: nothing more is accepted, "
                                                  "because another server could start. Restart the server",
                                                  file.string()));
}

Result<void> StateDir::check_not_moved() const {
  if (options_.even_if_moved || !present(dir_ / kMoved)) return {};
  const auto to = read_line(dir_ / kMoved).value_or("a place that cannot be read there");
  return fail(ErrorCode::conflict,
              fmt::format("the state of {} was moved to {} and continues there: start `ym serve --store` with that "
                          "address. Nothing was changed. To discard all that happened there since, delete {} and "
                          "start once with `--take-over`",
                          dir_.string(), to, (dir_ / kMoved).string()));
}

Result<void> StateDir::judge() {
  if (auto here = check_not_moved(); !here) return here;
  if (has_database(database())) {
    marking_ = read_marking(dir_, machine_id());
    return marking_.kind == Marking::Kind::copy ? check_original(marking_.origin) : Result<void>();
  }
  fresh_ = traces().empty() && !present(receipt());
  if (fresh_) return options_.take_over ? nothing_to_take_over() : Result<void>();
  if (!options_.initialise) return std::unexpected(lost("yardmaster.db"));
  if (auto gone = check_nothing_runs(); !gone) return gone;
  fresh_ = true;
  return set_aside();
}

Result<void> StateDir::check_marked() {
  return marking_.kind == Marking::Kind::none ? check_original({}) : Result<void>();
}

Result<void> StateDir::check_original(const Origin& origin) {
  if (!options_.take_over) return std::unexpected(refused_copy(dir_, origin));
  return check_original_is_gone(dir_, origin, machine_id(), options_.receipts);
}

std::unexpected<Error> StateDir::nothing_to_take_over() const {
  return fail(ErrorCode::conflict, fmt::format("there is no state in {} to take over", dir_.string()));
}

std::vector<std::string> StateDir::traces() const {
  std::vector<std::string> found;
  for (const auto name : kTraces)
    if (present(dir_ / name)) found.emplace_back(name);
  return found;
}

Error StateDir::lost(std::string_view what) const {
  auto told = traces();
  if (present(receipt())) told.push_back(receipt().string());
  return {.code = ErrorCode::corrupt,
          .message = fmt::format(
              "{} held a state before ({}), but {} is missing or empty. Nothing was changed. Restore it from a backup, "
              "or start `ym serve --state {} --init` to begin with an empty state: all earlier jobs are forgotten then",
              dir_.string(), fmt::join(told, ", "), what, dir_.string())};
}

// The new state would not know these tasks, and would assign their devices again.
Result<void> StateDir::check_nothing_runs() const {
  constexpr std::size_t kNamed = 20;
  auto held = held_locks(dir_ / "attempts");
  if (held.empty()) return {};
  const auto more = held.size() > kNamed ? fmt::format(" and {} more", held.size() - kNamed) : "";
  held.resize(std::min(held.size(), kNamed));
  return fail(
      ErrorCode::conflict,
      fmt::format("tasks of the earlier state of {} still run ({}{}), and their devices would be given out "
                  "twice. Nothing was changed. Wait until they have ended, or end them (`pkill -KILL -P PID` ends "
                  "the job of such a supervisor, which goes with it), then start `ym serve --state {} --init` again",
                  dir_.string(), fmt::join(held, ", "), more, dir_.string()));
}

// Renamed, not deleted: a user may still want the logs. In place, they would be mixed up with the new state's attempts:
// its ids begin at 1 again.
Result<void> StateDir::set_aside() const {
  int n = 1;
  const auto target = [&](std::string_view name) { return dir_ / fmt::format("{}.before-init-{}", name, n); };
  while (std::ranges::any_of(kSetAside, [&](auto name) { return present(target(name)); })) ++n;
  for (const auto name : kSetAside) {
    if (!present(dir_ / name)) continue;
    if (auto renamed = rename_durably(dir_ / name, target(name)); !renamed) return renamed;
  }
  return {};
}

fs::path StateDir::receipt() const {
  if (options_.receipts.empty()) return {};
  RowSum name("state directory");
  name.add(dir_.native());
  return options_.receipts / fmt::format("{:016x}", static_cast<std::uint64_t>(name.value()));
}

Result<void> StateDir::mark_initialised() const {
  if (marking_.kind != Marking::Kind::right)
    if (auto written = write_marking(dir_, machine_id()); !written) return written;
  if (options_.receipts.empty() || present(receipt())) return {};
  std::error_code ignored;
  fs::create_directories(options_.receipts, ignored);
  (void)write_durably(receipt(), dir_.native() + "\n");
  return {};
}

}  // namespace ym::sqlite
