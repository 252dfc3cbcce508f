// The rules of a state directory: which server may use it, and whether it is new.
//
// A directory is new if it is missing or has no trace of an earlier state. If it had a state and has no database now,
// the state is lost, and the directory is refused: an empty start would forget every job. The traces are the marker
// DIR/yardmaster.state, files that a server leaves (attempts/, admin.token, acknowledged), and a receipt outside DIR,
// which is there even if the whole DIR is gone.
//
// A copy of another directory is refused as well: two servers of one state would start every job twice. The marker
// reveals a copy (state_marker.h). A database that has events and no marker is a copy, too.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/sqlite/files/descriptor.h"
#include "store/sqlite/files/state_marker.h"

namespace ym::sqlite {

class StateDir {
 public:
  struct Options {
    bool initialise = false;         // begins with an empty state, see SqliteOptions
    bool even_if_moved = false;      // see SqliteOptions
    bool take_over = false;          // see SqliteOptions
    std::filesystem::path receipts;  // empty: none
  };

  // Makes DIR (0700) if it is missing, takes DIR/lock and applies the rules.
  // Errors: `conflict`: DIR is locked (the message names the process), tasks still run although DIR should be
  // initialised, DIR is a copy, or DIR should be taken over but its original is still there; `corrupt`: the database is
  // lost; `io`.
  static Result<StateDir> enter(const std::filesystem::path& dir, const Options& options);

  // The same for a server with a state in another store: the directory belongs to the server, and holds no state.
  // Errors: `conflict`: DIR is locked, or holds a state; `io`.
  static Result<StateDir> enter_without_state(const std::filesystem::path& dir);

  // The same for a server that only reads the state. Precondition: DIR exists. If DIR/lock cannot be written (a
  // read-only snapshot, another user's folder), nothing is locked, because no server can serve the state from here.
  // Errors: `conflict`: DIR is locked; `io`.
  static Result<StateDir> enter_to_look(const std::filesystem::path& dir);

  const std::filesystem::path& path() const { return dir_; }
  std::filesystem::path database() const { return dir_ / "yardmaster.db"; }
  // There is no database yet, and none was lost: it must be made.
  bool fresh() const { return fresh_; }

  // Call it for a database that has events. Errors: `conflict`: DIR has no marker, so it is a copy.
  Result<void> check_marked();

  // Checks that DIR/lock is still the file that this process has locked.
  // Errors: `unavailable`: it is missing; `conflict`: it is another server's file.
  Result<void> still_ours() const;

  // Writes marker and receipt. From now on a missing database is a lost one, and this directory is the original. A
  // receipt that cannot be written is no error.
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

// Whether the file exists and is not empty. SQLite takes an empty file for a new database, and so would hide a loss.
bool has_database(const std::filesystem::path& file);

}  // namespace ym::sqlite
