#include "control/access/denial_book.h"

namespace ym {

void DenialBook::note(std::string_view principal, Permission permission, const Target& target, Instant now) {
  const Key key(principal, permission, target.project, target.queue, target.cluster);
  const std::lock_guard lock(mutex_);
  const auto known = rows_.find(key);
  if (known != rows_.end()) {
    known->second.times += 1;
    known->second.last = now;
  } else if (rows_.size() < kMostRows) {
    rows_.emplace(key, DenialRow{.principal = std::string(principal),
                                 .permission = permission,
                                 .project = std::string(target.project),
                                 .queue = std::string(target.queue),
                                 .cluster = std::string(target.cluster),
                                 .times = 1,
                                 .first = now,
                                 .last = now});
  } else {
    left_out_ += 1;
  }
}

DenialBook::Content DenialBook::read() const {
  const std::lock_guard lock(mutex_);
  Content content{.left_out = left_out_};
  for (const auto& [key, row] : rows_) content.rows.push_back(row);
  return content;
}

std::optional<Access> by_bindings_alone(const Access& access) {
  if (!access.trial) return std::nullopt;
  Access bound = access;
  bound.rights = std::shared_ptr<const Rights>(access.trial, &access.trial->rights);
  bound.trial.reset();
  return bound;
}

void note_if_refused_by_bindings(const Access& access, Permission permission, const Target& target,
                                 std::string_view owner) {
  const auto bound = by_bindings_alone(access);
  if (bound && !allows(*bound, permission, target, owner))
    access.trial->denials.note(access.principal, permission, target, access.now);
}

}  // namespace ym
