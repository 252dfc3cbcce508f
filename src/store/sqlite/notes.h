// Both notes of the last event that was acknowledged: DIR/acknowledged, and one outside of DIR.
//
// Each tells of a loss that the other does not see. A database that ends before the note in DIR is damaged, or another
// one was put in its place. Where all of DIR is put back over what was there (rsync, cp), its note comes along and
// agrees with the database: then the one outside tells. It lies among the receipts and is named by the state itself
// (its first event) and by the machine, so that a rename of DIR does not lose it, and machines or states that share a
// home do not write over each other's.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "store/sqlite/acknowledged.h"
#include "store/sqlite/database.h"

namespace ym::sqlite {

// What a state is known by: the sum of its first event, which says when its first server started. Nothing: nothing has
// happened in it, or it cannot be read.
std::optional<std::int64_t> first_event(Database& database);

class Notes {
 public:
  // `receipts`: empty: there is no note outside. Nothing is read or made there before one of the functions below is
  // called. Errors: `io`, of the note in `dir`.
  static Result<Notes> open(const std::filesystem::path& dir, const std::filesystem::path& receipts);

  // The one in DIR.
  const Acknowledged& inside() const { return inside_; }

  // Whether a database that ends at `last_seq` and not before the note in DIR may all the same end before what was
  // acknowledged: there is no note in DIR, or the one outside names a later event. False where nothing tells.
  bool tell_of_loss(Database& database, std::uint64_t last_seq);

  // After each commit, to both. Never fails it.
  void note(Database& database, std::uint64_t last_seq);

 private:
  Notes(Acknowledged inside, std::filesystem::path receipts)
      : inside_(std::move(inside)), receipts_(std::move(receipts)) {}
  const std::optional<Acknowledged>& outside(Database& database);

  Acknowledged inside_;
  std::filesystem::path receipts_;
  std::optional<Acknowledged> outside_;
  bool looked_for_ = false;  // the one outside
};

}  // namespace ym::sqlite
