#include "control/commands/token_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "control/state/tokens.h"

namespace ym {
namespace {

constexpr std::size_t kIdDigits = 12;
constexpr std::size_t kLongestName = 64;
constexpr std::array kRoles{kAdminRole, kUserRole, kViewerRole};
constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@+";

Result<void> check(const CreateToken& create) {
  const bool fits = !create.principal.empty() && create.principal.size() <= kLongestName &&
                    create.principal.find_first_not_of(kOfNames) == std::string::npos;
  if (!fits)
    return fail_field("/principal", "must be 1 to 64 letters, digits, '.', '-', '_', '@' and '+', for example 'bob'");
  if (std::ranges::find(kRoles, create.role) == kRoles.end())
    return fail_field("/role", fmt::format("there is no role '{}'; write admin, user or viewer", create.role));
  return {};
}

TokenChange make(const std::string& principal, std::string_view role, Instant now) {
  Secret secret = make_token();
  TokenRecord record{.hash = hash_token(secret), .principal = principal, .role = std::string(role), .created_at = now};
  TokenReply reply{.token = view_of(record), .secret = std::move(secret)};
  return {.records = {std::move(record)}, .reply = std::move(reply)};
}

TokenRecord revoked(TokenRecord record) {
  record.role = kRevoked;
  return record;
}

}  // namespace

TokenView view_of(const TokenRecord& record) {
  return {.id = record.hash.substr(0, kIdDigits),
          .principal = record.principal,
          .role = record.role,
          .created_at = record.created_at};
}

Result<TokenChange> change_of(const TokenCommand& command, const std::vector<TokenRecord>& present, Instant now) {
  if (const auto* create = std::get_if<CreateToken>(&command)) {
    if (auto checked = check(*create); !checked) return std::unexpected(checked.error());
    return make(create->principal, create->role, now);
  }
  if (const auto* revoke = std::get_if<RevokeToken>(&command)) {
    const auto found = std::ranges::find_if(present, [&](const TokenRecord& record) {
      return view_of(record).id == revoke->id && record.role != kRevoked;
    });
    if (found == present.end())
      return fail(ErrorCode::not_found, fmt::format("there is no token '{}'; see `ym token list`", revoke->id));
    return TokenChange{.records = {revoked(*found)}, .reply = {.token = view_of(*found)}};
  }
  const auto& principal = std::get<RotateAdminToken>(command).principal;
  auto change = make(principal, kAdminRole, now);
  for (const auto& record : present)
    if (record.principal == principal && record.role == kAdminRole) change.records.push_back(revoked(record));
  return change;
}

void replace_records(std::vector<TokenRecord>& present, std::vector<TokenRecord> changed) {
  for (auto& record : changed) {
    const auto same = std::ranges::find(present, record.hash, &TokenRecord::hash);
    if (same != present.end()) *same = std::move(record);
    else present.push_back(std::move(record));
  }
}

}  // namespace ym
