#include "spec/token_decoder.h"

#include <algorithm>
#include <array>

#include "spec/text/field.h"
#include "spec/text/value.h"

namespace ym {
namespace {

using spec::Field;

constexpr Duration kShortest = seconds(1), kLongest = hours(10 * 366 * 24);
constexpr std::size_t kMostScopes = 64, kLongestScope = 256;
// The roles that tokens had before they had scopes.
constexpr std::array<std::string_view, 3> kRoles{"admin", "user", "viewer"};

std::optional<std::string> read_role(const Field& field) {
  auto role = read_string(field);
  if (role && std::ranges::find(kRoles, *role) == kRoles.end())
    field.wrong("there is no role " + spec::quoted(*role) + "; write admin, user or viewer");
  return role;
}

std::optional<std::vector<std::string>> read_scopes(const Field& field) {
  const auto items = read_list(field, "roles, permissions and scopes");
  if (!items) return std::nullopt;
  if (items->size() > kMostScopes) field.wrong("at most 64 are allowed");
  std::vector<std::string> scopes;
  for (const Field& item : *items) {
    scopes.push_back(read_string(item).value_or(""));
    if (scopes.back().size() > kLongestScope) item.wrong("has at most 256 bytes");
  }
  return scopes;
}

}  // namespace

Result<TokenRequest> parse_token_request(std::string_view json) {
  const auto value = spec::read_json(json);
  if (!value) return std::unexpected(value.error());
  spec::Problems problems;
  const Field root{&*value, "", &problems};
  spec::MapReader map(root);
  TokenRequest request;
  if (auto principal = map.find("principal")) request.principal = read_string(*principal).value_or("");
  if (auto service = map.find("service")) request.service = read_flag(*service).value_or(false);
  if (auto role = map.find("role")) request.role = read_role(*role);
  if (auto scopes = map.find("scopes")) request.scopes = read_scopes(*scopes);
  if (auto ttl = map.find("ttl")) request.lifetime = read_duration(*ttl, kShortest, kLongest);
  if (auto note = map.find("note")) request.note = read_string(*note).value_or("");
  map.finish();
  if (!problems.empty()) return std::unexpected(problems.error());
  return request;
}

}  // namespace ym
