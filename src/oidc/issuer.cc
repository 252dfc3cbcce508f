#include "oidc/issuer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/base64url.h"
#include "oidc/digest.h"

namespace ym::oidc {
namespace {

constexpr Duration kLeastAge = minutes(5), kMostAge = hours(24);
constexpr std::chrono::seconds kKeysCount = std::chrono::hours(24), kBetweenSearches{30}, kAfterFailure{5};
constexpr int kMostWaiting = 1;
constexpr std::size_t kLongestAddress = 2048;

// Why is the administrator's alone: the answer goes to any browser.
std::unexpected<Error> away(const std::string& issuer, std::string_view why) {
  spdlog::warn("the issuer {} cannot be asked: {}", issuer, why);
  return fail(ErrorCode::unavailable,
              fmt::format("the issuer {} cannot be asked now; the server's log says why", issuer));
}

bool is_https(std::string_view url) { return url.starts_with("https://"); }

// The file's first line. Errors: `unavailable`: the administrator has to act.
Result<Secret> read_secret(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (std::getline(file, line) && !line.empty()) return Secret(std::move(line));
  // Its path is the administrator's alone, and the answer goes to any browser.
  spdlog::error("auth.issuers: the client's secret cannot be read from {}", path);
  return fail(ErrorCode::unavailable, "this server's secret at the provider cannot be read; its log says which file");
}

// RFC 6749, section 2.3.1: both are encoded as in a form.
Secret basic(const std::string& id, const Secret& secret) {
  const auto text = encode_form({{id, secret.reveal()}});  // "id=secret"
  std::string pair = text;
  pair[pair.find('=')] = ':';
  return Secret("Basic " + to_base64(pair));
}

}  // namespace

Result<JsonWebToken> Issuer::check(std::string_view text, ExpectedClaims expected) {
  auto token = read_web_token(text);
  if (!token) return token;
  {
    std::unique_lock lock(mutex_);
    if (auto looked = look_if_due(lock); !looked) return std::unexpected(looked.error());
    Match found = match(*token);
    const Time now = std::chrono::steady_clock::now();
    if (found != Match::signed_by_key && now >= searched_at_ + kBetweenSearches) {
      searched_at_ = now;
      if (auto looked = look(lock); !looked && found == Match::no_key) return std::unexpected(looked.error());
      found = match(*token);
    }
    if (found != Match::signed_by_key)
      return fail(ErrorCode::unauthenticated,
                  found == Match::no_key
                      ? fmt::format("{} has no such key for the identity token (kid, alg)", options_.url)
                      : "the signature of the identity token is wrong");
  }
  expected.issuer = options_.url;
  if (auto checked = check_claims(token->claims, expected); !checked) return std::unexpected(checked.error());
  return token;
}

Issuer::Match Issuer::match(const JsonWebToken& token) const {
  const auto& allowed = endpoints_->algorithms;
  if (!allowed.empty() && std::ranges::find(allowed, to_string(token.algorithm)) == allowed.end()) return Match::no_key;
  Match match = Match::no_key;
  for (const JsonWebKey& key : keys_) {
    const bool fits = std::ranges::find(key.algorithms, token.algorithm) != key.algorithms.end();
    if (!fits || (!token.key_id.empty() && key.id != token.key_id)) continue;
    if (is_signed(key, token.algorithm, token.signed_text, token.signature)) return Match::signed_by_key;
    match = Match::wrong;
  }
  return match;
}

Result<void> Issuer::look_if_due(std::unique_lock<std::mutex>& lock) {
  const Time now = std::chrono::steady_clock::now();
  if (endpoints_ && now < due_) return {};
  const bool may_wait = endpoints_ && now < looked_at_ + kKeysCount;
  if ((looking_ || (failure_ && now < tried_at_ + kAfterFailure)) && may_wait) return {};
  if (failure_ && now < tried_at_ + kAfterFailure) return std::unexpected(*failure_);
  auto looked = look(lock);
  return looked || !may_wait ? looked : Result<void>();
}

Result<void> Issuer::look(std::unique_lock<std::mutex>& lock) {
  if (looking_) {
    if (waiting_ >= kMostWaiting) return away(options_.url, "it has not answered yet; try again soon");
    waiting_ += 1;
    looked_.wait(lock, [this] { return !looking_; });
    waiting_ -= 1;
    return failure_ ? std::unexpected(*failure_) : Result<void>();
  }
  looking_ = true;
  lock.unlock();
  auto answer = ask();
  lock.lock();
  looking_ = false;
  tried_at_ = std::chrono::steady_clock::now();
  failure_ = answer ? std::nullopt : std::optional(answer.error());
  looked_.notify_all();
  if (!answer) return std::unexpected(answer.error());
  endpoints_ = std::move(answer->endpoints);
  keys_ = std::move(answer->keys);
  looked_at_ = tried_at_;
  due_ = tried_at_ + std::chrono::milliseconds(std::clamp(answer->max_age, kLeastAge, kMostAge).ms);
  return {};
}

Result<Issuer::Looked> Issuer::ask() const {
  auto found = read_endpoints();
  if (!found) return std::unexpected(found.error());
  const auto answer = web_.get(found->keys);
  if (!answer) return away(options_.url, answer.error().message);
  if (answer->status != 200) return away(options_.url, fmt::format("its keys: status {}", answer->status));
  auto keys = read_keys(answer->body);
  if (!keys) return away(options_.url, "its keys: " + keys.error().message);
  return Looked{.endpoints = std::move(*found), .keys = std::move(*keys), .max_age = answer->max_age};
}

Result<Issuer::Endpoints> Issuer::read_endpoints() const {
  const auto base = options_.url.ends_with('/') ? options_.url.substr(0, options_.url.size() - 1) : options_.url;
  const auto answer = web_.get(base + "/.well-known/openid-configuration");
  if (!answer) return away(options_.url, answer.error().message);
  if (answer->status != 200) return away(options_.url, fmt::format("its configuration: status {}", answer->status));
  const Json& json = answer->body;
  if (text_at(json, "issuer") != options_.url)
    return away(options_.url, "its configuration is that of another issuer; write its URL exactly as `issuer` there");
  Endpoints found{.authorization = text_at(json, "authorization_endpoint"),
                  .token = text_at(json, "token_endpoint"),
                  .user_info = text_at(json, "userinfo_endpoint"),
                  .keys = text_at(json, "jwks_uri"),
                  .algorithms = texts_at(json, "id_token_signing_alg_values_supported").value_or(Texts{}).items,
                  .names_itself = true_at(json, "authorization_response_iss_parameter_supported")};
  const auto methods = texts_at(json, "token_endpoint_auth_methods_supported");
  found.secret_in_body = methods && std::ranges::find(methods->items, "client_secret_basic") == methods->items.end();
  // An issuer on TLS must not send this server to a place without it.
  for (const auto* url : {&found.authorization, &found.token, &found.user_info, &found.keys})
    if (url->size() > kLongestAddress || (!url->empty() && is_https(options_.url) && !is_https(*url)))
      return away(options_.url, "its configuration names an address without TLS");
  if (found.keys.empty()) return away(options_.url, "its configuration names no keys (jwks_uri)");
  return found;
}

Result<Issuer::Endpoints> Issuer::endpoints() {
  std::unique_lock lock(mutex_);
  if (auto looked = look_if_due(lock); !looked) return std::unexpected(looked.error());
  return *endpoints_;
}

Result<std::string> Issuer::code_url(const CodeRequest& request) {
  const auto at = endpoints();
  if (!at) return std::unexpected(at.error());
  if (at->authorization.empty()) return away(options_.url, "its configuration names no authorization_endpoint");
  Form query{{"response_type", "code"},
             {"client_id", options_.client_id},
             {"redirect_uri", request.redirect_uri},
             {"scope", fmt::format("{}", fmt::join(request.scopes, " "))},
             {"state", request.state},
             {"nonce", request.nonce},
             {"code_challenge", to_base64url(sha256(request.verifier))},
             {"code_challenge_method", "S256"}};
  if (request.max_age > Duration{}) query.emplace_back("max_age", std::to_string(request.max_age.ms / 1000));
  if (!request.acr.empty()) query.emplace_back("acr_values", fmt::format("{}", fmt::join(request.acr, " ")));
  return at->authorization + (at->authorization.find('?') == std::string::npos ? "?" : "&") + encode_form(query);
}

Result<WebAnswer> Issuer::ask_for_tokens(const Endpoints& at, Form form) const {
  if (options_.client_secret_file.empty()) {
    form.emplace_back("client_id", options_.client_id);
    return web_.post(at.token, form);
  }
  const auto secret = read_secret(options_.client_secret_file);
  if (!secret) return std::unexpected(secret.error());
  if (!at.secret_in_body) return web_.post(at.token, form, basic(options_.client_id, *secret));
  form.emplace_back("client_id", options_.client_id);
  form.emplace_back("client_secret", secret->reveal());
  return web_.post(at.token, form);
}

Result<IssuedTokens> Issuer::redeem(const std::string& code, const CodeRequest& request) {
  const auto at = endpoints();
  if (!at) return std::unexpected(at.error());
  const auto answer = ask_for_tokens(*at, {{"grant_type", "authorization_code"},
                                           {"code", code},
                                           {"redirect_uri", request.redirect_uri},
                                           {"code_verifier", request.verifier}});
  if (!answer) return std::unexpected(answer.error());
  if (answer->status != 200) {
    // Of a provider's answer only the code of an error, which RFC 6749 limits to a few words.
    const auto code_of_error = text_at(answer->body, "error").substr(0, 64);
    return fail(
        answer->status >= 500 ? ErrorCode::unavailable : ErrorCode::unauthenticated,
        fmt::format(
            "the provider refuses the login: {} (status {})",
            code_of_error.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos ? code_of_error : "",
            answer->status));
  }
  IssuedTokens tokens{.id_token = Secret(text_at(answer->body, "id_token")),
                      .access_token = Secret(text_at(answer->body, "access_token")),
                      .refresh_token = Secret(text_at(answer->body, "refresh_token"))};
  if (tokens.id_token.empty()) return fail(ErrorCode::unavailable, "the provider sent no ID token");
  return tokens;
}

// Only `invalid_grant` says that the user may not any more. Another error is about this server's client, and all users
// would be logged out by a secret that was changed.
Result<Secret> Issuer::refresh(const Secret& refresh_token) {
  const auto at = endpoints();
  if (!at) return std::unexpected(at.error());
  const auto answer = ask_for_tokens(*at, {{"grant_type", "refresh_token"}, {"refresh_token", refresh_token.reveal()}});
  if (!answer) return std::unexpected(answer.error());
  if (answer->status == 200) return Secret(text_at(answer->body, "refresh_token"));
  if (answer->status == 400 && text_at(answer->body, "error") == "invalid_grant")
    return fail(ErrorCode::unauthenticated, "the provider ended the user's session");
  return away(options_.url, fmt::format("about a user: status {}", answer->status));
}

Result<Json> Issuer::user_info(const Secret& access_token) {
  const auto at = endpoints();
  if (!at) return std::unexpected(at.error());
  if (at->user_info.empty()) return away(options_.url, "its configuration names no userinfo_endpoint");
  auto answer = web_.get(at->user_info, access_token);
  if (!answer) return std::unexpected(answer.error());
  if (answer->status != 200) return away(options_.url, fmt::format("about the user: status {}", answer->status));
  return std::move(answer->body);
}

bool Issuer::names_itself() const {
  const std::lock_guard lock(mutex_);
  return endpoints_ && endpoints_->names_itself;
}

}  // namespace ym::oidc
