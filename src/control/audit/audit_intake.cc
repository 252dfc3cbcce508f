#include "control/audit/audit_intake.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ym {
namespace {

std::string one_of(const AuditRecord& record) {
  return record.actor.empty() ? "from " + record.request.source : record.actor;
}

}  // namespace

AuditIntake::Key AuditIntake::key_of(const AuditRecord& record) {
  const RequestAudited& r = record.request;
  return {record.actor, r.verb, r.object, r.code, r.source, r.token};
}

// Precondition: no equal record is counted.
AuditRecord AuditIntake::without_too_much(AuditRecord record) {
  const bool is_full = counted_.size() >= kMostKinds;
  if (!is_full && kinds_of_one_[one_of(record)] < kMostOfOne) return record;
  record.request.object.clear();
  record.request.agent.clear();
  record.request.request.clear();
  if (is_full) record.request.source.clear();
  return record;
}

bool AuditIntake::note(AuditRecord record) {
  const std::lock_guard lock(mutex_);
  if (!counted_.contains(key_of(record))) record = without_too_much(std::move(record));
  const auto [known, is_first] = counted_.try_emplace(key_of(record));
  if (is_first) {
    ++kinds_of_one_[one_of(record)];
    ready_.push_back(record);
  } else {
    known->second.count += 1;
  }
  known->second.record = std::move(record);
  return is_first;
}

// Ends the counts whose minute is over by then. Without a time, it ends all.
void AuditIntake::settle(std::optional<Instant> now) {
  next_.reset();
  for (auto it = counted_.begin(); it != counted_.end();) {
    Counted& counted = it->second;
    if (now && !counted.until) counted.until = *now + kCountedFor;
    if (now && *counted.until > *now) {
      next_ = std::min(next_.value_or(*counted.until), *counted.until);
      ++it;
      continue;
    }
    if (const auto one = kinds_of_one_.find(one_of(counted.record)); one->second > 1) --one->second;
    else kinds_of_one_.erase(one);
    if (counted.count > 0) {
      counted.record.request.count = counted.count;
      ready_.push_back(std::move(counted.record));
    }
    it = counted_.erase(it);
  }
}

std::vector<AuditRecord> AuditIntake::take_ready() {
  auto due = std::exchange(ready_, {});
  taken_.insert(taken_.end(), due.begin(), due.end());
  return due;
}

std::vector<AuditRecord> AuditIntake::take_due(Instant now) {
  const std::lock_guard lock(mutex_);
  // What is new has no time yet.
  if (!ready_.empty() || (next_ && *next_ <= now)) settle(now);
  return take_ready();
}

std::vector<AuditRecord> AuditIntake::take_all() {
  const std::lock_guard lock(mutex_);
  settle(std::nullopt);
  return take_ready();
}

void AuditIntake::stored() {
  const std::lock_guard lock(mutex_);
  taken_.clear();
}

void AuditIntake::lost() {
  const std::lock_guard lock(mutex_);
  ready_.insert(ready_.begin(), std::make_move_iterator(taken_.begin()), std::make_move_iterator(taken_.end()));
  taken_.clear();
}

std::optional<Instant> AuditIntake::next_due() const {
  const std::lock_guard lock(mutex_);
  return ready_.empty() ? next_ : std::optional(Instant{});
}

}  // namespace ym
