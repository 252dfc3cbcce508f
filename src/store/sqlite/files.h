// Files that must survive a power loss.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace ym::sqlite {

// `io`: "cannot do WHAT FILE: why", from errno.
Error os_error(std::string_view what, const std::filesystem::path& file);

// Absolute, by whatever links it was named; as it is where that cannot be told.
std::filesystem::path whole_path(const std::filesystem::path& path);

// Replaces the file whole (temporary name, fsync, rename, fsync of the folder); mode 0600.
Result<void> write_durably(const std::filesystem::path& file, std::string_view text);

// Makes an empty file that only its owner may read (0600). Precondition: there is none.
Result<void> create_private(const std::filesystem::path& file);

Result<void> rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace ym::sqlite
