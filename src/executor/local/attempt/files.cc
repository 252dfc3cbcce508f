#include "executor/local/attempt/files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/plain_file.h"

namespace ym::local {
namespace {

Result<void> write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::unexpected(os_error("write"));
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

// Each thread has its own temporary file: two may write the same name at once.
std::string temporary_name(const char* name) { return std::string(".") + name + "." + std::to_string(::gettid()); }

enum class Until : std::uint8_t { handed_over, on_disk };

Result<void> write_temporary(int folder, const std::string& name, std::string_view content, Until until) {
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Fd fd{::openat(folder, name.c_str(), kNew, 0600)};
  // Left by a dead thread with this number, or made by a job. Nothing is written into it.
  if (!fd && errno == EEXIST && ::unlinkat(folder, name.c_str(), 0) == 0)
    fd = Fd{::openat(folder, name.c_str(), kNew, 0600)};
  if (!fd) return std::unexpected(os_error("open " + name));
  if (auto written = write_all(fd.get(), content); !written) return written;
  if (until == Until::on_disk && ::fsync(fd.get()) != 0) return std::unexpected(os_error("fsync " + name));
  return {};
}

Result<void> put_in_place(int folder, const char* name, std::string_view content, Until until) {
  const auto temporary = temporary_name(name);
  auto written = write_temporary(folder, temporary, content, until);
  if (written && ::renameat(folder, temporary.c_str(), folder, name) != 0)
    written = std::unexpected(os_error("rename " + temporary));
  if (!written) ::unlinkat(folder, temporary.c_str(), 0);
  return written;
}

Result<bool> create(int folder, const char* name, std::string_view content, Until until) {
  const auto temporary = temporary_name(name);
  auto written = write_temporary(folder, temporary, content, until);
  const bool linked = written && ::linkat(folder, temporary.c_str(), folder, name, 0) == 0;
  const int number = errno;
  ::unlinkat(folder, temporary.c_str(), 0);
  if (!written) return std::unexpected(written.error());
  if (!linked && number == EEXIST) return false;
  if (!linked) return std::unexpected(os_error(std::string("link ") + name, number));
  return true;
}

// Tries the whole path first: usually only its last folder is missing.
Result<void> make_path(int parent, const std::string& path) {
  const auto slash = path.rfind('/');
  for (const bool above_is_made : {false, true}) {
    if (::mkdirat(parent, path.c_str(), 0700) == 0 || errno == EEXIST) return {};
    if (errno != ENOENT || slash == std::string::npos || above_is_made) break;
    if (auto above = make_path(parent, path.substr(0, slash)); !above) return above;
  }
  return std::unexpected(os_error("mkdir " + path.substr(slash == std::string::npos ? 0 : slash + 1)));
}

Result<void> flush_folder(int folder) {
  if (::fsync(folder) != 0) return std::unexpected(os_error("fsync of a folder"));
  return {};
}

}  // namespace

Error os_error(std::string what, int number) {
  return {.code = ErrorCode::io, .message = std::move(what) + ": " + ::strerrordesc_np(number)};
}

Error os_error(std::string what) { return os_error(std::move(what), errno); }

std::expected<std::string, int> read_bytes(int folder, const char* name, std::size_t max_bytes) {
  const auto fd = open_plain_file(folder, name);
  if (!fd) return std::unexpected(fd.error());
  std::string content;
  char block[16384];
  for (;;) {
    const ssize_t n = ::read(fd->get(), block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::unexpected(errno);
    if (n == 0) return content;
    content.append(block, static_cast<std::size_t>(n));
    if (content.size() > max_bytes) return std::unexpected(EFBIG);
  }
}

Result<std::string> read_file(int folder, const char* name, std::size_t max_bytes) {
  auto content = read_bytes(folder, name, max_bytes);
  if (content) return std::move(*content);
  if (content.error() == ENOENT) return fail(ErrorCode::not_found, std::string("no file ") + name);
  if (content.error() == EFBIG) return fail(ErrorCode::too_large, std::string(name) + " is too large");
  if (content.error() == ELOOP || content.error() == kNoPlainFile)
    return fail(ErrorCode::corrupt, std::string(name) + " is not a plain file");
  return std::unexpected(os_error(std::string("read ") + name, content.error()));
}

Result<void> replace_file(int folder, const char* name, std::string_view content) {
  return put_in_place(folder, name, content, Until::handed_over);
}

Result<void> write_durably(int folder, const char* name, std::string_view content) {
  auto written = put_in_place(folder, name, content, Until::on_disk);
  return written ? flush_folder(folder) : written;
}

bool turn_file(int folder, const char* from, const char* name, std::string_view content, Flush flush) {
  const Fd fd{::openat(folder, from, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  struct stat about{};
  return fd && ::fstat(fd.get(), &about) == 0 && S_ISREG(about.st_mode) && write_all(fd.get(), content) &&
         ::ftruncate(fd.get(), static_cast<off_t>(content.size())) == 0 &&
         (flush == Flush::no || ::fdatasync(fd.get()) == 0) && ::renameat(folder, from, folder, name) == 0;
}

Result<bool> create_file(int folder, const char* name, std::string_view content) {
  return create(folder, name, content, Until::handed_over);
}

Result<bool> create_durably(int folder, const char* name, std::string_view content) {
  auto made = create(folder, name, content, Until::on_disk);
  if (!made || !*made) return made;
  if (auto flushed = flush_folder(folder); !flushed) return std::unexpected(flushed.error());
  return true;
}

Result<Fd> open_folder(int parent, const std::string& path) {
  Fd fd{::openat(parent, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  if (fd) return fd;
  if (errno == ENOENT) return fail(ErrorCode::not_found, "no folder " + path);
  return std::unexpected(os_error("open " + path));
}

Result<Fd> make_folder(int parent, const std::string& name) {
  if (::mkdirat(parent, name.c_str(), 0700) != 0 && errno != EEXIST) return std::unexpected(os_error("mkdir " + name));
  return open_folder(parent, name);
}

// Flushes an existing folder too: the process that made it may have died before the folder was on the disk.
Result<Fd> make_folder_durably(int parent, const std::string& name) {
  auto made = make_folder(parent, name);
  if (!made) return made;
  if (auto flushed = flush_folder(parent); !flushed) return std::unexpected(flushed.error());
  return made;
}

Result<Fd> make_folders(int parent, const std::string& path) {
  if (auto made = make_path(parent, path); !made) return std::unexpected(made.error());
  return open_folder(parent, path);
}

Result<void> check_ours(int folder, const std::string& path) {
  struct stat about{};
  if (::fstat(folder, &about) != 0) return std::unexpected(os_error("look at " + path));
  if (about.st_uid != ::geteuid())
    return fail(ErrorCode::forbidden, path + " belongs to another user (uid " + std::to_string(about.st_uid) +
                                          "): run the server as that user, or choose another directory");
  if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return fail(ErrorCode::forbidden, path + " can be written by others than its owner: run `chmod go-w " + path + "`");
  return {};
}

bool is_removed(int folder) {
  struct stat about{};
  return ::fstat(folder, &about) == 0 && about.st_nlink == 0;
}

bool exists(int folder, const char* name) { return ::faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0; }

}  // namespace ym::local
