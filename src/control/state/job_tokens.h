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
  // Of one that cannot be renewed before its task begins, on a cluster that may let it wait for long. It admits to
  // nothing but its own attempt, and only while that lives.
  static constexpr Duration kLifetimeElsewhere = hours(720);

  // `key`: 32 random bytes in hex, as make_job_token_key makes them. Errors: `invalid`.
  static Result<JobTokens> with_key(const Secret& key);

  // Good until `now + lifetime`.
  Secret issue(AttemptKey attempt, Instant now, Duration lifetime = kLifetime) const;
  // The attempt it was issued for. Errors: `unauthenticated` (not one of ours, altered, expired).
  Result<AttemptKey> check(const Secret& token, Instant now) const;
  // Whether it is meant to be one: the prefix.
  static bool is_one(std::string_view token);

 private:
  explicit JobTokens(Secret key) : key_(std::move(key)) {}
  Secret key_;  // 32 raw bytes
};

Secret make_job_token_key();

// A short name for who has the key, the same for each of them, that tells nothing of it: what a server starts on a
// shared cluster carries it.
std::string instance_name(const Secret& key);

}  // namespace ym
