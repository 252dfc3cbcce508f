// AuditIntake: records of requests that change nothing, on their way into the list of events.
//
// The first of equal records is for the next transaction. Later ones within a minute are counted, and are one record at
// its end. So a client that floods the server writes two records a minute. An actor, or an address without a valid
// token, with many different records loses their objects: the others keep theirs.
//
// Thread-safe. The control thread alone calls take_due, take_all, stored, lost and next_due.
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
  // Different records of one actor or address in a minute, with their objects.
  static constexpr std::size_t kMostOfOne = 500;
  // Different records of a minute, with their addresses and objects.
  static constexpr std::size_t kMostKinds = 10'000;

  // Whether there is something new: the control thread should look soon.
  bool note(AuditRecord record);

  std::vector<AuditRecord> take_due(Instant now);
  // Also what is still counted, because the server stops.
  std::vector<AuditRecord> take_all();
  void stored();
  void lost();  // the next call returns again what was returned since the last call of these two
  // When take_due has something. Nothing: not before the next record.
  std::optional<Instant> next_due() const;

 private:
  // Of what makes records equal.
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string>;
  struct Counted {
    AuditRecord record;            // the newest
    std::optional<Instant> until;  // nothing: not taken yet
    std::int64_t count = 0;        // beside the first
  };
  static Key key_of(const AuditRecord& record);
  AuditRecord without_too_much(AuditRecord record);
  void settle(std::optional<Instant> now);
  std::vector<AuditRecord> take_ready();

  mutable std::mutex mutex_;
  std::map<Key, Counted> counted_;
  std::map<std::string, std::size_t> kinds_of_one_;  // by actor, or address
  std::optional<Instant> next_;                      // the earliest `until`
  std::vector<AuditRecord> ready_;
  std::vector<AuditRecord> taken_;
};

}  // namespace ym
