#include "running.h"

#include <fmt/format.h>

#include "login/accounts.h"
#include "server_certificate.h"
#include "start_files.h"

namespace ym {
namespace {

std::string url_of(const ServeOptions& options, const std::string& host, std::uint16_t port) {
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("{}://{}:{}", options.has_tls() ? "https" : "http", v6 ? "[" + host + "]" : host, port);
}

// On loopback, a proxy on this machine may pass on the name that clients know. On a network any name is accepted.
std::vector<std::string> further_names(const ServeOptions& options) {
  const auto& url = options.advertise_url;  // scheme://HOST or scheme://HOST:PORT
  if (url.empty() || !is_loopback(options.listen_host)) return {};
  return {url.substr(url.find("://") + 3)};
}

}  // namespace

Result<void> take_port(Running& running, const ServeOptions& options) {
  auto tls = tls_files(options, running.clock.now());
  if (!tls) return std::unexpected(tls.error());
  auto http = HttpServer::open({.address = options.listen_host,
                                .port = options.listen_port,
                                .socket = options.socket,
                                .allowed_hosts = further_names(options),
                                .tls = std::move(*tls),
                                .trusted_proxies = options.trusted_proxies,
                                .desk = running.desk});
  if (!http) return std::unexpected(http.error());
  running.http = std::move(*http);
  return {};
}

std::string url_listened(const Running& running, const ServeOptions& options) {
  return url_of(options, options.listen_host, running.http->port());
}

std::string url_here(const Running& running, const ServeOptions& options) {
  const auto& host = options.listen_host;
  return url_of(options, host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host, running.http->port());
}

std::string url_remote(const Running& running, const ServeOptions& options) {
  return options.advertise_url.empty() ? url_here(running, options) : options.advertise_url;
}

std::string url_for_jobs(const Running& running, const ServeOptions& options) {
  return options.tls_cert.empty() ? url_here(running, options) : url_remote(running, options);
}

void set_logins(Running& running, const ServeOptions& options, const Configuration& configuration) {
  login::Settings settings{.url = url_remote(running, options), .reserved = {current_user()}};
  if (const auto& auth = configuration.auth) {
    settings.issuers = auth->issuers;
    settings.exchange = auth->exchange;
    settings.accounts = auth->accounts;
    settings.login_ttl = auth->login_ttl;
    settings.login_idle = auth->login_idle;
    settings.groups_max_age = auth->groups_max_age;
  }
  if (running.control) {
    KeepIssuers kept{settings.issuers};
    if (settings.accounts.socket || settings.accounts.munge)
      kept.issuers.push_back({.url = std::string(login::kAccountsIssuer)});
    running.control->execute(Caller::server(), std::move(kept), [](const auto&) {});
  }
  running.desk->set(std::move(settings));
}

Result<void> open_door(Running& running, const ServeOptions& options) {
  if (std::exchange(running.announced, true)) return {};
  running.http->serve(running.door);
  if (!options.port_file.empty()) {
    if (auto written = write_file(options.port_file, fmt::format("{}\n", running.http->port()), 0644); !written)
      return written;
  }
  return announce(running, options);
}

Result<void> announce(const Running& running, const ServeOptions& options) {
  const auto certificate = running.http->certificate();
  return write_server_json(options.state, url_here(running, options), certificate ? certificate->fingerprint : "");
}

}  // namespace ym
