// Browsing codes (RFC 6749, section 4.1): a program waits on loopback for its browser to come back with a code.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "login/device_codes.h"
#include "login/expiring.h"

namespace ym::login {

// A program on the user's machine that waits for its browser to come back with a code (RFC 8252).
struct Browsing {
  DeviceGrant grant;
  std::string redirect_uri, challenge;
};
// The token that a code gave.
struct CodeToken {
  std::string principal, token;  // ids
};

// Not thread-safe.
class BrowsingCodes {
 public:
  // Nothing: too many wait.
  std::optional<std::string> put(Browsing browsing, Instant now);
  // Each code counts once. Errors: `unauthenticated`: it is unknown or was used, or the verifier or the address is
  // another one.
  Result<DeviceGrant> take(const std::string& code, const std::string& verifier, const std::string& redirect_uri,
                           Instant now);

  // Keeps for an hour which token a code gave, if there is room. False: the code came again meanwhile, and its token
  // must not be given out.
  bool note_token(const std::string& code, CodeToken made, Instant now);
  // The token that a code gave, which ends if the code comes again. Nothing: none is known.
  std::optional<CodeToken> token_of(const std::string& code, Instant now);

 private:
  static constexpr std::size_t kMost = 10'000;

  struct Used {
    std::optional<CodeToken> made{};
    bool came_again = false;
  };

  Expiring<Browsing> waiting_{minutes(1), kMost};  // by code
  Expiring<Used> used_{hours(1), kMost};           // by code
};

}  // namespace ym::login
