// Acknowledged: a note of the last event that was acknowledged (notes.h says where such notes lie).
//
// Written after each commit is durable, and never flushed: it costs a microsecond, and
// after a power loss it is at worst older than the database. It survives a crash of the
// server, so a database that ends before it has lost acknowledged commits (a damaged or
// deleted write-ahead log, an older copy put in its place).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "store/sqlite/descriptor.h"

namespace ym::sqlite {

class Acknowledged {
 public:
  // Made if it is missing.
  static Result<Acknowledged> open(const std::filesystem::path& file);

  // Nothing: there is no valid note.
  std::optional<std::uint64_t> last_seq() const;

  // Never fails the commit that it follows: the commit is durable already.
  void note(std::uint64_t seq) const;

  // No note from now on, also after a power loss. Errors: `io`.
  Result<void> forget() const;

 private:
  explicit Acknowledged(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

}  // namespace ym::sqlite
