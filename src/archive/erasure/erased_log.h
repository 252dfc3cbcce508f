// ErasedLog: the list of events without a person, and its seals with the hashes of what the events are now.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/erasure/redaction.h"
#include "control/audit/seal.h"

namespace ym {

class ErasedLog {
 public:
  explicit ErasedLog(Redaction redaction) : redaction_(std::move(redaction)) {}

  // Takes the events in order; the same one may come again. Nothing: the event stays as it is. Event 1 stays always.
  // Errors: `corrupt`, also if an event that has to change is not as it was sealed: its change would be hidden.
  Result<std::optional<StoredColumns>> next(const StoredColumns& event);

  // The seals that it changed.
  std::vector<ErasedSeal> seals() const;
  std::int64_t changed_events() const { return static_cast<std::int64_t>(now_.size()); }
  Redaction& redaction() { return redaction_; }

 private:
  Result<std::optional<StoredColumns>> next_seal(const StoredColumns& event);

  Redaction redaction_;
  std::map<std::uint64_t, std::string> before_, now_;  // hashes of changed events, by number
  ErasedSeals seals_;
};

}  // namespace ym
