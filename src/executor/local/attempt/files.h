// Files written whole or not at all. What is called durable is on the disk when the call
// returns; the rest outlives every process, but not a loss of power (see layout.h).
//
// Names are relative to an open folder, so that a path that changes underneath
// cannot lead elsewhere; symbolic links are never followed.
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

// Errors: `not_found`, `too_large`, `corrupt` (a link, a pipe: nothing that we have written), `io`.
Result<std::string> read_file(int folder, const char* name, std::size_t max_bytes);
// The same with the bare errno; EFBIG if it is too large.
std::expected<std::string, int> read_bytes(int folder, const char* name, std::size_t max_bytes);

// Temporary file and rename.
Result<void> replace_file(int folder, const char* name, std::string_view content);

// Temporary file, fsync, rename, fsync of the folder.
Result<void> write_durably(int folder, const char* name, std::string_view content);

// The same two, but false if the name exists already: of several callers one wins.
Result<bool> create_file(int folder, const char* name, std::string_view content);
Result<bool> create_durably(int folder, const char* name, std::string_view content);

// The same from a file that is there, which then has the new name: it takes no new file from the
// file system, nor gives one back, and is flushed on request. False if that cannot be done;
// `from` may have changed then.
enum class Flush : std::uint8_t { no, yes };
bool turn_file(int folder, const char* from, const char* name, std::string_view content, Flush flush);

// Opens a folder, made (0700) if it is not there.
Result<Fd> make_folder(int parent, const std::string& name);
Result<Fd> make_folder_durably(int parent, const std::string& name);
// Every part of a relative path.
Result<Fd> make_folders(int parent, const std::string& path);
// Errors: `not_found`, `io`.
Result<Fd> open_folder(int parent, const std::string& path);

// Refuses a folder that is another user's, or that others than its owner may write:
// whoever can rename what is in it could stand in for us. `path` is for the message.
// Errors: `forbidden`, `io`.
Result<void> check_ours(int folder, const std::string& path);

// True if an open folder has been removed: nothing can be written there any more.
bool is_removed(int folder);

bool exists(int folder, const char* name);

}  // namespace ym::local
