// Assembles the state of a server from rows, and compares it with table meta. Errors of all checks: `corrupt`, as in
// documents.h.
#pragma once

#include <map>

#include "store/rows/meta.h"

namespace ym::rows {

class Assembly {
 public:
  explicit Assembly(const Meta& meta);

  // `last`: the event with the highest number, if there is an event.
  Result<void> check_last(const std::optional<Event>& last) const;
  Result<void> add(Job job);
  void add(Attempt attempt);
  // Call it in the order of the records: the last record of a key is the valid one.
  void add(IdempotencyRecord record);
  void add(TokenRecord record) { state_.tokens.push_back(std::move(record)); }

  // Call the first after all jobs were added, and the second after all of their attempts were.
  Result<void> check_jobs() const;
  Result<void> check_attempts() const;

  Tables& tables() { return state_.tables; }
  LoadedState take();

 private:
  const Meta meta_;
  LoadedState state_;
  std::map<std::pair<std::string, std::string>, IdempotencyRecord> idempotency_;
};

}  // namespace ym::rows
