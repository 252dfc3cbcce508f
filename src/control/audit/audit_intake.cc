#include "control/audit/audit_intake.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ym {

AuditIntake::Key AuditIntake::key_of(const AuditRecord& record) {
  const RequestAudited& r = record.request;
  return {record.actor, r.verb, r.object, r.code, r.source, r.token};
}

bool AuditIntake::note(AuditRecord record, Instant now) {
  const std::lock_guard lock(mutex_);
  auto key = key_of(record);
  if (counted_.size() >= kMostKinds && !counted_.contains(key)) {
    record = {.actor = {}, .request = {.verb = record.request.verb, .object = {}, .outcome = record.request.outcome}};
    key = key_of(record);
  }
  const auto [known, is_first] = counted_.try_emplace(std::move(key), Counted{.until = now + kCountedFor});
  if (is_first) ready_.push_back(record);
  else known->second.count += 1;
  known->second.record = std::move(record);
  return is_first;
}

std::vector<AuditRecord> AuditIntake::take_due(Instant now) {
  const std::lock_guard lock(mutex_);
  for (auto& [key, counted] : counted_) {
    if (counted.until > now || counted.count == 0) continue;
    counted.record.request.count = counted.count;
    ready_.push_back(std::move(counted.record));
  }
  std::erase_if(counted_, [&](const auto& entry) { return entry.second.until <= now; });
  auto due = std::exchange(ready_, {});
  taken_.insert(taken_.end(), due.begin(), due.end());
  return due;
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
  std::optional<Instant> next;
  if (!ready_.empty()) next = Instant{};
  for (const auto& [key, counted] : counted_) next = std::min(next.value_or(counted.until), counted.until);
  return next;
}

}  // namespace ym
