#include "oidc/json_web_token.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/base64url.h"

namespace ym::oidc {
namespace {

std::unexpected<Error> refuse(std::string why) {
  return fail(ErrorCode::unauthenticated, "the identity token is not accepted: " + std::move(why));
}

// The part as JSON. Nothing: it is no object.
std::optional<Json> object_of(std::string_view part) {
  const auto bytes = from_base64url(part);
  auto json = bytes ? spec::read_json(*bytes) : Result<Json>(fail(ErrorCode::invalid, ""));
  return json && json->kind == Json::Kind::map ? std::optional(std::move(*json)) : std::nullopt;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// "application/at+jwt" is the same as "at+JWT".
std::string type_of(const Json& head) {
  auto type = lower(text_at(head, "typ"));
  constexpr std::string_view kPrefix = "application/";
  return type.starts_with(kPrefix) ? type.substr(kPrefix.size()) : type;
}

Result<void> check_audience(const Json& claims, const ExpectedClaims& expected) {
  const auto audiences = texts_at(claims, "aud");
  if (!audiences || audiences->wrong ||
      std::ranges::find(audiences->items, expected.audience) == audiences->items.end())
    return refuse(fmt::format("it is not for '{}' (aud)", expected.audience));
  if (!expected.is_id_token) return {};
  const Json* party = find(claims, "azp");
  if (party == nullptr && audiences->items.size() > 1)
    return refuse("it is for several, and names no authorized party (azp)");
  if (party != nullptr && (party->kind != Json::Kind::string || party->text != expected.audience))
    return refuse("it was given to another client (azp)");
  return {};
}

// Bounds far from overflow, which no true time is beyond.
bool is_time(std::int64_t seconds) { return seconds >= 0 && seconds < 253'402'300'800; }

Result<std::optional<Instant>> time_at(const Json& claims, std::string_view name) {
  if (find(claims, name) == nullptr) return std::optional<Instant>();
  const auto found = seconds_at(claims, name);
  if (!found || !is_time(*found)) return refuse(fmt::format("its {} is no time", name));
  return std::optional(Instant{} + seconds(*found));
}

Result<void> check_times(const Json& claims, Instant now) {
  const auto expires = time_at(claims, "exp"), begins = time_at(claims, "nbf"), issued = time_at(claims, "iat");
  for (const auto* time : {&expires, &begins, &issued})
    if (!*time) return std::unexpected(time->error());
  if (!*expires) return refuse("it has no end (exp)");
  if (now >= **expires + kClockSkew) return refuse(fmt::format("it expired {} ago (exp)", to_string(now - **expires)));
  for (const auto& [name, time] : {std::pair("nbf", *begins), std::pair("iat", *issued)})
    if (time && *time > now + kClockSkew)
      return refuse(fmt::format("its {} is {} in the future: the clocks of its issuer and of this server differ", name,
                                to_string(*time - now)));
  return {};
}

}  // namespace

Result<JsonWebToken> read_web_token(std::string_view text) {
  if (text.size() > JsonWebToken::kMostBytes)
    return refuse(fmt::format("it has more than {} bytes", JsonWebToken::kMostBytes));
  const auto first = text.find('.'), second = text.find('.', std::min(first, text.size() - 1) + 1);
  if (first == std::string_view::npos || second == std::string_view::npos ||
      text.find('.', second + 1) != std::string_view::npos)
    return refuse("it is no signed JSON Web Token");
  const auto head = object_of(text.substr(0, first));
  auto claims = object_of(text.substr(first + 1, second - first - 1));
  auto signature = from_base64url(text.substr(second + 1));
  if (!head || !claims || !signature) return refuse("it is no signed JSON Web Token");
  if (member(*head, "crit") != nullptr) return refuse("it has demands that this server does not know (crit)");
  const auto algorithm = algorithm_of(text_at(*head, "alg"));
  if (!algorithm) return refuse("it is not signed by RS256, PS256, ES256 or EdDSA (alg)");
  return JsonWebToken{.algorithm = *algorithm,
                      .key_id = text_at(*head, "kid"),
                      .type = type_of(*head),
                      .claims = std::move(*claims),
                      .signed_text = std::string(text.substr(0, second)),
                      .signature = std::move(*signature)};
}

Result<void> check_claims(const Json& claims, const ExpectedClaims& expected) {
  if (text_at(claims, "iss") != expected.issuer)
    return refuse(fmt::format("its issuer (iss) is not '{}'", expected.issuer));
  if (auto checked = check_audience(claims, expected); !checked) return checked;
  if (auto checked = check_times(claims, expected.now); !checked) return checked;
  if (expected.nonce && text_at(claims, "nonce") != *expected.nonce)
    return refuse("it belongs to another login (nonce)");
  return {};
}

}  // namespace ym::oidc
