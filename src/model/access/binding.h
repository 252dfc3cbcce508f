// Binding: gives a role to a principal or to a group, at a scope. Bindings only add: there is none that denies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/enum_names.h"
#include "base/time.h"
#include "model/access/scope.h"
#include "model/cluster.h"

namespace ym {

// Its text is "alice" or "group:vision".
struct Grantee {
  enum class Kind : std::uint8_t { principal, group };
  Kind kind = Kind::principal;
  std::string name;  // a principal's id, or the group's name
  auto operator<=>(const Grantee&) const = default;
};
constexpr std::string_view to_string(Grantee::Kind value) {
  switch (value) {
    case Grantee::Kind::principal: return "principal";
    case Grantee::Kind::group: return "group";
  }
  return {};
}

struct Binding {
  static constexpr std::string_view kTable = "bindings", kRow = "binding";
  static constexpr bool kConcernsEngine = false;
  std::string name;  // its id, made of the role, the grantee and the scope: there is one binding of each three
  std::string role;
  Grantee grantee;
  Scope scope;
  std::optional<Instant> expires_at;
  std::string created_by;  // principal
  ManagedBy managed_by = ManagedBy::api;
  bool operator==(const Binding&) const = default;
};

}  // namespace ym
