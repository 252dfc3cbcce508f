#include "store/sqlite/files/files.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/plain_file.h"

namespace ym::sqlite {
namespace {

// Large enough for a path of the greatest length with every byte escaped.
constexpr std::size_t kSmall = 16 << 10;

}  // namespace

Error os_error(std::string_view what, const std::filesystem::path& file) {
  const auto why = std::error_code(errno, std::generic_category()).message();
  return {.code = ErrorCode::io, .message = fmt::format("cannot {} {}: {}", what, file.string(), why)};
}

std::filesystem::path whole_path(const std::filesystem::path& path) {
  std::error_code failed;
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  return failed ? path : whole;
}

Result<void> write_durably(const std::filesystem::path& file, std::string_view text) {
  const auto temporary = std::filesystem::path(file).concat(".new");
  {
    const auto fd = create_anew(temporary);
    if (!fd) return std::unexpected(fd.error());
    if (::write(fd->get(), text.data(), text.size()) != std::ssize(text) || ::fsync(fd->get()) != 0)
      return std::unexpected(os_error("write", temporary));
  }
  return rename_durably(temporary, file);
}

std::optional<std::string> read_small(const std::filesystem::path& file) {
  const auto fd = open_plain_file(AT_FDCWD, file.c_str());
  if (!fd) return std::nullopt;
  std::string text(kSmall + 1, '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const auto read = ::read(fd->get(), text.data() + length, text.size() - length);
    if (read < 0) return std::nullopt;
    if (read == 0) break;
    length += static_cast<std::size_t>(read);
  }
  if (length > kSmall) return std::nullopt;
  text.resize(length);
  return text;
}

std::optional<std::string> read_line(const std::filesystem::path& file) {
  auto text = read_small(file);
  if (text) text->resize(std::min(text->find('\n'), text->size()));
  return text;
}

Result<Descriptor> create_anew(const std::filesystem::path& file) {
  (void)::unlink(file.c_str());
  Descriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!made) return std::unexpected(os_error("create", file));
  return made;
}

Result<void> create_private(const std::filesystem::path& file) {
  const Descriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!made) return std::unexpected(os_error("create", file));
  return {};
}

Result<void> rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return std::unexpected(os_error("rename", from));
  return sync_folder(to.parent_path());
}

Result<void> sync_folder(const std::filesystem::path& folder) {
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) return std::unexpected(os_error("flush", folder));
  return {};
}

}  // namespace ym::sqlite
