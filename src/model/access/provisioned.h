// What an identity provider says of its users and groups by SCIM (RFC 7643), before they log in and after.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/time.h"

namespace ym {

enum class ProvisionedState : std::uint8_t {
  active,
  inactive,  // no token of the user counts until it is active again
  removed    // for good: the row stays, so that its name is for no other user
};
constexpr std::string_view to_string(ProvisionedState value) {
  switch (value) {
    case ProvisionedState::active: return "active";
    case ProvisionedState::inactive: return "inactive";
    case ProvisionedState::removed: return "removed";
  }
  return {};
}

// Of a principal that its provider made or took over by SCIM.
struct Provisioned {
  // The name with which it will log in, with the issuer's `handle_prefix`. Unique among the users of an issuer, without
  // regard to the case of letters. It follows the provider, unlike the handle.
  std::string user_name;
  std::string external_id;
  ProvisionedState state = ProvisionedState::active;
  std::vector<std::string> groups;  // ids of ProvisionedGroup, sorted; of groups that are gone, too
  bool operator==(const Provisioned&) const = default;
};

// A group of a provider. Its members are at their principals.
struct ProvisionedGroup {
  static constexpr std::string_view kTable = "provisioned_groups", kRow = "provisioned_group";
  static constexpr bool kConcernsEngine = false;
  std::string name;  // its id; never used again
  std::string issuer;
  std::string display;  // what the provider calls it; unique among the groups of an issuer
  std::string external_id{};
  std::string group;  // what bindings call it; empty: it gives nothing here
  Instant created_at{};
  bool operator==(const ProvisionedGroup&) const = default;
};

}  // namespace ym
