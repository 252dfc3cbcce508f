#include "executor/local/attempt/files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

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

// A file of its own for each writer: two may work at the same name at once.
std::string temporary_name(const char* name) { return std::string(".") + name + "." + std::to_string(::getpid()); }

Result<void> write_temporary(int folder, const std::string& name, std::string_view content) {
  const Fd fd{::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600)};
  if (!fd) return std::unexpected(os_error("open " + name));
  if (auto written = write_all(fd.get(), content); !written) return written;
  if (::fsync(fd.get()) != 0) return std::unexpected(os_error("fsync " + name));
  return {};
}

}  // namespace

Error os_error(std::string what, int number) {
  return {.code = ErrorCode::io, .message = std::move(what) + ": " + ::strerrordesc_np(number)};
}

Error os_error(std::string what) { return os_error(std::move(what), errno); }

std::expected<std::string, int> read_bytes(int folder, const char* name, std::size_t max_bytes) {
  const Fd fd{::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
  if (!fd) return std::unexpected(errno);
  std::string content;
  char block[16384];
  for (;;) {
    const ssize_t n = ::read(fd.get(), block, sizeof block);
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
  return std::unexpected(os_error(std::string("read ") + name, content.error()));
}

Result<void> write_durably(int folder, const char* name, std::string_view content) {
  const auto temporary = temporary_name(name);
  auto written = write_temporary(folder, temporary, content);
  if (written && ::renameat(folder, temporary.c_str(), folder, name) != 0)
    written = std::unexpected(os_error("rename " + temporary));
  if (!written) ::unlinkat(folder, temporary.c_str(), 0);
  if (written && ::fsync(folder) != 0) return std::unexpected(os_error("fsync of a folder"));
  return written;
}

Result<bool> create_durably(int folder, const char* name, std::string_view content) {
  const auto temporary = temporary_name(name);
  auto written = write_temporary(folder, temporary, content);
  const bool linked = written && ::linkat(folder, temporary.c_str(), folder, name, 0) == 0;
  const int number = errno;
  ::unlinkat(folder, temporary.c_str(), 0);
  if (!written) return std::unexpected(written.error());
  if (!linked && number == EEXIST) return false;
  if (!linked) return std::unexpected(os_error(std::string("link ") + name, number));
  if (::fsync(folder) != 0) return std::unexpected(os_error("fsync of a folder"));
  return true;
}

Result<Fd> open_folder(int parent, const std::string& path) {
  Fd fd{::openat(parent, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  if (fd) return fd;
  if (errno == ENOENT) return fail(ErrorCode::not_found, "no folder " + path);
  return std::unexpected(os_error("open " + path));
}

Result<Fd> make_folder(int parent, const std::string& name) {
  if (::mkdirat(parent, name.c_str(), 0700) == 0) {
    if (::fsync(parent) != 0) return std::unexpected(os_error("fsync of a folder"));
  } else if (errno != EEXIST) {
    return std::unexpected(os_error("mkdir " + name));
  }
  return open_folder(parent, name);
}

Result<Fd> make_folders(int parent, const std::string& path) {
  Fd at{::dup(parent)};
  if (!at) return std::unexpected(os_error("dup"));
  for (std::size_t begin = 0; begin < path.size();) {
    const auto end = std::min(path.find('/', begin), path.size());
    auto next = make_folder(at.get(), path.substr(begin, end - begin));
    if (!next) return next;
    at = std::move(*next);
    begin = end + 1;
  }
  return at;
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
