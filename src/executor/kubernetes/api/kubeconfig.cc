#include "executor/kubernetes/api/kubeconfig.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <span>
#include <utility>

#include "base/loopback.h"
#include "net/url.h"
#include "spec/text/value.h"

namespace ym::kubernetes {
namespace {

using spec::Value;

const Value* member(const Value& in, std::string_view key) {
  if (in.kind != Value::Kind::map) return nullptr;
  for (std::size_t i = 0; i < in.keys.size(); ++i)
    if (in.keys[i] == key) return &in.items[i];
  return nullptr;
}

std::string text_of(const Value& in, std::string_view key) {
  const auto* found = member(in, key);
  return found && found->is_scalar() && found->kind != Value::Kind::null ? found->text : std::string();
}

bool is_true(const Value& in, std::string_view key) { return text_of(in, key) == "true"; }

// One entry of a list of {name, KIND}, with its position for errors.
struct Entry {
  const Value* body;
  std::string pointer;
};

Result<Entry> entry(const Value& root, const std::string& list, const std::string& kind, const std::string& name) {
  const auto* entries = member(root, list);
  const std::size_t count = entries && entries->kind == Value::Kind::list ? entries->items.size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (text_of(entries->items[i], "name") != name) continue;
    const auto pointer = "/" + list + "/" + std::to_string(i) + "/" + kind;
    const auto* body = member(entries->items[i], kind);
    if (!body || body->kind != Value::Kind::map) return fail_field(pointer, "is missing");
    return Entry{body, pointer};
  }
  return fail_field("/" + list, "has no entry named \"" + name + "\"");
}

// FIELD-data in base64, or else the content of the file in FIELD. Empty: neither exists.
Result<std::string> data_or_file(const Entry& in, const std::string& field, const std::filesystem::path& folder) {
  if (const auto data = text_of(*in.body, field + "-data"); !data.empty()) {
    auto decoded = decode_base64(data);
    if (!decoded) return fail_field(in.pointer + "/" + field + "-data", "is not base64");
    return decoded;
  }
  const auto name = text_of(*in.body, field);
  if (name.empty()) return std::string();
  auto text = read_small_file(folder / name);
  if (text) return text;
  auto unreadable = fail_field(in.pointer + "/" + field, text.error().message);
  unreadable.error().code = text.error().code;
  return unreadable;
}

Result<void> refuse(const Entry& in, std::span<const std::string_view> fields) {
  for (const auto field : fields)
    if (member(*in.body, field)) return fail_field(in.pointer + "/" + std::string(field), "is not supported");
  return {};
}

Result<void> read_cluster(const Entry& in, const std::filesystem::path& folder, Access& access) {
  constexpr std::array<std::string_view, 1> kRefused{"proxy-url"};
  if (auto fine = refuse(in, kRefused); !fine) return fine;
  access.server = text_of(*in.body, "server");
  while (access.server.ends_with('/')) access.server.pop_back();
  const auto address = net::parse_url(access.server);
  const bool is_safe = address && (address->kind == net::Address::Kind::tls ||
                                   (address->kind == net::Address::Kind::tcp && is_loopback(address->host)));
  if (!is_safe) return fail_field(in.pointer + "/server", "must be an https:// address, or http:// on this machine");
  access.server_name = text_of(*in.body, "tls-server-name");
  access.verify = !is_true(*in.body, "insecure-skip-tls-verify");
  auto ca = data_or_file(in, "certificate-authority", folder);
  if (!ca) return std::unexpected(ca.error());
  access.ca = std::move(*ca);
  return {};
}

Result<ExecPlugin> read_exec(const Value& body, const std::string& pointer, const std::filesystem::path& folder) {
  ExecPlugin plugin{.api_version = text_of(body, "apiVersion"),
                    .argv = {text_of(body, "command")},
                    .env = {},
                    .install_hint = text_of(body, "installHint"),
                    .provide_cluster_info = is_true(body, "provideClusterInfo")};
  if (plugin.api_version != "client.authentication.k8s.io/v1" &&
      plugin.api_version != "client.authentication.k8s.io/v1beta1")
    return fail_field(pointer + "/apiVersion", "must be client.authentication.k8s.io/v1 or v1beta1");
  auto& command = plugin.argv.front();
  if (command.empty()) return fail_field(pointer + "/command", "is missing");
  // A bare name is looked up in PATH; a name with a slash is a path.
  if (command.find('/') != std::string::npos) command = (folder / command).string();
  if (const auto* args = member(body, "args"); args && args->kind == Value::Kind::list)
    for (const auto& word : args->items) plugin.argv.push_back(word.text);
  if (const auto* env = member(body, "env"); env && env->kind == Value::Kind::list)
    for (const auto& variable : env->items) plugin.env[text_of(variable, "name")] = text_of(variable, "value");
  return plugin;
}

Result<void> read_user(const Entry& in, const std::filesystem::path& folder, Identity& identity) {
  constexpr std::array<std::string_view, 4> kRefused{"auth-provider", "username", "password", "as"};
  if (auto fine = refuse(in, kRefused); !fine) return fine;
  identity.token = Secret(text_of(*in.body, "token"));
  if (const auto file = text_of(*in.body, "tokenFile"); !file.empty()) identity.token_file = folder / file;
  auto certificate = data_or_file(in, "client-certificate", folder);
  auto key = data_or_file(in, "client-key", folder);
  if (!certificate || !key) return std::unexpected(certificate ? key.error() : certificate.error());
  if (certificate->empty() != key->empty())
    return fail_field(in.pointer, "has a client certificate without its key, or a key without its certificate");
  identity.certificate = Secret(std::move(*certificate));
  identity.key = Secret(std::move(*key));
  const auto* exec = member(*in.body, "exec");
  if (!exec || exec->kind != Value::Kind::map) return {};
  auto plugin = read_exec(*exec, in.pointer + "/exec", folder);
  if (!plugin) return std::unexpected(plugin.error());
  identity.exec = std::move(*plugin);
  return {};
}

}  // namespace

Result<std::string> read_small_file(const std::filesystem::path& file) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return fail(ErrorCode::io, "cannot read " + file.string() + ": " + (error ? error.message() : "not a file"));
  std::ifstream stream(file, std::ios::binary);
  std::string text(kMost + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || !stream.is_open()) return fail(ErrorCode::io, "cannot read " + file.string());
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMost) return fail(ErrorCode::too_large, file.string() + " is larger than 1 MiB");
  return text;
}

Result<Access> parse_kubeconfig(std::string_view text, const std::filesystem::path& folder,
                                const std::string& context) {
  const auto documents = spec::read_yaml(text);
  if (!documents) return std::unexpected(documents.error());
  if (documents->size() != 1) return fail(ErrorCode::invalid, "a kubeconfig has exactly one document");
  const auto& root = documents->front();
  const auto name = context.empty() ? text_of(root, "current-context") : context;
  if (name.empty()) return fail_field("/current-context", "is missing, and no context was named");
  const auto chosen = entry(root, "contexts", "context", name);
  if (!chosen) return std::unexpected(chosen.error());
  const auto cluster = entry(root, "clusters", "cluster", text_of(*chosen->body, "cluster"));
  if (!cluster) return std::unexpected(cluster.error());
  Access access;
  if (auto space = text_of(*chosen->body, "namespace"); !space.empty()) access.name_space = std::move(space);
  if (auto read = read_cluster(*cluster, folder, access); !read) return std::unexpected(read.error());
  const auto user = text_of(*chosen->body, "user");
  if (user.empty()) return access;
  const auto user_entry = entry(root, "users", "user", user);
  if (!user_entry) return std::unexpected(user_entry.error());
  if (auto read = read_user(*user_entry, folder, access.identity); !read) return std::unexpected(read.error());
  return access;
}

Result<Access> read_kubeconfig(const std::filesystem::path& file, const std::string& context) {
  const auto text = read_small_file(file);
  if (!text) return std::unexpected(text.error());
  auto access = parse_kubeconfig(*text, file.parent_path(), context);
  if (!access) access.error().message = file.string() + ": " + access.error().message;
  return access;
}

Result<Access> in_cluster_access(const std::string& host, const std::string& port,
                                 const std::filesystem::path& folder) {
  if (host.empty() || port.empty())
    return fail(ErrorCode::invalid,
                "this process does not run in a pod (KUBERNETES_SERVICE_HOST is not set): name a kubeconfig");
  Access access;
  access.server = "https://" + (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
  auto ca = read_small_file(folder / "ca.crt");
  if (!ca) return std::unexpected(ca.error());
  access.ca = std::move(*ca);
  access.identity.token_file = folder / "token";
  if (auto space = read_small_file(folder / "namespace"); space && !space->empty()) access.name_space = *space;
  return access;
}

Result<Access> find_access(const std::filesystem::path& kubeconfig, const std::string& context) {
  if (!kubeconfig.empty()) return read_kubeconfig(kubeconfig, context);
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  return in_cluster_access(variable("KUBERNETES_SERVICE_HOST"), variable("KUBERNETES_SERVICE_PORT"),
                           "/var/run/secrets/kubernetes.io/serviceaccount");
}

}  // namespace ym::kubernetes
