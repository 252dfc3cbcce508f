// Where a Kubernetes API server is, and who we are to it: from a kubeconfig file, or from the service account
// that a pod is given.
//
// Understood of a kubeconfig: the server's address and CA (file or data), insecure-skip-tls-verify and
// tls-server-name; of a user token, tokenFile, client certificate and key (file or data) and exec plugins; of a context
// its namespace. Relative paths are of the file's folder. Proxies, auth-provider, basic passwords and impersonation
// are refused by name. Nothing here prints a secret.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"

namespace ym::kubernetes {

// A program that hands out credentials (client.authentication.k8s.io).
struct ExecPlugin {
  std::string api_version;
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
  std::string install_hint;
  bool provide_cluster_info = false;
};

// One source at most, the first in this order: exec, token_file, token.
struct Identity {
  Secret token;
  std::filesystem::path token_file;  // read again and again: service account tokens expire
  std::optional<ExecPlugin> exec;
  Secret certificate, key;  // PEM, of the client; beside any of those
};

struct Access {
  std::string server;  // "https://HOST:PORT"
  std::string ca;      // PEM; empty: the system's
  std::string server_name;
  bool verify = true;
  Identity identity;
  std::string name_space = "default";
};

// Errors: `io`: the file, or one that it names; `invalid`, with the field ("/clusters/3/cluster/server").
Result<Access> read_kubeconfig(const std::filesystem::path& file, const std::string& context);
// The same of its text; `folder` is what relative paths are of.
Result<Access> parse_kubeconfig(std::string_view text, const std::filesystem::path& folder, const std::string& context);

// As in a pod: KUBERNETES_SERVICE_HOST and _PORT, and the files in `folder` (/var/run/secrets/...).
Result<Access> in_cluster_access(const std::string& host, const std::string& port, const std::filesystem::path& folder);

// Of a file of at most 1 MiB.
Result<std::string> read_small_file(const std::filesystem::path& file);
// Errors: `invalid`.
Result<std::string> decode_base64(std::string_view text);
std::string encode_base64(std::string_view bytes);

}  // namespace ym::kubernetes
