// The rules of a state directory: who may use it, and whether it is new.
//
// A directory that is missing or has no trace of an earlier state is new. One that had
// a state before and has no database now has lost it, and is refused: starting empty
// would forget every job. What tells: the marker DIR/yardmaster.state, what a server
// leaves (attempts/, admin.token, acknowledged), and a receipt outside DIR, which tells
// even when all of DIR is gone.
//
// One that is a copy of another is refused as well: two servers of one state would start
// every job twice. The marker tells (state_marker.h); a database in which something has
// happened and that has no marker came from elsewhere, too.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/sqlite/descriptor.h"
#include "store/sqlite/state_marker.h"

namespace ym::sqlite {

class StateDir {
 public:
  struct Options {
    bool initialise = false;         // the explicit way out, see SqliteOptions
    bool even_if_moved = false;      // see SqliteOptions
    bool take_over = false;          // see SqliteOptions
    std::filesystem::path receipts;  // empty: none
  };

  // Makes DIR (0700) if it is missing, takes DIR/lock and judges.
  // Errors: `conflict`: locked, names the process; initialised over tasks that still
  // run; a copy, or one to be taken over whose original is served; `corrupt`: lost its database; `io`.
  static Result<StateDir> enter(const std::filesystem::path& dir, const Options& options);

  // The same for a server whose state is elsewhere: the directory is its own, and holds no state.
  // Errors: `conflict`: locked, or it does hold one; `io`.
  static Result<StateDir> enter_without_state(const std::filesystem::path& dir);

  // The same for one that looks at the state only. Precondition: DIR is there. Where DIR/lock cannot be written (a
  // snapshot that is mounted read-only, another user's folder) nothing is locked, since nobody can serve it from here.
  // Errors: `conflict`: locked; `io`.
  static Result<StateDir> enter_to_look(const std::filesystem::path& dir);

  const std::filesystem::path& path() const { return dir_; }
  std::filesystem::path database() const { return dir_ / "yardmaster.db"; }
  // There is no database yet, and that is no loss: it is to be made.
  bool fresh() const { return fresh_; }

  // Told of a database in which something has happened. Errors: `conflict`: it has no marker, so it is a copy.
  Result<void> check_marked();

  // Whether DIR/lock still is the file that this process has locked.
  // Errors: `unavailable`: it is missing; `conflict`: another server's is in its place.
  Result<void> still_ours() const;

  // Leaves marker and receipt: from now on a missing database is a lost one, and this is the
  // original. A receipt that cannot be written is no error.
  Result<void> mark_initialised() const;

 private:
  StateDir(std::filesystem::path dir, Options options) : dir_(std::move(dir)), options_(std::move(options)) {}
  Result<void> make();
  Result<void> lock();
  Result<void> judge();
  Result<void> check_not_moved() const;
  Result<void> check_original(const Origin& origin);
  Result<void> check_nothing_runs() const;
  Result<void> set_aside() const;
  Error lost(std::string_view what) const;
  std::unexpected<Error> nothing_to_take_over() const;
  std::unexpected<Error> served_by(std::string_view holder) const;
  std::filesystem::path receipt() const;
  std::vector<std::string> traces() const;

  std::filesystem::path dir_;  // absolute
  Options options_;
  Descriptor lock_;
  Marking marking_;
  bool fresh_ = false;
};

// Whether there is anything in it. SQLite takes an empty file for a new database, and so would forget what was in it.
bool has_database(const std::filesystem::path& file);

}  // namespace ym::sqlite
