// Credentials: the credentials of requests to the API server, kept valid.
//
// A token file is read again every minute. An exec plugin runs again when its credential has expired or was refused.
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

  // Errors: `unavailable`: the plugin failed, and its earlier credential has expired; `io`: the token file.
  Result<Credential> current();
  // The server refused the result of current(): the next one is made anew, but at most once every few seconds.
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

// Parses the output of a plugin: an ExecCredential of the requested version. Errors: `invalid`, with the field.
Result<Credential> read_exec_credential(std::string_view text, const std::string& api_version);
// The content of KUBERNETES_EXEC_INFO for the plugin.
std::string exec_info(const ExecPlugin& plugin, const Access& access);

}  // namespace ym::kubernetes
