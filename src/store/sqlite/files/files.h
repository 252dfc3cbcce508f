// Access to files that must survive a power loss, or that may not be plain files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/sqlite/files/descriptor.h"

namespace ym::sqlite {

// An error `io`, from errno: "cannot do WHAT FILE: why".
Error os_error(std::string_view what, const std::filesystem::path& file);

// The absolute path, without links. The path as given if it cannot be resolved.
std::filesystem::path whole_path(const std::filesystem::path& path);

// Replaces the whole file (temporary name, fsync, rename, fsync of the folder); mode 0600.
Result<void> write_durably(const std::filesystem::path& file, std::string_view text);

// The content of a small file. Nothing if the file is missing, not a plain file (a pipe, a folder, a link) or longer
// than 16 KiB. Never waits.
std::optional<std::string> read_small(const std::filesystem::path& file);

// The first line of a small file.
std::optional<std::string> read_line(const std::filesystem::path& file);

// Creates a new file (0600) and replaces an old one. It does not follow a link there.
Result<Descriptor> create_anew(const std::filesystem::path& file);

// Makes an empty file that only its owner may read (0600). Precondition: the file does not exist.
Result<void> create_private(const std::filesystem::path& file);

Result<void> rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace ym::sqlite
