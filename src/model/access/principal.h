// Principal: a user or a service account.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/time.h"
#include "model/access/provisioned.h"

namespace ym {

enum class PrincipalKind : std::uint8_t { user, service };
constexpr std::string_view to_string(PrincipalKind value) {
  switch (value) {
    case PrincipalKind::user: return "user";
    case PrincipalKind::service: return "service";
  }
  return {};
}

// Rows of others have its id (`name`). Only this row has what is about the person.
struct Principal {
  static constexpr std::string_view kTable = "principals", kRow = "principal";
  static constexpr bool kConcernsEngine = false;
  std::string name;  // its id: it never changes, and no other principal gets it later
  PrincipalKind kind = PrincipalKind::user;
  std::string handle;  // the name that people read and write; unique
  // Of an identity provider: (issuer, subject) is unique. Both empty: it has none.
  std::string issuer, subject;
  // How its provider called it at its last login, with the issuer's `handle_prefix`. It follows the provider, unlike
  // the handle. Nothing: it has not logged in since this is stored. Empty: the provider has given its name to another
  // user.
  std::optional<std::string> login_name;
  std::string display, email;
  std::vector<std::string> groups;  // that this server itself keeps; sorted
  // The groups that its identity provider named last, sorted; and until when they count.
  std::vector<std::string> issuer_groups;
  std::optional<Instant> issuer_groups_until;
  std::optional<Instant> issuer_groups_from;  // when the provider said so; what it said before does not count
  Instant created_at;
  std::string created_by;  // principal
  std::optional<Instant> disabled_at;
  // Only bindings of the configuration file name it so far. The first user of this name that logs in takes it.
  bool awaited = false;
  std::optional<Provisioned> provisioned{};  // nothing: its provider said nothing of it by SCIM
  bool operator==(const Principal&) const = default;
};

// By an administrator (disabled_at) or by its provider: neither one undoes what the other did. No token of it counts.
inline bool is_disabled(const Principal& row) {
  return row.disabled_at || (row.provisioned && row.provisioned->state != ProvisionedState::active);
}

}  // namespace ym
