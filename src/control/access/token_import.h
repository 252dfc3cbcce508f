// Tokens that servers of earlier versions stored beside the events.
#pragma once

#include <string_view>
#include <vector>

#include "store/store.h"

namespace ym {

// In place of the role of a token that is not valid any more, or that is a row of its own now.
inline constexpr std::string_view kRevoked = "revoked";

// The events that make rows of these tokens: a row of each, a principal of each of their users, and for each
// administrator the role admin. Rows that the tables have are left out.
std::vector<EventPayload> import_of(const Tables& tables, const std::vector<TokenRecord>& records);

}  // namespace ym
