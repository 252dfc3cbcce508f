// Commands on tokens, and the changes of their records. A record is never deleted: a revoked token keeps one with the
// role kRevoked.
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
inline constexpr std::string_view kViewerRole = "viewer";  // reads, and changes nothing
inline constexpr std::string_view kRevoked = "revoked";    // in place of a role

struct CreateToken {
  std::string principal;
  std::string role;
};
struct RevokeToken {
  std::string id;
};
// Makes a new administrator token of the principal, and revokes all its other administrator tokens.
struct RotateAdminToken {
  std::string principal;
};
using TokenCommand = std::variant<CreateToken, RevokeToken, RotateAdminToken>;

// A token for display, without its secret.
struct TokenView {
  std::string id;
  std::string principal;
  std::string role;
  Instant created_at;
};
TokenView view_of(const TokenRecord& record);

struct TokenReply {
  TokenView token;
  std::optional<Secret> secret{};  // of a new token; it is not stored
};

// Records that replace those with the same hash, and the reply.
struct TokenChange {
  std::vector<TokenRecord> records;
  TokenReply reply;
};
// Errors: `invalid`, with the field; `not_found`.
Result<TokenChange> change_of(const TokenCommand& command, const std::vector<TokenRecord>& present, Instant now);

// Replaces the record with the same hash, or appends the new one.
void replace_records(std::vector<TokenRecord>& present, std::vector<TokenRecord> changed);

}  // namespace ym
