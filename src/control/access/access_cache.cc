#include "control/access/access_cache.h"

#include "control/access/denial_book.h"
#include "model/tables.h"

namespace ym {
namespace {

struct ChangesRules {
  template <class Row>
  bool operator()(const RowSet<Row>&) const {
    return kMakesRules<Row>;
  }
  template <class Row>
  bool operator()(const RowRemoved<Row>&) const {
    return kMakesRules<Row>;
  }
  template <class Payload>
  bool operator()(const Payload&) const {
    return false;
  }
};

Result<void> check_token(const Tables& tables, const std::string& id, Instant now) {
  const auto row = tables.access_tokens.find(id);
  if (row == tables.access_tokens.end()) return fail(ErrorCode::unauthenticated, "the token was revoked");
  const auto& expires = row->second.expires_at;
  if (!expires || *expires > now) return {};
  return fail(ErrorCode::unauthenticated, "the token has expired at " + to_rfc3339(*expires));
}

// More principals than are active at once. The cache begins anew beyond.
constexpr std::size_t kMostCached = 10'000;

}  // namespace

bool changes_rules(const EventPayload& payload) { return std::visit(ChangesRules{}, payload); }

void AccessCache::set_mode(AccessMode mode, DenialBook* denials) {
  mode_ = mode;
  denials_ = mode == AccessMode::trial ? denials : nullptr;
  forget();
}

void AccessCache::forget() {
  rules_.reset();
  known_.clear();
}

const AccessRules& AccessCache::rules(const Tables& tables, Instant now) {
  if (rules_ && rules_->next_expiry() && *rules_->next_expiry() <= now) forget();
  if (!rules_) rules_ = std::make_shared<const AccessRules>(tables, mode_, now);
  return *rules_;
}

Access AccessCache::access_of(const Caller& caller, const Tables& tables, Instant now) {
  static const auto kNothing = std::make_shared<const Rights>();
  static const auto kEverything = std::make_shared<const Rights>(Rights::all());
  rules(tables, now);
  Access access{.principal = caller.principal, .rules = rules_, .rights = kNothing, .limits = {}, .now = now};
  if (caller.kind == CallerKind::server) access.rights = kEverything;
  if (caller.kind != CallerKind::principal) return access;
  if (!check_caller(caller, tables, now)) {
    access.limits = TokenLimits::nothing();
    return access;
  }
  if (!caller.token.empty()) access.limits = limits_of(tables.access_tokens.at(caller.token).scopes, *rules_);
  if (!caller.gateway.empty()) {
    const Known& gateway = known(caller.gateway);
    access.gateway = gateway.rights;
    access.gateway_trial = gateway.trial;
    access.gateway_name = caller.gateway;
  }
  const Known& by_rules = known(caller.principal);
  access.rights = by_rules.rights;
  access.trial = by_rules.trial;
  return access;
}

const AccessCache::Known& AccessCache::known(const std::string& principal) {
  if (const auto before = known_.find(principal); before != known_.end()) return before->second;
  if (known_.size() > kMostCached) known_.clear();
  Known fresh{.rights = std::make_shared<const Rights>(rules_->rights_of(principal))};
  if (denials_)
    fresh.trial =
        std::make_shared<const Trial>(Trial{.rights = rules_->bound_rights_of(principal), .denials = *denials_});
  return known_.emplace(principal, std::move(fresh)).first->second;
}

Result<void> check_caller(const Caller& caller, const Tables& tables, Instant now) {
  if (caller.kind != CallerKind::principal) return {};
  if (!caller.token.empty())
    if (auto valid = check_token(tables, caller.token, now); !valid) return valid;
  const auto may_not = [&](const std::string& principal) {
    const auto row = tables.principals.find(principal);
    return row != tables.principals.end() && is_disabled(row->second);
  };
  if (!may_not(caller.principal) && (caller.gateway.empty() || !may_not(caller.gateway))) return {};
  return fail(ErrorCode::unauthenticated, "this principal is disabled");
}

}  // namespace ym
