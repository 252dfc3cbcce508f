// Issuer: one issuer of tokens (OpenID Connect Discovery 1.0), its keys, and for logins its endpoints.
//
// Keys come only from where the issuer's discovery document says, over TLS. They count for as long as the answer says,
// at least five minutes and at most a day. A key that a token names and that is unknown is looked for again, at most
// every 30 seconds. A key that the issuer withdrew counts no more with the next look. While the issuer does not answer,
// the last keys count for a day. One call at a time asks the issuer: others use the keys that are known, or wait. More
// than a few that wait are refused, so that an issuer which does not answer holds up nothing else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "oidc/json_web_token.h"
#include "oidc/web.h"

namespace ym::oidc {

struct IssuerOptions {
  std::string url;          // exactly the `iss` of its tokens
  std::string ca_file{};    // PEM; empty: the system's authorities
  std::string client_id{};  // of this server, for logins
  std::string client_secret_file{};
};

// What a login asks the user's browser to ask of the issuer: a code, by PKCE (RFC 7636).
struct CodeRequest {
  std::string redirect_uri, state, nonce;
  std::string verifier;  // PKCE: 43 to 128 characters; only its hash is sent
  std::vector<std::string> scopes;
  Duration max_age{};            // 0: none is asked for
  std::vector<std::string> acr;  // empty: none is asked for
};

struct IssuedTokens {
  Secret id_token, access_token;
  Secret refresh_token;  // empty: the issuer gave none
};

// Thread-safe. Calls block while the issuer answers: for up to ten seconds for each request that it takes.
class Issuer {
 public:
  explicit Issuer(IssuerOptions options) : options_(std::move(options)), web_(options_.ca_file) {}

  const std::string& url() const { return options_.url; }

  // Ends the calls in progress, and all later ones that ask it, with `unavailable`.
  void cancel() const { web_.cancel(); }

  // Checks the signature and the claims. `expected.issuer` is ignored: it is this one. Errors: `unauthenticated`;
  // `unavailable`: the issuer does not answer, and its keys are not known.
  Result<JsonWebToken> check(std::string_view token, ExpectedClaims expected);

  // Where to send the browser. Errors: `unavailable`.
  Result<std::string> code_url(const CodeRequest& request);
  // Redeems the code of such a request. Errors: `unauthenticated`: the issuer refuses it; `unavailable`.
  Result<IssuedTokens> redeem(const std::string& code, const CodeRequest& request);
  // Asks for new tokens by a refresh token. Returns the next refresh token; empty: this one stays. Errors:
  // `unauthenticated`: the issuer does not take it any more; `unavailable`.
  Result<Secret> refresh(const Secret& refresh_token);
  // What the issuer says of the user of an access token. Errors: `unavailable`.
  Result<Json> user_info(const Secret& access_token);
  // Whether answers to code_url name the issuer (RFC 9207). Precondition: code_url succeeded.
  bool names_itself() const;

 private:
  struct Endpoints {
    std::string authorization, token, user_info, keys;
    std::vector<std::string> algorithms;  // empty: it does not say
    bool secret_in_body = false, names_itself = false;
  };
  enum class Match : std::uint8_t { signed_by_key, no_key, wrong };

  using Time = std::chrono::steady_clock::time_point;
  struct Looked {
    Endpoints endpoints;
    std::vector<JsonWebKey> keys;
    Duration max_age{};
  };

  Result<Looked> ask() const;  // the issuer, without the lock
  Result<Endpoints> read_endpoints() const;

  // With `lock` held, which they give up while the issuer is asked:
  Result<void> look_if_due(std::unique_lock<std::mutex>& lock);
  Result<void> look(std::unique_lock<std::mutex>& lock);
  Match match(const JsonWebToken& token) const;

  Result<Endpoints> endpoints();
  Result<WebAnswer> ask_for_tokens(const Endpoints& endpoints, Form form) const;

  const IssuerOptions options_;
  const Web web_;
  mutable std::mutex mutex_;
  std::condition_variable looked_;
  bool looking_ = false;
  int waiting_ = 0;
  std::optional<Endpoints> endpoints_;
  std::vector<JsonWebKey> keys_;
  // The last success, the end of the last try, the next look, and the last look for a key that was unknown.
  Time looked_at_{}, tried_at_{}, due_{}, searched_at_{};
  std::optional<Error> failure_;  // of the last try
};

}  // namespace ym::oidc
