#include "control/state/contact_watch.h"

namespace ym {

void ContactWatch::reset(const Tables& tables) {
  const auto is_lost = [&](AttemptKey key) {
    const auto it = tables.attempts.find(key);
    return it != tables.attempts.end() && it->second.state == AttemptState::unknown;
  };
  for (const auto& [key, since] : std::map(lost_since_))
    if (!is_lost(key)) over(key);
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.state == AttemptState::unknown && !lost_since_.contains(key)) lost(key, tables.last_time);
}

void ContactWatch::follow(const Event& event) {
  if (const auto* gone = std::get_if<ContactLost>(&event.payload)) lost(gone->attempt, event.time);
  else if (const auto* back = std::get_if<ContactRegained>(&event.payload)) over(back->attempt);
  else if (const auto* ended = std::get_if<AttemptEnded>(&event.payload)) over(ended->attempt);
}

std::optional<AttemptKey> ContactWatch::overdue(Instant now) {
  const auto attempt = alarms_.due(now);
  if (attempt) alarms_.erase(*attempt);
  return attempt;
}

void ContactWatch::lost(AttemptKey attempt, Instant at) {
  lost_since_.insert_or_assign(attempt, at);
  alarms_.set(attempt, at + kAlarm);
}

void ContactWatch::over(AttemptKey attempt) {
  lost_since_.erase(attempt);
  alarms_.erase(attempt);
}

}  // namespace ym
