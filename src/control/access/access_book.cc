#include "control/access/access_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "control/access/on_behalf.h"
#include "control/access/principals.h"
#include "control/access/token_text.h"

namespace ym {

// Copies the rows that concern access. Of the other events nothing.
struct AccessBook::Follow {
  AccessBook& book;

  void operator()(const TokenSet& e) const {
    auto& row = book.tables_.access_tokens[e.row.name];
    book.by_hash_.erase(row.hash);
    row = e.row;
    book.by_hash_[row.hash] = row.name;
  }
  void operator()(const TokenRemoved& e) const {
    const auto row = book.tables_.access_tokens.find(e.name);
    if (row == book.tables_.access_tokens.end()) return;
    book.by_hash_.erase(row->second.hash);
    book.tables_.access_tokens.erase(row);
    book.used_.erase(e.name);
  }
  template <class Row>
  void operator()(const RowSet<Row>& e) const {
    if constexpr (kMakesRules<Row>) rows_of<Row>(book.tables_).insert_or_assign(e.row.name, e.row);
  }
  template <class Row>
  void operator()(const RowRemoved<Row>& e) const {
    if constexpr (kMakesRules<Row>) rows_of<Row>(book.tables_).erase(e.name);
  }
  template <class Payload>
  void operator()(const Payload&) const {}
};

void AccessBook::reset(const Tables& tables, AccessMode mode, const std::vector<EventPayload>& more) {
  const std::lock_guard lock(mutex_);
  filled_ = true;
  tables_ = {};
  tables_.access_tokens = tables.access_tokens;
  each_named(tables_, [&]<class Row>(NamedRows<Row>& rows) {
    if constexpr (kMakesRules<Row>) rows = rows_of<Row>(tables);
  });
  by_hash_.clear();
  for (const auto& [id, token] : tables_.access_tokens) by_hash_[token.hash] = id;
  std::erase_if(used_, [&](const auto& used) { return !tables_.access_tokens.contains(used.first); });
  for (const auto& payload : more) std::visit(Follow{*this}, payload);
  cache_.set_mode(mode, &denials_);
}

void AccessBook::follow(const std::vector<Event>& events) {
  const std::lock_guard lock(mutex_);
  bool changed = false;
  for (const auto& event : events) {
    std::visit(Follow{*this}, event.payload);
    changed = changed || changes_rules(event.payload);
  }
  if (changed) cache_.forget();
}

void AccessBook::set_mode(AccessMode mode) {
  const std::lock_guard lock(mutex_);
  cache_.set_mode(mode, &denials_);
}

Result<Caller> AccessBook::authenticate(const Secret& token, Instant now) const {
  const std::string_view text = token.reveal();
  if (is_like_token(text) && !is_token_text(text))
    return fail(ErrorCode::unauthenticated, "the token is not whole: its last characters do not fit the others");
  // A look-up by hash: its time reveals nothing about existing tokens.
  const auto hash = hash_token(token);
  const std::lock_guard lock(mutex_);
  if (!filled_) return fail(ErrorCode::unavailable, std::string(kStateNotRead));
  const auto id = by_hash_.find(hash);
  if (id == by_hash_.end()) return fail(ErrorCode::unauthenticated, "the token is not known to this server");
  const AccessToken& row = tables_.access_tokens.at(id->second);
  Caller caller{.principal = row.principal, .token = row.name};
  if (auto valid = check_caller(caller, tables_, now); !valid) return std::unexpected(valid.error());
  if (row.idle_limit && now - seen_at(row) >= *row.idle_limit)
    return fail(ErrorCode::unauthenticated,
                fmt::format("this login was not used for {}; log in again", to_string(*row.idle_limit)));
  if (cache_.mode() == AccessMode::everything && row.kind == TokenKind::login)
    return fail(ErrorCode::unauthenticated, "logins count only while the configuration has the section auth");
  used_[row.name] = now;
  return caller;
}

Instant AccessBook::seen_at(const AccessToken& token) const {
  const auto used = used_.find(token.name);
  const Instant stored = token.last_used_at.value_or(token.created_at);
  return used == used_.end() ? stored : std::max(stored, used->second);
}

std::vector<AccessToken> AccessBook::tokens() const {
  auto tokens = rows<AccessToken>();
  const std::lock_guard lock(mutex_);
  for (AccessToken& token : tokens)
    if (const auto used = used_.find(token.name); used != used_.end()) token.last_used_at = used->second;
  return tokens;
}

std::map<std::string, Instant> AccessBook::take_used(Instant now) {
  constexpr Duration kBetween = hours(1);
  const std::lock_guard lock(mutex_);
  if (used_kept_at_ == Instant{}) used_kept_at_ = now;
  if (now - used_kept_at_ < kBetween) return {};
  used_kept_at_ = now;
  const Instant since = std::exchange(used_kept_to_, now);
  // The others stay: what is stored later, or not at all, must not end a login that was used.
  std::map<std::string, Instant> used;
  for (const auto& [id, at] : used_)
    if (at >= since) used.emplace(id, at);
  return used;
}

Result<Caller> AccessBook::authenticate_service(std::string_view handle, Instant now) const {
  const std::lock_guard lock(mutex_);
  if (!filled_) return fail(ErrorCode::unavailable, std::string(kStateNotRead));
  // Without bindings each principal may do everything, and nothing limits a certificate as scopes limit a token.
  if (cache_.mode() != AccessMode::by_bindings)
    return fail(ErrorCode::unauthenticated, "certificates of service accounts count only while bindings decide (auth)");
  const Principal* row = ym::find_handle(tables_, handle);
  if (row == nullptr || row->kind != PrincipalKind::service)
    return fail(
        ErrorCode::unauthenticated,
        "the certificate names a service account that this server does not have; `ym token create --service` makes it");
  Caller caller{.principal = row->name};
  if (auto valid = check_caller(caller, tables_, now); !valid) return std::unexpected(valid.error());
  return caller;
}

Result<Caller> AccessBook::on_behalf(const Caller& gateway, std::string_view handle, Instant now) const {
  const std::lock_guard lock(mutex_);
  return ym::on_behalf(gateway, handle, tables_, cache_, now);
}

Access AccessBook::access_of(const Caller& caller, Instant now) const {
  const std::lock_guard lock(mutex_);
  return cache_.access_of(caller, tables_, now);
}

std::optional<std::string> AccessBook::find_handle(std::string_view handle) const {
  const std::lock_guard lock(mutex_);
  const Principal* row = ym::find_handle(tables_, handle);
  return row ? std::optional(row->name) : std::nullopt;
}

bool AccessBook::is_valid(const Caller& caller, Instant now) const {
  const std::lock_guard lock(mutex_);
  return check_caller(caller, tables_, now).has_value();
}

std::string AccessBook::handle_of(const std::string& principal) const {
  const std::lock_guard lock(mutex_);
  const Principal* row = principal_of(tables_, principal);
  return row ? row->handle : principal;
}

bool AccessBook::is_service(const std::string& principal) const {
  const std::lock_guard lock(mutex_);
  const Principal* row = principal_of(tables_, principal);
  return row && row->kind == PrincipalKind::service;
}

}  // namespace ym
