#include "control/access/denial_book.h"

namespace ym {
namespace {

constexpr std::size_t kLongestPlace = 100;

}  // namespace

void DenialBook::note(std::string_view principal, Permission permission, const Target& target, Instant now) {
  // A request may name what is not there, in any length.
  const auto shortened = [](std::string_view name) { return std::string(name.substr(0, kLongestPlace)); };
  const Key key(principal, permission, shortened(target.project), shortened(target.queue), shortened(target.cluster));
  const std::lock_guard lock(mutex_);
  const auto known = rows_.find(key);
  if (known != rows_.end()) {
    known->second.times += 1;
    known->second.last = now;
  } else if (rows_.size() < kMostRows && of_principal_[std::string(principal)] < kMostOfAPrincipal) {
    of_principal_[std::string(principal)] += 1;
    rows_.emplace(key, DenialRow{.principal = std::string(principal),
                                 .permission = permission,
                                 .project = std::get<2>(key),
                                 .queue = std::get<3>(key),
                                 .cluster = std::get<4>(key),
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
  if (access.gateway_trial)
    bound.gateway = std::shared_ptr<const Rights>(access.gateway_trial, &access.gateway_trial->rights);
  bound.gateway_trial.reset();
  return bound;
}

void note_if_refused_by_bindings(const Access& access, Permission permission, const Target& target,
                                 std::string_view owner) {
  auto bound = by_bindings_alone(access);
  if (!bound) return;
  DenialBook& denials = access.trial->denials;
  // Each of the two has a row for what it lacks itself.
  if (!gateway_may(*bound, permission, target))
    denials.note(access.gateway_name, Permission::identities_impersonate, target, access.now);
  bound->gateway.reset();
  if (!allows(*bound, permission, target, owner)) denials.note(access.principal, permission, target, access.now);
}

}  // namespace ym
