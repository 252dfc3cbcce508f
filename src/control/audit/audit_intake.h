// AuditIntake: records of requests that change nothing, on their way into the list of events.
//
// The first of equal records is for the next transaction. Later ones within a minute are counted, and are one record at
// its end. So a client that floods the server writes two records a minute.
//
// Thread-safe. The control thread alone calls take_due, stored, lost and next_due.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "base/time.h"
#include "model/event.h"

namespace ym {

struct AuditRecord {
  std::string actor;  // empty: not known
  RequestAudited request;
  bool operator==(const AuditRecord&) const = default;
};

class AuditIntake {
 public:
  static constexpr Duration kCountedFor = minutes(1);
  // Different records of a minute. The others are counted in one without an actor, object and source.
  static constexpr std::size_t kMostKinds = 2000;

  // Whether take_due has something new: the control thread should look soon.
  bool note(AuditRecord record, Instant now);

  std::vector<AuditRecord> take_due(Instant now);
  void stored();
  void lost();  // take_due returns again what it has returned since the last call of these two
  // When take_due has something. Nothing: not before the next record.
  std::optional<Instant> next_due() const;

 private:
  // Of what makes records equal.
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string>;
  struct Counted {
    AuditRecord record;  // the newest
    Instant until;
    std::int64_t count = 0;  // beside the first
  };
  static Key key_of(const AuditRecord& record);

  mutable std::mutex mutex_;
  std::map<Key, Counted> counted_;
  std::vector<AuditRecord> ready_;
  std::vector<AuditRecord> taken_;
};

}  // namespace ym
