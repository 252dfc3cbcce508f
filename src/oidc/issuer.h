// Issuer: one issuer of tokens (OpenID Connect Discovery 1.0), its keys, and for logins its endpoints.
//
// Keys come only from where the issuer's discovery document says, over TLS. They count for as long as the answer says,
// at least five minutes and at most a day. A key that a token names and that is unknown is looked for again, at most
// every 30 seconds. A key that the issuer withdrew counts no more with the next look. While the issuer does not answer,
// the last keys count for a day.
#pragma once

#include <map>
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
};

struct IssuedTokens {
  Secret id_token, access_token;
};

// Thread-safe. Calls block while the issuer answers, for some ten seconds at most.
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
  Result<std::string> code_url(const CodeRequest& request, Instant now);
  // Redeems the code of such a request. Errors: `unauthenticated`: the issuer refuses it; `unavailable`.
  Result<IssuedTokens> redeem(const std::string& code, const CodeRequest& request, Instant now);
  // What the issuer says of the user of an access token. Errors: `unavailable`.
  Result<Json> user_info(const Secret& access_token, Instant now);
  // Whether answers to code_url name the issuer (RFC 9207). Precondition: code_url succeeded.
  bool names_itself() const;

 private:
  struct Endpoints {
    std::string authorization, token, user_info, keys;
    std::vector<std::string> algorithms;  // empty: it does not say
    bool secret_in_body = false, names_itself = false;
  };
  enum class Match : std::uint8_t { signed_by_key, no_key, wrong };

  // With mutex_ held:
  Result<void> look_if_due(Instant now);
  Result<void> look(Instant now);
  Result<Endpoints> read_endpoints();
  Match match(const JsonWebToken& token) const;

  Result<Endpoints> endpoints(Instant now);
  Result<WebAnswer> ask_for_tokens(const Endpoints& endpoints, Form form);

  const IssuerOptions options_;
  const Web web_;
  mutable std::mutex mutex_;
  std::optional<Endpoints> endpoints_;
  std::vector<JsonWebKey> keys_;
  Instant looked_at_, tried_at_, due_;  // the last success, the last try, the next look
  Instant searched_at_;                 // the last look for a key that was unknown
  std::optional<Error> failure_;        // of the last try
};

}  // namespace ym::oidc
