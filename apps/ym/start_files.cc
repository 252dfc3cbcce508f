#include "start_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace ym {
namespace {

std::unexpected<Error> io_error(const std::filesystem::path& path, const char* what) {
  return fail(ErrorCode::io, fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)));
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<void> write_file(const std::filesystem::path& path, const std::string& content, unsigned mode) {
  const auto temporary = path.string() + ".tmp";
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd < 0) return io_error(temporary, "create");
  const bool written = ::fchmod(fd, mode) == 0 && write_all(fd, content) && ::fsync(fd) == 0;
  ::close(fd);
  if (!written) return io_error(temporary, "write");
  if (::rename(temporary.c_str(), path.c_str()) != 0) return io_error(path, "replace");
  return {};
}

Result<void> write_server_json(const std::filesystem::path& dir, const std::string& url) {
  return write_file(dir / "server.json",
                    fmt::format(R"({{"url": "{}", "pid": {}, "version": "{}"}})", url, ::getpid(), YM_VERSION) + "\n",
                    0600);
}

std::string current_user() {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->pw_name;
  return std::to_string(::geteuid());
}

}  // namespace ym
