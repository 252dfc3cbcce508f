// The tables of a server after commands on access, without a server.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "control/access/access_book.h"
#include "control/access/access_change.h"
#include "control/access/binding_id.h"

namespace ym::testing {

class AccessFixture : public ::testing::Test {
 protected:
  static constexpr Instant kStart{1'000'000};

  void SetUp() override { book_.reset(tables_, cache_.mode()); }

  void set_mode(AccessMode mode) {
    cache_.set_mode(mode);
    book_.set_mode(mode);
  }
  void add(EventPayload payload) {
    const std::vector<Event> events{{.seq = tables_.last_seq + 1, .time = kStart, .payload = std::move(payload)}};
    apply(tables_, events.front());
    cache_.forget();
    book_.follow(events);
  }
  void add_principal(const std::string& name) {
    add(PrincipalSet{{.name = name, .handle = name, .created_at = kStart}});
  }
  void add_queue(const std::string& name, const std::string& parent) {
    add(QueueSet{{.name = name, .parent = parent}});
  }
  // `to`: a principal's id, or "group:NAME".
  void bind(const std::string& role, const std::string& to, const std::string& scope) {
    const bool is_group = to.starts_with("group:");
    Binding binding{
        .role = role,
        .grantee = {is_group ? Grantee::Kind::group : Grantee::Kind::principal, is_group ? to.substr(6) : to},
        .scope = parse_scope(scope).value()};
    binding.name = binding_id(binding);
    add(BindingSet{std::move(binding)});
  }

  AccessContext context_of(const Caller& caller) {
    return {.tables = tables_, .cache = cache_, .caller = caller, .now = kStart};
  }
  // Carries out a command. Errors: its own.
  Result<AccessChange> run(const auto& command, const Caller& caller = Caller::server()) {
    auto change = change_of(command, context_of(caller));
    if (!change) return change;
    for (const auto& payload : change->events) add(payload);
    return change;
  }
  // Of a command that must be refused.
  ErrorCode code_of(const auto& command, const Caller& caller = Caller::server()) {
    const auto refused = run(command, caller);
    EXPECT_FALSE(refused);
    return refused ? ErrorCode::internal : refused.error().code;
  }
  std::string pointer_of(const auto& command, const Caller& caller = Caller::server()) {
    const auto refused = run(command, caller);
    return refused || refused.error().fields.empty() ? "" : refused.error().fields.front().pointer;
  }

  Rights rights_of(const std::string& principal) { return cache_.rules(tables_, kStart).rights_of(principal); }
  const QueueTree& queues() { return cache_.rules(tables_, kStart).queues(); }
  bool may(const std::string& principal, Permission permission, const Target& target = {}) {
    return allows(context_of({.principal = principal}).access(), permission, target);
  }

  Tables tables_;
  AccessCache cache_;
  AccessBook book_;
};

}  // namespace ym::testing
