// What is asked of tokens, and what becomes of their records. A record is never deleted: of a token that is revoked it
// says so.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/secret.h"
#include "store/store.h"

namespace ym {

inline constexpr std::string_view kAdminRole = "admin";
inline constexpr std::string_view kUserRole = "user";
inline constexpr std::string_view kViewerRole = "viewer";  // may read, and change nothing
inline constexpr std::string_view kRevoked = "revoked";    // in place of a role

struct CreateToken {
  std::string principal;
  std::string role;
};
struct RevokeToken {
  std::string id;
};
// A new one of an administrator in place of all that it has.
struct RotateAdminToken {
  std::string principal;
};
using TokenCommand = std::variant<CreateToken, RevokeToken, RotateAdminToken>;

// A token as it is shown: without what it takes to use it.
struct TokenView {
  std::string id;
  std::string principal;
  std::string role;
  Instant created_at;
};
TokenView view_of(const TokenRecord& record);

struct TokenReply {
  TokenView token;
  std::optional<Secret> secret{};  // of a new one; it is kept nowhere
};

// Records to be stored in place of those with the same hash, and the answer.
struct TokenChange {
  std::vector<TokenRecord> records;
  TokenReply reply;
};
// Errors: `invalid`, with the field; `not_found`.
Result<TokenChange> change_of(const TokenCommand& command, const std::vector<TokenRecord>& present, Instant now);

// Each in place of the one with its hash, or behind all.
void replace_records(std::vector<TokenRecord>& present, std::vector<TokenRecord> changed);

}  // namespace ym
