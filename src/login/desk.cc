#include "login/desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "login/accounts.h"
#include "oidc/digest.h"
#include "oidc/json_web_token.h"

namespace ym::login {
namespace {

std::unexpected<Error> refuse(std::string why) { return fail(ErrorCode::unauthenticated, std::move(why)); }

// Tokens of an issuer for other purposes, signed by the same keys: access tokens, and messages of a logout.
Result<void> check_type(const oidc::JsonWebToken& token) {
  // Keycloak says it in a claim.
  constexpr std::array<std::string_view, 4> kOthers{"Bearer", "Refresh", "Offline", "Logout"};
  const bool other = (!token.type.empty() && token.type != "jwt") || oidc::find(token.claims, "events") != nullptr ||
                     std::ranges::find(kOthers, oidc::text_at(token.claims, "typ")) != kOthers.end();
  return other ? refuse("the token is one for another purpose (typ)") : Result<void>();
}

// What the ID token leaves out is what the provider says of the user on request.
void add_missing(oidc::Json& claims, const oidc::Json& more) {
  for (std::size_t i = 0; i < more.keys.size(); ++i) {
    if (oidc::member(claims, more.keys[i]) != nullptr) continue;
    claims.keys.push_back(more.keys[i]);
    claims.items.push_back(more.items[i]);
  }
}

void remove(oidc::Json& claims, std::string_view name) {
  const auto key = std::ranges::find(claims.keys, name);
  if (key == claims.keys.end()) return;
  claims.items.erase(claims.items.begin() + (key - claims.keys.begin()));
  claims.keys.erase(key);
}

std::optional<Instant> time_at(const oidc::Json& claims, std::string_view name) {
  const auto found = oidc::seconds_at(claims, name);
  return found ? std::optional(Instant{} + seconds(*found)) : std::nullopt;
}

// When and how the provider asked the user to prove itself, where its settings ask that.
Result<void> check_strength(const Issuer& settings, const oidc::Json& claims, Instant now) {
  if (settings.max_age > Duration{}) {
    auto asked = time_at(claims, "auth_time");
    // A time to come is none: it would be recent for as long as it is ahead.
    if (asked && *asked > now + oidc::kClockSkew) asked.reset();
    if (!asked || now - *asked > settings.max_age + oidc::kClockSkew)
      return refuse(fmt::format("the provider {} (auth_time); {} ago is allowed (max_age)",
                                asked ? "asked you to prove yourself too long ago" : "does not say when it asked you",
                                to_string(settings.max_age)));
  }
  if (!settings.acr.empty() && std::ranges::find(settings.acr, oidc::text_at(claims, "acr")) == settings.acr.end())
    return refuse("the provider did not ask you to prove yourself in a way that counts here (acr)");
  return {};
}

// The row of a proof stays for a week after its token, so no proof may live longer.
Result<void> check_life(const oidc::Json& claims, Instant now) {
  constexpr Duration kLongest = hours(6 * 24);
  const auto end = time_at(claims, "exp");
  return end && *end - now <= kLongest ? Result<void>()
                                       : refuse("the token lives too long: six days at most are allowed");
}

// Asks the provider for what its token leaves out. Groups that it does not say then, either, stay unknown.
Result<void> complete(oidc::Issuer& issuer, const Issuer& settings, oidc::Json& claims, const Secret& access_token) {
  const bool more = has_more_groups(claims);
  const bool lacks_groups = !settings.groups.empty() && oidc::find(claims, settings.groups) == nullptr;
  const bool lacks_handle = oidc::text_at(claims, settings.handle).empty();
  if (!more && !lacks_groups && !lacks_handle) return {};
  const auto said = issuer.user_info(access_token);
  if (!said) return std::unexpected(said.error());
  if (oidc::text_at(*said, "sub") != oidc::text_at(claims, "sub"))
    return refuse("the provider speaks of another user than its token");
  if (more && !has_more_groups(*said) && oidc::find(*said, settings.groups) != nullptr) {
    remove(claims, "_claim_names");
    remove(claims, "hasgroups");
  }
  add_missing(claims, *said);
  return {};
}

}  // namespace

std::vector<std::string> reserved_handles(const Settings& settings) {
  auto handles = settings.reserved;
  for (const auto& rule : settings.exchange) handles.push_back(rule.service);
  for (const auto& issuer : settings.issuers)
    if (!issuer.scim.empty()) handles.push_back(issuer.scim);
  return handles;
}

void Desk::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    for (const auto& [key, issuer] : issuers_) issuer->cancel();
  }
  if (reviews_) reviews_->cancel();
  workers_.stop();
}

void Desk::set(Settings settings) {
  const std::lock_guard lock(mutex_);
  settings_ = std::make_shared<const Settings>(std::move(settings));
}

std::shared_ptr<const Settings> Desk::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

std::shared_ptr<oidc::Issuer> Desk::issuer_of(oidc::IssuerOptions options) {
  const auto key =
      fmt::format("{}\n{}\n{}\n{}", options.url, options.ca_file, options.client_id, options.client_secret_file);
  const std::lock_guard lock(mutex_);
  auto& issuer = issuers_[key];
  if (!issuer) issuer = std::make_shared<oidc::Issuer>(std::move(options));
  if (stopped_) issuer->cancel();
  return issuer;
}

std::shared_ptr<oidc::Issuer> Desk::client_of(const Issuer& settings) {
  return issuer_of({.url = settings.url,
                    .ca_file = settings.ca_file,
                    .client_id = settings.client_id,
                    .client_secret_file = settings.client_secret_file});
}

template <class Value>
void Desk::run(std::move_only_function<Result<Value>()> work, Done<Value> done) {
  const auto shared = std::make_shared<Done<Value>>(std::move(done));
  Workers::Work both = [work = std::move(work), shared]() mutable { (*shared)(work()); };
  if (!workers_.run(both)) (*shared)(fail(ErrorCode::unavailable, "too many logins at once; try again soon"));
}

void Desk::prove(std::string token, Instant now, Done<Proven> done) {
  run<Proven>([this, token = std::move(token), now] { return prove_now(token, now); }, std::move(done));
}

void Desk::prove_account(std::uint32_t uid, Instant now, Done<Proven> done) {
  const auto work = [this, uid, now]() -> Result<Proven> {
    const auto present = settings();
    if (!present->accounts.socket) return refuse("users do not log in by this socket here (auth.accounts.socket)");
    auto user = user_of_account(present->accounts, uid);
    return user ? Result<Proven>(admitted(*present, std::move(*user), now)) : std::unexpected(user.error());
  };
  run<Proven>(work, std::move(done));
}

void Desk::prove_munge(std::string credential, Instant now, Done<Proven> done) {
  const auto work = [this, credential = std::move(credential), now]() -> Result<Proven> {
    const auto present = settings();
    if (!present->accounts.munge) return refuse("users do not log in by MUNGE here (auth.accounts.munge)");
    auto proof = read_munge(present->accounts, credential, present->url);
    if (!proof) return std::unexpected(proof.error());
    auto user = user_of_account(present->accounts, proof->uid);
    if (!user) return std::unexpected(user.error());
    auto login = admitted(*present, std::move(*user), now);
    if (login) login->proof = std::move(proof->proof);
    return login;
  };
  run<Proven>(work, std::move(done));
}

void Desk::depart(const std::string& issuer, std::string path, const std::string& address, Instant now,
                  Done<Departure> done) {
  const auto present = settings();
  const auto wanted = [&](const Issuer& one) { return issuer.empty() || one.name == issuer; };
  const auto found = std::ranges::find_if(present->issuers, wanted);
  if (found == present->issuers.end())
    return done(fail(ErrorCode::not_found, present->issuers.empty()
                                               ? "this server has no provider to log in at (auth.issuers)"
                                               : "there is no such provider"));
  Away away{.settings = *found,
            .issuer = client_of(*found),
            .request = {.redirect_uri = present->url + "/login/callback",
                        .state = oidc::random_text(),
                        .nonce = oidc::random_text(),
                        .verifier = oidc::random_text(),
                        .scopes = found->scopes,
                        .max_age = found->max_age,
                        .acr = found->acr},
            .cookie = oidc::random_text(),
            .path = std::move(path),
            .network = network_of(address)};
  run<Departure>([this, away = std::move(away), now]() mutable { return depart_now(std::move(away), now); },
                 std::move(done));
}

void Desk::arrive(Return back, Instant now, Done<Arrival> done) {
  run<Arrival>([this, back = std::move(back), now] { return arrive_now(back, now); }, std::move(done));
}

void Desk::read_logout(std::string token, Instant now, Done<Logout> done) {
  run<Logout>([this, token = std::move(token), now] { return read_logout_now(token, now); }, std::move(done));
}

void Desk::revalidate(Instant now, std::move_only_function<void(Subject)> gone) {
  Workers::Work work = [this, now, gone = std::move(gone)]() mutable {
    revalidation_.ask(now, [&](const Subject& subject) { gone(subject); });
  };
  if (revalidation_.is_due(now)) workers_.run(work);
}

Result<Logout> Desk::read_logout_now(const std::string& text, Instant now) {
  const auto present = settings();
  const auto unchecked = oidc::read_web_token(text);
  if (!unchecked) return std::unexpected(unchecked.error());
  const auto issuer = oidc::text_at(unchecked->claims, "iss");
  const auto audiences = oidc::texts_at(unchecked->claims, "aud").value_or(oidc::Texts{});
  const auto known = std::ranges::find_if(present->issuers, [&](const Issuer& one) {
    return one.url == issuer && std::ranges::find(audiences.items, one.client_id) != audiences.items.end();
  });
  if (known == present->issuers.end()) return refuse("this server has no such client of such a provider (iss, aud)");
  const auto token = client_of(*known)->check(text, {.audience = known->client_id, .now = now});
  if (!token) return std::unexpected(token.error());
  const bool says_logout =
      oidc::find(token->claims, "/events/http:~1~1schemas.openid.net~1event~1backchannel-logout") != nullptr;
  const auto subject = oidc::text_at(token->claims, "sub");
  const auto said_at = time_at(token->claims, "iat");
  if (!token->type.empty() && token->type != "jwt" && token->type != "logout+jwt")
    return refuse("the token is one for another purpose (typ)");
  if (!says_logout || oidc::find(token->claims, "nonce") != nullptr || subject.empty())
    return refuse("the token is no message of a logout, or names no user (events, nonce, sub)");
  if (!said_at) return refuse("the token does not say when it was made (iat)");
  return Logout{.user = {.issuer = issuer, .subject = subject}, .before = *said_at + oidc::kClockSkew};
}

Result<LoggedIn> Desk::logged_in(const Issuer& issuer, const oidc::Json& claims) const {
  auto user = read_user(issuer, claims);
  if (!user) return std::unexpected(user.error());
  const auto issued = time_at(claims, "iat");
  if (!issued) return refuse("the token does not say when it was made (iat)");
  return admitted(*settings(), std::move(*user), *issued);
}

Result<LoggedIn> Desk::admitted(const Settings& settings, ProvenUser user, Instant issued_at) {
  const auto reserved = reserved_handles(settings);
  if (std::ranges::find(reserved, user.handle) != reserved.end())
    return fail(ErrorCode::forbidden, fmt::format("'{}' is the name of an account of this server", user.handle));
  // It may have left the configuration since the login began.
  const bool is_known = user.issuer == kAccountsIssuer
                            ? settings.accounts.socket || settings.accounts.munge
                            : std::ranges::find(settings.issuers, user.issuer, &Issuer::url) != settings.issuers.end();
  if (!is_known) return refuse("this server does not have this provider any more");
  const std::string_view first = settings.issuers.empty() ? kAccountsIssuer : settings.issuers.front().url;
  const bool is_first = user.issuer == first;
  return LoggedIn{.user = std::move(user), .issued_at = issued_at, .is_first = is_first};
}

Result<Proven> Desk::prove_now(const std::string& text, Instant now) {
  const auto present = settings();
  const auto unchecked = oidc::read_web_token(text);
  if (!unchecked) return std::unexpected(unchecked.error());
  if (auto checked = check_type(*unchecked); !checked) return std::unexpected(checked.error());
  const auto issuer = oidc::text_at(unchecked->claims, "iss");
  const auto audiences = oidc::texts_at(unchecked->claims, "aud").value_or(oidc::Texts{});
  for (const Issuer& one : present->issuers) {
    if (one.url != issuer || std::ranges::find(audiences.items, one.client_id) == audiences.items.end()) continue;
    const auto token = client_of(one)->check(text, {.audience = one.client_id, .is_id_token = true, .now = now});
    if (!token) return std::unexpected(token.error());
    if (auto checked = check_life(token->claims, now); !checked) return std::unexpected(checked.error());
    if (auto strong = check_strength(one, token->claims, now); !strong) return std::unexpected(strong.error());
    if (!one.groups.empty() && oidc::find(token->claims, one.groups) == nullptr)
      return fail(ErrorCode::unavailable, fmt::format("the token says nothing of groups ({})", one.groups));
    auto user = logged_in(one, token->claims);
    if (!user) return std::unexpected(user.error());
    user->proof = proof_of(issuer, token->claims, token->signed_text);
    return std::move(*user);
  }
  return prove_workload(*present, *unchecked, text, now);
}

Result<Proven> Desk::prove_workload(const Settings& present, const oidc::JsonWebToken& unchecked,
                                    const std::string& text, Instant now) {
  const auto issuer = oidc::text_at(unchecked.claims, "iss");
  const ExchangeRule* rule = find_rule(present.exchange, issuer, unchecked.claims);
  const auto any = std::ranges::find(present.exchange, issuer, &ExchangeRule::issuer);
  if (issuer.empty() || any == present.exchange.end()) return prove_pod(present, unchecked, text);
  const ExchangeRule& by = rule ? *rule : *any;
  const auto token =
      issuer_of({.url = issuer, .ca_file = by.ca_file})->check(text, {.audience = by.audience, .now = now});
  if (!token) return std::unexpected(token.error());
  // Which claim differs is the site's: anyone can get a token of a public issuer.
  if (rule == nullptr) return refuse("no rule of auth.exchange fits the claims of the token");
  if (auto checked = check_life(token->claims, now); !checked) return std::unexpected(checked.error());
  return ProvenWorkload{.rule = rule->name,
                        .service = rule->service,
                        .proof = proof_of(issuer, token->claims, token->signed_text),
                        .ttl = rule->ttl};
}

// An API server is asked only about tokens that say they are for this server: others are not its business.
Result<Proven> Desk::prove_pod(const Settings& present, const oidc::JsonWebToken& unchecked, const std::string& text) {
  const auto audiences = oidc::texts_at(unchecked.claims, "aud").value_or(oidc::Texts{}).items;
  std::map<std::pair<std::string, std::string>, Result<oidc::Json>> asked;  // by cluster and audience
  std::optional<Error> refusal;
  for (const ExchangeRule& rule : present.exchange) {
    if (rule.kubernetes.empty() || !reviews_ || std::ranges::find(audiences, rule.audience) == audiences.end())
      continue;
    auto known = asked.find({rule.kubernetes, rule.audience});
    if (known == asked.end())
      known = asked
                  .emplace(std::pair{rule.kubernetes, rule.audience},
                           reviews_->review(rule.kubernetes, text, rule.audience))
                  .first;
    const auto& claims = known->second;
    if (claims && fits(rule, *claims))
      return ProvenWorkload{.rule = rule.name, .service = rule.service, .proof = {}, .ttl = rule.ttl};
    // That one cluster cannot be asked says more than that another one refuses.
    if (!claims && (!refusal || claims.error().code == ErrorCode::unavailable)) refusal = claims.error();
    if (claims && !refusal) refusal = Error{ErrorCode::unauthenticated, "no rule of auth.exchange fits the account"};
  }
  if (refusal) return std::unexpected(*refusal);
  return refuse("this server takes no tokens of this issuer (iss) for this audience (aud)");
}

Result<Departure> Desk::depart_now(Away away, Instant now) {
  auto url = away.issuer->code_url(away.request);
  if (!url) return std::unexpected(url.error());
  Departure departure{.url = std::move(*url), .cookie = away.cookie};
  const auto state = away.request.state;
  const std::lock_guard lock(mutex_);
  const auto same = [&](const Away& other) { return other.network == away.network; };
  if (away_.count_if(same, now) >= kMostOfANetwork || !away_.put(state, std::move(away), now))
    return fail(ErrorCode::unavailable, "too many logins have begun and not ended; try again in ten minutes");
  return departure;
}

Result<Arrival> Desk::arrive_now(const Return& back, Instant now) {
  std::optional<Away> away;
  {
    const std::lock_guard lock(mutex_);
    const Away* waiting = away_.find(back.state, now);
    // Another browser does not use up the login of this one.
    if (waiting == nullptr || back.cookie.empty() || waiting->cookie != back.cookie)
      return refuse("this login was not begun in this browser, or more than ten minutes ago; begin again");
    away = away_.take(back.state, now);
  }
  oidc::Issuer& issuer = *away->issuer;
  if (back.issuer.empty() ? issuer.names_itself() : back.issuer != issuer.url())
    return refuse("another provider answered than the one that was asked (iss)");
  if (!back.error.empty()) return refuse("the provider did not log you in");
  // It may have left the configuration meanwhile.
  const auto present = settings();
  if (std::ranges::find(present->issuers, away->settings.url, &Issuer::url) == present->issuers.end())
    return refuse("this server does not have this provider any more");
  const auto tokens = issuer.redeem(back.code, away->request);
  if (!tokens) return std::unexpected(tokens.error());
  auto token = issuer.check(
      tokens->id_token.reveal(),
      {.audience = away->settings.client_id, .nonce = away->request.nonce, .is_id_token = true, .now = now});
  if (!token) return std::unexpected(token.error());
  if (auto checked = check_type(*token); !checked) return std::unexpected(checked.error());
  if (auto strong = check_strength(away->settings, token->claims, now); !strong) return std::unexpected(strong.error());
  if (auto whole = complete(issuer, away->settings, token->claims, tokens->access_token); !whole)
    return std::unexpected(whole.error());
  auto user = logged_in(away->settings, token->claims);
  if (!user) return std::unexpected(user.error());
  if (away->settings.revalidate > Duration{} && !tokens->refresh_token.empty())
    revalidation_.keep({.issuer = away->issuer,
                        .subject = user->user.subject,
                        .refresh_token = tokens->refresh_token,
                        .every = away->settings.revalidate,
                        .until = now + present->login_ttl},
                       now);
  return Arrival{.login = std::move(*user), .path = std::move(away->path)};
}

}  // namespace ym::login
