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
  // The explicit way out of a lost state: begins with an empty one where an earlier
  // one is missing. Traces of the earlier one (attempts/ and the like) are renamed,
  // never deleted. A database that is there is opened as always.
  bool initialise = false;
  // Opens also what was marked as moved: for who moves it.
  bool even_if_moved = false;
  // Goes on with a state that is a copy of another one's, or was put back from a backup: from now on it is an original,
  // and it is set back (Store::is_set_back), also where nothing else tells, as after a rollback of the whole disk.
  bool take_over = false;
  // Folder of receipts for directories that were initialised, and of notes of what was acknowledged in them; must
  // outlive them, so not inside DIR. Empty: none are kept.
  std::filesystem::path receipts;
  // The write-ahead log is moved into the database when it has this many pages.
  int checkpoint_pages = 2000;
  // A database up to this size is checked whole when it is opened; a larger one
  // without comparing its indexes with its tables.
  std::int64_t full_check_bytes = std::int64_t{512} << 20;
  // One larger than this is not checked at all if the last server stopped cleanly and the
  // file is as it left it: every row is still checked by its own sum when it is read.
  std::int64_t skip_check_bytes = std::int64_t{4} << 30;
  // Name of the SQLite VFS; empty: the default one.
  std::string vfs;
};

// Opens DIR/yardmaster.db, and makes it when DIR is missing or has no trace of an
// earlier state. The store holds DIR/lock until it is destroyed. Readers may outlive it.
// It is set back (Store::is_set_back) where it was taken over; where something has happened but no
// note in DIR says what was acknowledged last, as when a backup was put back; and where the note among
// the receipts names a later event, as when all of DIR was put back over what was there. Until the next commit.
// Errors: `conflict`: another process serves DIR, or a newer version wrote it; it is a copy, or
// the original of one that is to be taken over is still served on this machine;
// `corrupt`: damaged, truncated or missing (the message names the file and what to
// do; nothing was changed); `io`: the operating system said no.
Result<std::unique_ptr<Store>> open_sqlite_store(const std::filesystem::path& dir, const SqliteOptions& options = {});

// What is committed in DIR, read beside the server that serves it, if one does; nothing is changed.
// Errors: `corrupt`, `conflict`: another version wrote it; `io`.
Result<std::unique_ptr<StoreReader>> open_sqlite_history(const std::filesystem::path& dir);

// The present state, likewise. Errors: the same.
Result<LoadedState> read_sqlite_state(const std::filesystem::path& dir);

// Of what DIR is a copy, for people: "the state of /var/lib/ym". Nothing: it is none, it was moved elsewhere, or it
// holds no state that can be read. Nothing is changed.
std::optional<std::string> copy_of(const std::filesystem::path& dir);

// Marks the state as moved: from now on it is refused, with the name of the place that it was moved to.
// Nothing else of it is changed. Precondition: it is open here, so that nobody else has it.
Result<void> mark_moved(const std::filesystem::path& dir, std::string_view to);
// Takes the mark back. Precondition: as above.
Result<void> unmark_moved(const std::filesystem::path& dir);

// Takes DIR for a server that keeps its state elsewhere, until what it returns is destroyed; makes DIR
// if it is missing. Errors: `conflict`: another process serves DIR, or it holds a state that was not
// moved; `io`.
Result<std::shared_ptr<void>> hold_state_dir(const std::filesystem::path& dir);

// Takes DIR for a server that only looks at what is in it, until what it returns is destroyed. Precondition: DIR is
// there. Errors: `conflict`: another process serves DIR; `io`.
Result<std::shared_ptr<void>> hold_copy(const std::filesystem::path& dir);

// Where receipts are kept for the user: $XDG_STATE_HOME/yardmaster-initialised, or below
// ~/.local/state. Empty if there is no home.
std::filesystem::path default_receipts_dir();

}  // namespace ym
