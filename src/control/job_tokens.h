// Job tokens: what user code of an attempt shows to the server that runs it.
//
// `ymj.JOB.ATTEMPT.EXPIRY.MAC`: the expiry in Unix seconds, the MAC (keyed BLAKE2b, base64url)
// over all before it. Nothing is kept of them: the key and the clock decide.
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

  // `key`: 32 random bytes in hex, as make_job_token_key makes them. Errors: `invalid`.
  static Result<JobTokens> with_key(const Secret& key);

  // Good until `now + kLifetime`.
  Secret issue(AttemptKey attempt, Instant now) const;
  // The attempt it was issued for. Errors: `unauthenticated` (not one of ours, altered, expired).
  Result<AttemptKey> check(const Secret& token, Instant now) const;
  // Whether it is meant to be one: the prefix.
  static bool is_one(std::string_view token);

 private:
  explicit JobTokens(Secret key) : key_(std::move(key)) {}
  Secret key_;  // 32 raw bytes
};

Secret make_job_token_key();

}  // namespace ym
