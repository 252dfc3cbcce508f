#include "executor/kubernetes/api/credentials.h"

#include <boost/json/serialize.hpp>
#include <tuple>
#include <utility>

#include "executor/kubernetes/api/json.h"
#include "executor/kubernetes/api/run_program.h"

namespace ym::kubernetes {
namespace {

constexpr Duration kTokenFileAge = minutes(1);
constexpr Duration kPluginTimeout = seconds(60);
constexpr Duration kBeforeExpiry = seconds(30);
constexpr Duration kRefusedPause = seconds(5);

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

Credentials::Credentials(Access access, const Clock& clock) : access_(std::move(access)), clock_(clock) {}

Result<Credential> Credentials::current() {
  const std::lock_guard lock(mutex_);
  const auto now = clock_.now();
  if (made_ && (!made_->expires || now + kBeforeExpiry < *made_->expires)) return *made_;
  auto fresh = make();
  if (fresh) {
    made_ = *fresh;
    made_at_ = now;
    return fresh;
  }
  // Until they expire: a plugin that fails now may work later.
  if (made_ && made_->expires && now < *made_->expires) return *made_;
  return fresh;
}

void Credentials::refused() {
  const std::lock_guard lock(mutex_);
  if (made_ && made_at_ + kRefusedPause < clock_.now()) made_.reset();
}

Result<Credential> Credentials::make() {
  const auto& identity = access_.identity;
  Credential out{.token = identity.token, .certificate = identity.certificate, .key = identity.key, .expires = {}};
  if (identity.exec) {
    auto asked = ask_plugin(*identity.exec);
    if (!asked) return asked;
    if (asked->certificate.empty()) std::tie(asked->certificate, asked->key) = std::pair(out.certificate, out.key);
    return asked;
  }
  if (!identity.token_file.empty()) {
    auto text = read_small_file(identity.token_file);
    if (!text) return std::unexpected(text.error());
    out.token = Secret(trimmed(std::move(*text)));
    out.expires = clock_.now() + kTokenFileAge;
  }
  return out;
}

Result<Credential> Credentials::ask_plugin(const ExecPlugin& plugin) {
  auto env = plugin.env;
  env["KUBERNETES_EXEC_INFO"] = exec_info(plugin, access_);
  const auto text = run_program(plugin.argv, env, kPluginTimeout);
  if (!text) {
    auto message = "no credentials: " + text.error().message;
    if (!plugin.install_hint.empty()) message += " (" + plugin.install_hint.substr(0, 512) + ")";
    return fail(ErrorCode::unavailable, message);
  }
  return read_exec_credential(*text, plugin.api_version);
}

Result<Credential> read_exec_credential(std::string_view text, const std::string& api_version) {
  const auto value = parse_json(text);
  if (!value) return fail(ErrorCode::invalid, "the credential plugin wrote no JSON");
  if (text_at(*value, "/kind") != "ExecCredential") return fail_field("/kind", "is not ExecCredential");
  if (text_at(*value, "/apiVersion") != api_version) return fail_field("/apiVersion", "is not " + api_version);
  Credential out{.token = Secret(text_at(*value, "/status/token")),
                 .certificate = Secret(text_at(*value, "/status/clientCertificateData")),
                 .key = Secret(text_at(*value, "/status/clientKeyData")),
                 .expires = time_at(*value, "/status/expirationTimestamp")};
  if (out.certificate.empty() != out.key.empty())
    return fail_field("/status", "has a client certificate without its key, or a key without its certificate");
  if (out.token.empty() && out.certificate.empty()) return fail_field("/status", "has neither token nor certificate");
  return out;
}

std::string exec_info(const ExecPlugin& plugin, const Access& access) {
  json::object spec{{"interactive", false}};
  if (plugin.provide_cluster_info) {
    json::object cluster{{"server", access.server}};
    if (!access.verify) cluster["insecure-skip-tls-verify"] = true;
    if (!access.server_name.empty()) cluster["tls-server-name"] = access.server_name;
    // In base64, the API's form of bytes.
    if (!access.ca.empty()) cluster["certificate-authority-data"] = encode_base64(access.ca);
    spec["cluster"] = std::move(cluster);
  }
  return json::serialize(
      json::object{{"apiVersion", plugin.api_version}, {"kind", "ExecCredential"}, {"spec", std::move(spec)}});
}

}  // namespace ym::kubernetes
