// ContactWatch: since when attempts have been out of contact, and which have been for too long.
#pragma once

#include <map>
#include <optional>

#include "control/state/due_list.h"
#include "model/tables.h"

namespace ym {

class ContactWatch {
 public:
  static constexpr Duration kAlarm = minutes(5);

  // Reads the attempts that are out of contact from the tables. If it did not know one, the time of the newest event
  // counts as the start.
  void reset(const Tables& tables);
  void follow(const Event& event);

  const std::map<AttemptKey, Instant>& lost_since() const { return lost_since_; }
  // An attempt that has been out of contact for kAlarm. Each is returned once.
  std::optional<AttemptKey> overdue(Instant now);
  // When overdue() will have one.
  std::optional<Instant> next() const { return alarms_.next(); }

 private:
  void lost(AttemptKey attempt, Instant at);
  void over(AttemptKey attempt);

  std::map<AttemptKey, Instant> lost_since_;
  DueList<AttemptKey> alarms_;
};

}  // namespace ym
