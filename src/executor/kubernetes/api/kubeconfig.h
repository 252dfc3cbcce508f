// The address of a Kubernetes API server and the credentials for it: from a kubeconfig file, or from the service
// account of a pod.
//
// It reads these parts of a kubeconfig. Cluster: address and CA (file or data), insecure-skip-tls-verify,
// tls-server-name. User: token, tokenFile, client certificate and key (file or data), exec plugins. Context: namespace.
// Relative paths start at the folder of the file. It refuses proxies, auth-provider, basic passwords and impersonation,
// with their names. Nothing here prints a secret.
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

// A program that provides credentials (client.authentication.k8s.io).
struct ExecPlugin {
  std::string api_version;
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
  std::string install_hint;
  bool provide_cluster_info = false;
};

// At most one source, the first in this order: exec, token_file, token.
struct Identity {
  Secret token;
  std::filesystem::path token_file;  // read repeatedly: service account tokens expire
  std::optional<ExecPlugin> exec;
  Secret certificate, key;  // PEM, of the client; in addition to the source above
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
// The same from its text; relative paths start at `folder`.
Result<Access> parse_kubeconfig(std::string_view text, const std::filesystem::path& folder, const std::string& context);

// In a pod: from KUBERNETES_SERVICE_HOST and _PORT, and the files in `folder` (/var/run/secrets/...).
Result<Access> in_cluster_access(const std::string& host, const std::string& port, const std::filesystem::path& folder);

// The one of a file; without a file that of the pod in which this process runs. Errors: those of both.
Result<Access> find_access(const std::filesystem::path& kubeconfig, const std::string& context);

// The content of a file of at most 1 MiB.
Result<std::string> read_small_file(const std::filesystem::path& file);
// Errors: `invalid`.
Result<std::string> decode_base64(std::string_view text);
std::string encode_base64(std::string_view bytes);

}  // namespace ym::kubernetes
