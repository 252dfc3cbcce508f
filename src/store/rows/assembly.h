// Assembly: rows that were read become the state of a server, held against what the database
// says about itself. Errors of all of them: `corrupt`, as in documents.h.
#pragma once

#include <map>

#include "store/rows/meta.h"

namespace ym::rows {

class Assembly {
 public:
  explicit Assembly(const Meta& meta);

  // `last`: the event with the highest number, if there is one.
  Result<void> check_last(const std::optional<Event>& last) const;
  Result<void> add(Job job);
  void add(Attempt attempt);
  // As they were written: of several with one key the last one is true.
  void add(IdempotencyRecord record);
  void add(TokenRecord record) { state_.tokens.push_back(std::move(record)); }

  // Once all jobs, and once all of their attempts were added.
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
