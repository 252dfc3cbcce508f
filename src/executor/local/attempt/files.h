// Files that are written whole or not at all. "Durable" means on the disk when the call returns. Other files outlive
// every process, but not a power loss (see layout.h).
//
// Names are relative to an open folder, so that a path that changes meanwhile does no harm. Symbolic links are never
// followed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace ym::local {

// `io` with the text of errno: "mkdir 3f: No space left on device".
Error os_error(std::string what);
Error os_error(std::string what, int number);

// Errors: `not_found`, `too_large`, `corrupt` (a link or a pipe: this program did not write it), `io`.
Result<std::string> read_file(int folder, const char* name, std::size_t max_bytes);
// The same with plain errno; EFBIG if it is too large.
std::expected<std::string, int> read_bytes(int folder, const char* name, std::size_t max_bytes);

// Temporary file and rename.
Result<void> replace_file(int folder, const char* name, std::string_view content);

// Temporary file, fsync, rename, fsync of the folder.
Result<void> write_durably(int folder, const char* name, std::string_view content);

// As the two above, but false if the name exists already: of several callers one wins.
Result<bool> create_file(int folder, const char* name, std::string_view content);
Result<bool> create_durably(int folder, const char* name, std::string_view content);

// The same with an existing file `from`, which is renamed to `name`. It allocates no new file, frees none, and flushes
// on request. False: it failed, and `from` may have changed.
enum class Flush : std::uint8_t { no, yes };
bool turn_file(int folder, const char* from, const char* name, std::string_view content, Flush flush);

// Opens a folder. Makes it (0700) if it does not exist.
Result<Fd> make_folder(int parent, const std::string& name);
Result<Fd> make_folder_durably(int parent, const std::string& name);
// Makes every folder of a relative path.
Result<Fd> make_folders(int parent, const std::string& path);
// Errors: `not_found`, `io`.
Result<Fd> open_folder(int parent, const std::string& path);

// Refuses a folder that another user owns, or that users other than its owner may write: a process that can rename its
// files could impersonate this one. `path` is for the message. Errors: `forbidden`, `io`.
Result<void> check_ours(int folder, const std::string& path);

// True if an open folder has been removed: no file can be written there any more.
bool is_removed(int folder);

bool exists(int folder, const char* name);

}  // namespace ym::local
