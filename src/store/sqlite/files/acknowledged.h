// Acknowledged: a note of the last acknowledged event. See notes.h for the place of such notes.
//
// Written after each commit is durable, and never flushed. A write takes about 1 us, and after a power loss the note is
// at worst older than the database. It survives a crash of the server. So a database that ends before the note has lost
// acknowledged commits: the write-ahead log was damaged or deleted, or an older copy was put in its place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "store/sqlite/files/descriptor.h"

namespace ym::sqlite {

class Acknowledged {
 public:
  // Creates the file if it is missing.
  static Result<Acknowledged> open(const std::filesystem::path& file);

  // Nothing: there is no valid note.
  std::optional<std::uint64_t> last_seq() const;

  // Never fails, because the commit is durable already.
  void note(std::uint64_t seq) const;

  // There is no note after this, also after a power loss. Errors: `io`.
  Result<void> forget() const;

 private:
  explicit Acknowledged(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

}  // namespace ym::sqlite
