// ContactWatch: since when attempts are out of contact, and which have been for too long.
//
// A value; one thread.
#pragma once

#include <map>
#include <optional>

#include "control/state/due_list.h"
#include "model/tables.h"

namespace ym {

class ContactWatch {
 public:
  static constexpr Duration kAlarm = minutes(5);

  // Of those that it did not know, contact is lost since the newest event at the latest.
  void reset(const Tables& tables);
  void follow(const Event& event);

  const std::map<AttemptKey, Instant>& lost_since() const { return lost_since_; }
  // One that has been out of contact for kAlarm; each is told once.
  std::optional<AttemptKey> overdue(Instant now);
  // When there will be one.
  std::optional<Instant> next() const { return alarms_.next(); }

 private:
  void lost(AttemptKey attempt, Instant at);
  void over(AttemptKey attempt);

  std::map<AttemptKey, Instant> lost_since_;
  DueList<AttemptKey> alarms_;
};

}  // namespace ym
