// Job tokens: the credentials of an attempt's user code at the server that runs it.
//
// `ymj.JOB.ATTEMPT.EXPIRY.MAC`: the expiry in Unix seconds, the MAC (keyed BLAKE2b, base64url) over all before it. The
// server stores no tokens: the key and the clock decide.
// Threads: values; all calls are const.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "model/ids.h"

namespace ym {

class JobTokens {
 public:
  static constexpr Duration kLifetime = hours(1);
  static constexpr Duration kRenewedEvery = minutes(20);
  // The lifetime of a token that cannot be renewed before its task begins, on a cluster where the task may wait for
  // long. The token gives access to its own attempt only, and only while the attempt lives.
  static constexpr Duration kRemoteLifetime = hours(720);

  // `key`: 32 random bytes in hex, as make_job_token_key makes them. Errors: `invalid`.
  static Result<JobTokens> with_key(const Secret& key);

  // Valid until `now + lifetime`.
  Secret issue(AttemptKey attempt, Instant now, Duration lifetime = kLifetime) const;
  // The attempt that the token was issued for. Errors: `unauthenticated` (not a token of this key, altered, expired).
  Result<AttemptKey> check(const Secret& token, Instant now) const;
  // Whether the text has the prefix of a job token.
  static bool is_one(std::string_view token);

 private:
  explicit JobTokens(Secret key) : key_(std::move(key)) {}
  Secret key_;  // 32 raw bytes
};

Secret make_job_token_key();

// A short name of the installation, derived from its key. All servers with the key have the same name, and it does not
// reveal the key. What a server starts on a shared cluster carries it.
std::string instance_name(const Secret& key);

}  // namespace ym
