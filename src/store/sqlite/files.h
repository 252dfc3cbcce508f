// Files that must survive a power loss.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/sqlite/descriptor.h"

namespace ym::sqlite {

// `io`: "cannot do WHAT FILE: why", from errno.
Error os_error(std::string_view what, const std::filesystem::path& file);

// Absolute, by whatever links it was named; as it is where that cannot be told.
std::filesystem::path whole_path(const std::filesystem::path& path);

// Replaces the file whole (temporary name, fsync, rename, fsync of the folder); mode 0600.
Result<void> write_durably(const std::filesystem::path& file, std::string_view text);

// All of a file that is small by its nature, whatever lies in its place: nothing if it is missing, no plain file (a
// pipe, a folder, a link) or longer than 16 KiB. Never waits.
std::optional<std::string> read_small(const std::filesystem::path& file);

// The same up to the first line break.
std::optional<std::string> read_line(const std::filesystem::path& file);

// A new file (0600), whatever lay in its place: a link there is not followed.
Result<Descriptor> create_anew(const std::filesystem::path& file);

// Makes an empty file that only its owner may read (0600). Precondition: there is none.
Result<void> create_private(const std::filesystem::path& file);

Result<void> rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace ym::sqlite
