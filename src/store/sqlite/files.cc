#include "store/sqlite/files.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "store/sqlite/descriptor.h"

namespace ym::sqlite {

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
    const Descriptor fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd) return std::unexpected(os_error("create", temporary));
    if (::write(fd.get(), text.data(), text.size()) != std::ssize(text) || ::fsync(fd.get()) != 0)
      return std::unexpected(os_error("write", temporary));
  }
  return rename_durably(temporary, file);
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
