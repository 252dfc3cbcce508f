// JobContacts: how user code of an attempt reaches this server, and proves which it is.
//
// Threads: a value; all calls are const.
#pragma once

#include <optional>
#include <string>

#include "control/state/job_tokens.h"
#include "executor/executor.h"

namespace ym {

class JobContacts {
 public:
  // None: user code reports by its output and its marker file only.
  JobContacts() = default;
  // `api_url`: "http://127.0.0.1:8470/api", as user code of this machine reaches it; `advertised_url` as that of other
  // machines does (empty: the same). `key`: as
  // JobTokens::with_key takes it. One of them missing: none. Errors: `invalid`.
  static Result<JobContacts> make(std::string api_url, const Secret& key, std::string advertised_url = {});

  bool any() const { return tokens_.has_value(); }
  std::optional<JobContact> of(AttemptKey attempt, Instant now) const;
  // Of tasks that run elsewhere: it may be long before they begin, and nothing is delivered to them before; nor while
  // they cannot reach the server.
  std::optional<JobContact> of_elsewhere(AttemptKey attempt, Instant now) const;
  // The attempt that the token was issued for. Errors: `unauthenticated`.
  Result<AttemptKey> check(const Secret& token, Instant now) const;

 private:
  std::optional<JobContact> at(const std::string& url, AttemptKey attempt, Secret token) const;

  std::string api_url_;
  std::string advertised_url_;
  std::optional<JobTokens> tokens_;
};

}  // namespace ym
