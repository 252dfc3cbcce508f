// The two notes of the last acknowledged event: DIR/acknowledged, and one outside DIR.
//
// Each reveals a loss that the other does not. If the database ends before the note in DIR, it is damaged or an older
// one was put in its place. If a backup of the whole DIR is copied over DIR (rsync, cp), the note in DIR agrees with
// the database. The note outside reveals that. It lies beside the receipts. Its name contains the state's first event
// and the machine. So it is still found after a rename of DIR, and machines or states that share a home do not
// overwrite each other's notes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "store/sqlite/database.h"
#include "store/sqlite/files/acknowledged.h"

namespace ym::sqlite {

// The identity of a state: the checksum of its first event, which contains the time when its first server started.
// Nothing: there is no event yet, or it cannot be read.
std::optional<std::int64_t> first_event(Database& database);

class Notes {
 public:
  // `receipts`: empty: there is no note outside. Nothing is read or made there before one of the functions below is
  // called. Errors: `io`, about the note in `dir`.
  static Result<Notes> open(const std::filesystem::path& dir, const std::filesystem::path& receipts);

  // The note in DIR.
  const Acknowledged& inside() const { return inside_; }

  // Whether acknowledged events may be missing from a database that ends at `last_seq`, although the note in DIR agrees
  // with it: there is no note in DIR, or the note outside names a later event. False if there is no sign of that.
  bool tell_of_loss(Database& database, std::uint64_t last_seq);

  // Updates both notes after a commit. Never fails.
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
