#include "login/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ym::login {
namespace {

constexpr std::size_t kLongestText = 256;

std::unexpected<Error> unusable(const Issuer& issuer, std::string_view why) {
  return fail(ErrorCode::unauthenticated, fmt::format("the provider '{}' {}", issuer.name, why));
}

// For people only, so what is too long is left out and not refused.
std::string shown(std::string text) {
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
  if (text.size() > kLongestText) text.clear();
  return text;
}

Result<std::vector<std::string>> read_groups(const Issuer& issuer, const oidc::Json& claims) {
  if (issuer.groups.empty()) return std::vector<std::string>();
  if (has_more_groups(claims) && oidc::find(claims, issuer.groups) == nullptr)
    return fail(ErrorCode::unavailable,
                fmt::format("you are in more groups than the provider '{}' names in a token, so your rights are not "
                            "known; let it name only groups of this application, or send them as roles",
                            issuer.name));
  const auto texts = oidc::texts_at(claims, issuer.groups).value_or(oidc::Texts{});
  if (texts.wrong) return fail(ErrorCode::unavailable, fmt::format("the claim {} is no list of texts", issuer.groups));
  std::vector<std::string> groups;
  for (const auto& group : texts.items)
    if (auto named = group_here(issuer, group); !named.empty()) groups.push_back(std::move(named));
  std::ranges::sort(groups);
  const auto repeated = std::ranges::unique(groups);
  groups.erase(repeated.begin(), repeated.end());
  if (groups.size() > kMostGroups)
    return fail(ErrorCode::unavailable, fmt::format("you are in {} groups; at most {} can count. Set groups_strip of "
                                                    "the issuer, so that only those of this server do",
                                                    groups.size(), kMostGroups));
  return groups;
}

// As the rule writes it: of a text its characters, of a number or a truth value its spelling.
bool says(const oidc::Json& claims, const std::string& claim, const std::string& wanted) {
  const oidc::Json* found = oidc::find(claims, claim);
  return found != nullptr && found->is_scalar() && found->kind != oidc::Json::Kind::null && found->text == wanted;
}

}  // namespace

bool has_more_groups(const oidc::Json& claims) {
  return oidc::true_at(claims, "hasgroups") || oidc::find(claims, "/_claim_names/groups") != nullptr;
}

Result<ProvenUser> read_user(const Issuer& issuer, const oidc::Json& claims) {
  ProvenUser user{.issuer = issuer.url,
                  .subject = oidc::text_at(claims, "sub"),
                  .handle = oidc::text_at(claims, issuer.handle),
                  .display = shown(oidc::text_at(claims, "name")),
                  .email = shown(oidc::text_at(claims, "email"))};
  if (user.subject.empty() || user.subject.size() > kLongestText) return unusable(issuer, "names no subject (sub)");
  if (user.handle.empty()) return unusable(issuer, fmt::format("gives no name for you ({})", issuer.handle));
  user.handle = issuer.handle_prefix + user.handle;
  auto groups = read_groups(issuer, claims);
  if (!groups) return std::unexpected(groups.error());
  user.groups = std::move(*groups);
  return user;
}

bool fits(const ExchangeRule& rule, const oidc::Json& claims) {
  return std::ranges::all_of(rule.require, [&](const auto& claim) { return says(claims, claim.first, claim.second); });
}

const ExchangeRule* find_rule(const std::vector<ExchangeRule>& rules, const std::string& issuer,
                              const oidc::Json& claims) {
  const auto audiences = oidc::texts_at(claims, "aud").value_or(oidc::Texts{});
  const auto is_it = [&](const ExchangeRule& rule) {
    return rule.issuer == issuer && std::ranges::find(audiences.items, rule.audience) != audiences.items.end() &&
           fits(rule, claims);
  };
  const auto rule = std::ranges::find_if(rules, is_it);
  return rule == rules.end() ? nullptr : &*rule;
}

std::string proof_of(const std::string& issuer, const oidc::Json& claims, const std::string& signed_text) {
  const auto id = oidc::text_at(claims, "jti");
  return id.empty() ? signed_text : fmt::format("{} {}", issuer, id);
}

}  // namespace ym::login
