// Credentials: what a request to the API server shows, kept fresh.
//
// A token file is read again every minute and an exec plugin run again when what it gave has expired, or was refused.
// Threads: any.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "executor/kubernetes/api/kubeconfig.h"

namespace ym::kubernetes {

struct Credential {
  Secret token;             // empty: none
  Secret certificate, key;  // PEM; empty: none
  std::optional<Instant> expires;
};

class Credentials {
 public:
  // `clock` must outlive it.
  Credentials(Access access, const Clock& clock);

  // Errors: `unavailable`: the plugin failed and nothing it gave before is good any more; `io`: the token file.
  Result<Credential> current();
  // The server did not accept what current() gave: the next is made anew, but not more often than every few seconds.
  void refused();

 private:
  Result<Credential> make();
  Result<Credential> ask_plugin(const ExecPlugin& plugin);

  const Access access_;
  const Clock& clock_;
  std::mutex mutex_;
  std::optional<Credential> made_;
  Instant made_at_;
};

// What a plugin writes: an ExecCredential of the version that was asked for. Errors: `invalid`, with the field.
Result<Credential> read_exec_credential(std::string_view text, const std::string& api_version);
// What it is told by KUBERNETES_EXEC_INFO.
std::string exec_info(const ExecPlugin& plugin, const Access& access);

}  // namespace ym::kubernetes
