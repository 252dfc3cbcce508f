// JobContacts: how an attempt's user code reaches this server and authenticates.
#pragma once

#include <optional>
#include <string>

#include "control/state/job_tokens.h"
#include "executor/executor.h"

namespace ym {

class JobContacts {
 public:
  // No contact: user code reports by its output and its marker file only.
  JobContacts() = default;
  // `api_url`: "http://127.0.0.1:8470/api", the URL for user code on this machine. `advertised_url`: the URL for other
  // machines; empty: the same. `key`: as in JobTokens::with_key. If `api_url` or `key` is empty, the result has no
  // contact. `ca_file`: for user code on this machine, as in JobContact. Errors: `invalid`.
  static Result<JobContacts> make(std::string api_url, const Secret& key, std::string advertised_url = {},
                                  std::string ca_file = {});

  bool any() const { return tokens_.has_value(); }
  std::optional<JobContact> of(AttemptKey attempt, Instant now) const;
  // For remote tasks, with a longer lifetime: they may begin long after the launch, and no newer token reaches them
  // before that, nor while they cannot reach the server.
  std::optional<JobContact> of_remote(AttemptKey attempt, Instant now) const;
  // The attempt that the token was issued for. Errors: `unauthenticated`.
  Result<AttemptKey> check(const Secret& token, Instant now) const;

 private:
  std::optional<JobContact> at(const std::string& url, AttemptKey attempt, Secret token) const;

  std::string api_url_;
  std::string advertised_url_;
  std::string ca_file_;
  std::optional<JobTokens> tokens_;
};

}  // namespace ym
