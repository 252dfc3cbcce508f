// The store on SQLite.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "store/store.h"

namespace ym {

struct SqliteOptions {
  // If the earlier state was lost: begins with an empty one. Traces of the earlier state (attempts/ and the like) are
  // renamed, never deleted. An existing database is opened as usual.
  bool initialise = false;
  // Opens also a state that is marked as moved. The program that moves it needs this.
  bool even_if_moved = false;
  // Goes on with a state that is a copy, or was restored from a backup. It is an original from now on, and it is set
  // back (Store::is_set_back), also if nothing else shows that, as after a rollback of the whole disk.
  bool take_over = false;
  // The folder with receipts of initialised directories, and with notes of acknowledged events. It must outlive the
  // directories, so it is not inside DIR. Empty: there are no receipts.
  std::filesystem::path receipts;
  // The write-ahead log is moved into the database when it has this many pages.
  int checkpoint_pages = 2000;
  // Databases up to this size are checked completely at opening. Larger ones are checked without the comparison of
  // indexes with tables.
  std::int64_t full_check_bytes = std::int64_t{512} << 20;
  // A database larger than this is not checked at all if the last server stopped cleanly and the file has not changed
  // since. Each row is still checked against its checksum when it is read.
  std::int64_t skip_check_bytes = std::int64_t{4} << 30;
  // Name of the SQLite VFS; empty: the default one.
  std::string vfs;
};

// Opens DIR/yardmaster.db. Makes it if DIR is missing or has no trace of an earlier state. The store holds DIR/lock
// until it is destroyed. Readers may outlive it.
// The state is set back (Store::is_set_back) until the next commit if it was taken over; if it has events but DIR has
// no note of the last acknowledged one, as after a restore of a backup; or if the note beside the receipts names a
// later event, as after a backup of the whole DIR was copied over DIR.
// Errors: `conflict`: another process serves DIR, a newer version wrote it, it is a copy, or it should be taken over
// but its original is still on this machine; `corrupt`: the state is damaged, truncated or missing (the message names
// the file and what to do; nothing was changed); `io`: the operating system refused.
Result<std::unique_ptr<Store>> open_sqlite_store(const std::filesystem::path& dir, const SqliteOptions& options = {});

// Reads committed history of DIR, also beside the server that serves it. It changes nothing.
// Errors: `corrupt`, `conflict`: another version wrote it; `io`.
Result<std::unique_ptr<StoreReader>> open_sqlite_history(const std::filesystem::path& dir);

// Reads the present state in the same way. Errors: the same.
Result<LoadedState> read_sqlite_state(const std::filesystem::path& dir);

// If the state in DIR is a copy: its original, for messages: "the state of /var/lib/ym". Nothing: it is no copy, it was
// moved to another store, or DIR has no readable state. Nothing is changed.
std::optional<std::string> copy_of(const std::filesystem::path& dir);

// Marks the state as moved to `to`. From now on it is refused, and the message names `to`. Nothing else changes.
// Precondition: this process has the state open, so no other process does.
Result<void> mark_moved(const std::filesystem::path& dir, std::string_view to);
// Removes the mark. Precondition: as above.
Result<void> unmark_moved(const std::filesystem::path& dir);

// Locks DIR for a server with a state in another store, until the returned object is destroyed. Makes DIR if it is
// missing. Errors: `conflict`: another process serves DIR, or DIR holds a state that was not moved; `io`.
Result<std::shared_ptr<void>> hold_state_dir(const std::filesystem::path& dir);

// Locks DIR for a server that only reads the state there, until the returned object is destroyed. Precondition: DIR
// exists. Errors: `conflict`: another process serves DIR; `io`.
Result<std::shared_ptr<void>> hold_copy(const std::filesystem::path& dir);

// The user's folder of receipts: $XDG_STATE_HOME/yardmaster-initialised, or below ~/.local/state. Empty if there is no
// home.
std::filesystem::path default_receipts_dir();

}  // namespace ym
