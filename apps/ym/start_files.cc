#include "start_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "control/state/job_tokens.h"

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

Result<void> write_server_json(const std::filesystem::path& dir, const std::string& url,
                               const std::string& fingerprint) {
  const auto pin = fingerprint.empty() ? "" : fmt::format(R"(, "fingerprint": "{}")", fingerprint);
  return write_file(
      dir / "server.json",
      fmt::format(R"({{"url": "{}", "pid": {}, "version": "{}"{}}})", url, ::getpid(), YM_VERSION, pin) + "\n", 0600);
}

Result<Secret> job_token_key(const std::filesystem::path& dir) {
  const auto path = dir / "job-token.key";
  if (std::error_code error; !std::filesystem::exists(path, error)) {
    if (error) return fail(ErrorCode::io, fmt::format("cannot look at {}: {}", path.string(), error.message()));
    Secret made = make_job_token_key();
    if (auto written = write_file(path, made.reveal() + "\n", 0600); !written) return std::unexpected(written.error());
    return made;
  }
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) return io_error(path, "read");
  while (text.ends_with('\n')) text.pop_back();
  Secret key(std::move(text));
  if (JobTokens::with_key(key)) return key;
  return fail(ErrorCode::corrupt, fmt::format("{} does not hold a key (64 hexadecimal digits); remove the file, and "
                                              "the next start makes a new one, and new tokens for the running jobs",
                                              path.string()));
}

std::filesystem::path history_folder(const ServeOptions& options) {
  return options.history.empty() ? std::filesystem::path(options.state) / "history"
                                 : std::filesystem::path(options.history);
}

std::string current_user() {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found) return found->pw_name;
  return std::to_string(::geteuid());
}

}  // namespace ym
