#include "server_certificate.h"

#include <fmt/format.h>
#include <limits.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <set>

#include "api/http/self_signed.h"
#include "net/url.h"
#include "start_files.h"

namespace ym {
namespace {

namespace fs = std::filesystem;

constexpr Duration kWarnEvery = hours(24);
constexpr Duration kLookEvery = seconds(1);

fs::path own_certificate(const ServeOptions& options) { return fs::path(options.state) / "tls.pem"; }
fs::path own_key(const ServeOptions& options) { return fs::path(options.state) / "tls.key"; }

// Precondition: it is an address of this server, which was checked.
std::string host_of(const std::string& url) { return net::parse_url(url).value().host; }

// The names by which clients may reach this server.
std::vector<std::string> names_of(const ServeOptions& options) {
  std::set<std::string> names{"localhost", "127.0.0.1", "::1"};
  if (options.listen_host != "0.0.0.0" && options.listen_host != "::") names.insert(options.listen_host);
  if (!options.advertise_url.empty()) names.insert(host_of(options.advertise_url));
  std::array<char, HOST_NAME_MAX + 1> own{};
  if (::gethostname(own.data(), own.size() - 1) == 0 && own.front() != '\0') names.insert(own.data());
  return {names.begin(), names.end()};
}

// Both are made again if one is missing.
Result<void> provide_self_signed(const ServeOptions& options, Instant now) {
  std::error_code ignored;
  if (fs::exists(own_certificate(options), ignored) && fs::exists(own_key(options), ignored)) return {};
  const auto made = api::make_self_signed(names_of(options), now);
  if (!made) return std::unexpected(made.error());
  fs::remove(own_certificate(options), ignored);
  if (auto written = write_file(own_key(options), made->key.reveal(), 0600); !written) return written;
  return write_file(own_certificate(options), made->certificate, 0644);
}

}  // namespace

Result<std::optional<TlsFiles>> tls_files(const ServeOptions& options, Instant now) {
  if (!options.has_tls()) return std::nullopt;
  TlsFiles files{.certificate = options.tls_cert, .key = options.tls_key, .client_ca = options.tls_client_ca};
  if (!options.tls_self_signed) return files;
  if (auto made = provide_self_signed(options, now); !made) return std::unexpected(made.error());
  files.certificate = own_certificate(options).string();
  files.key = own_key(options).string();
  return files;
}

std::string authority_file(const ServeOptions& options) {
  return options.tls_self_signed ? own_certificate(options).string() : options.tls_ca;
}

void warn_of_names(const Running& running, const ServeOptions& options) {
  for (const auto& url : std::set{url_for_jobs(running, options), url_remote(running, options)}) {
    if (running.http->has_certificate_for(host_of(url))) continue;
    spdlog::warn("the certificate does not name {}: jobs and clients that use {} refuse it; {}", host_of(url), url,
                 options.tls_self_signed ? "remove tls.pem and tls.key of the state for a new one, with another pin"
                                         : "give --advertise-url with a name of the certificate");
  }
}

void CertificateWatch::look(Running& running, const ServeOptions& options) {
  const Instant now = running.clock.now();
  if (now - looked_at_ < kLookEvery || !running.http->certificate()) return;
  looked_at_ = now;
  if (const auto refreshed = running.http->refresh_certificate()) {
    if (!*refreshed) return spdlog::error("the certificate stays the earlier one: {}", refreshed->error().message);
    warned_at_ = {};
    spdlog::info("the certificate was read again: {}", running.http->certificate()->fingerprint);
    warn_of_names(running, options);
  }
  const auto certificate = *running.http->certificate();
  // Tried again until it is written.
  if (announced_ != certificate.fingerprint && announce(running, options)) announced_ = certificate.fingerprint;
  warn_of_end(certificate, now);
}

// In the last third of its lifetime: what renews certificates has usually done so by then.
void CertificateWatch::warn_of_end(const TlsCertificate& certificate, Instant now) {
  const Duration lifetime = certificate.not_after - certificate.not_before;
  if (now + Duration{lifetime.ms / 3} < certificate.not_after || now - warned_at_ < kWarnEvery) return;
  warned_at_ = now;
  if (now < certificate.not_after) spdlog::warn("the certificate expires at {}", to_rfc3339(certificate.not_after));
  else spdlog::error("the certificate has expired at {}: clients refuse it", to_rfc3339(certificate.not_after));
}

}  // namespace ym
