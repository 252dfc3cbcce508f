#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <charconv>
#include <filesystem>

#include "cli/options/serve_arguments.h"
#include "cli/verbs/typing_mistakes.h"
#include "cli/verbs/verb.h"
#include "net/sinks/sink_address.h"

namespace ym::cli {

Result<std::pair<std::string, std::uint16_t>> parse_listen(std::string_view text) {
  const auto colon = text.rfind(':');
  auto host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const auto digits = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  unsigned port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (host.empty() || digits.empty() || error != std::errc{} || end != digits.data() + digits.size() || port > 65'535)
    return fail(ErrorCode::invalid, fmt::format("--listen: '{}' is not HOST:PORT, for example 127.0.0.1:8470", text));
  return std::pair(std::string(host == "localhost" ? "127.0.0.1" : host), static_cast<std::uint16_t>(port));
}

namespace {

constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
constexpr std::string_view kOfAddresses = "0123456789abcdefABCDEF:.";

// Accepts NAME, NAME:PORT, [ADDRESS] or [ADDRESS]:PORT.
bool is_authority(const std::string& text) {
  const bool bracketed = text.starts_with('[');
  const auto end = bracketed ? text.find(']') : std::min(text.find(':'), text.size());
  if (end == std::string::npos) return false;
  const auto name = bracketed ? text.substr(1, end - 1) : text.substr(0, end);
  if (name.empty() || name.find_first_not_of(bracketed ? kOfAddresses : kOfNames) != std::string::npos) return false;
  const auto port = text.substr(bracketed ? end + 1 : end);
  if (port.empty()) return true;
  const auto listened = parse_listen("name" + port);
  return port.rfind(':') == 0 && listened && listened->second > 0;
}

// A path, or a slash at the end, is refused.
Result<std::string> parse_advertised(std::string url) {
  if (url.empty()) return url;
  while (url.ends_with('/')) url.pop_back();
  const auto scheme = url.find("://");
  const bool known = url.starts_with("http://") || url.starts_with("https://");
  if (known && is_authority(url.substr(scheme + 3))) return url;
  return fail(ErrorCode::invalid,
              fmt::format("--advertise-url: '{}' is not http://HOST:PORT or https://HOST:PORT", url));
}

std::string absolute(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

// What contradicts itself.
Result<void> check_tls(const ServeOptions& options) {
  if (options.tls_cert.empty() != options.tls_key.empty())
    return fail(ErrorCode::invalid, "--tls-cert and --tls-key belong together: give both");
  if (options.tls_self_signed && !options.tls_cert.empty())
    return fail(ErrorCode::invalid, "--tls-self-signed makes a certificate; leave it or --tls-cert out");
  if (!options.has_tls() && !options.tls_client_ca.empty())
    return fail(ErrorCode::invalid, "--tls-client-ca needs --tls-cert and --tls-key, or --tls-self-signed");
  if (options.tls_cert.empty() && !options.tls_ca.empty())
    return fail(ErrorCode::invalid, "--tls-ca needs --tls-cert and --tls-key");
  if (options.has_tls() && options.advertise_url.starts_with("http://"))
    return fail(ErrorCode::invalid, "--advertise-url: this server speaks TLS, so the address begins with https://");
  return {};
}

// Where heads of the audit log go.
Result<void> read_places(const ServeArguments& arguments, ServeOptions& options) {
  bool has_url = false;
  for (const auto& text : arguments.audit_heads) {
    const auto place = net::parse_sink(text);
    if (!place) return fail(ErrorCode::invalid, "--audit-heads: " + place.error().message);
    const bool is_file = place->kind == net::SinkAddress::Kind::file;
    has_url = has_url || place->kind == net::SinkAddress::Kind::http;
    if (is_file && !text.starts_with('/'))
      if (const auto here = current_folder(); !here) return std::unexpected(here.error());
    options.audit_heads.push_back(is_file ? absolute(text) : text);
  }
  if (!has_url && !arguments.audit_heads_token.empty())
    return fail(ErrorCode::invalid, "--audit-heads-token-file is for a URL: give --audit-heads https://..., too");
  return {};
}

Result<void> read_times(const ServeArguments& arguments, ServeOptions& options) {
  const auto seal_every = parse_duration(arguments.seal_every);
  if (!seal_every || *seal_every < Duration{100})
    return fail(ErrorCode::invalid, "--audit-seal-every: write a time of 100ms or longer, for example 1m");
  options.seal_every = *seal_every;
  if (arguments.idle_exit.empty()) return {};
  const auto idle = parse_duration(arguments.idle_exit);
  if (!idle) return fail(ErrorCode::invalid, "--idle-exit: " + idle.error().message);
  options.idle_exit = *idle;
  return {};
}

void read_paths(const ServeArguments& arguments, ServeOptions& options) {
  options.config = absolute(arguments.config);
  options.port_file = absolute(arguments.port_file);
  options.tls_cert = absolute(arguments.tls_cert);
  options.tls_key = absolute(arguments.tls_key);
  options.tls_client_ca = absolute(arguments.tls_client_ca);
  options.tls_ca = absolute(arguments.tls_ca);
  options.audit_heads_ca = absolute(arguments.audit_heads_ca);
  options.audit_heads_token = absolute(arguments.audit_heads_token);
  options.history = absolute(arguments.history);
  options.socket = absolute(arguments.socket);
}

}  // namespace

Result<ServeOptions> serve_options(const ServeArguments& arguments, const EnvironmentReader& environment) {
  for (const auto* path : {&arguments.state, &arguments.config, &arguments.port_file, &arguments.tls_cert,
                           &arguments.tls_key, &arguments.tls_client_ca, &arguments.tls_ca, &arguments.audit_heads_ca,
                           &arguments.audit_heads_token, &arguments.history, &arguments.socket}) {
    if (path->empty() || path->starts_with('/')) continue;
    if (const auto here = current_folder(); !here) return std::unexpected(here.error());
  }
  ServeOptions options{.tls_self_signed = arguments.tls_self_signed,
                       .trusted_proxies = arguments.trusted_proxies,
                       .store = arguments.store,
                       .store_schema = arguments.store_schema,
                       .record_bytes = arguments.record_bytes,
                       .init = arguments.init,
                       .take_over = arguments.take_over,
                       .log_level = arguments.log_level,
                       .log_format = arguments.log_format};
  const auto state =
      arguments.state.empty() ? default_state_dir(environment) : Result<std::filesystem::path>(arguments.state);
  if (!state) return std::unexpected(state.error());
  options.state = absolute(state->string());
  read_paths(arguments, options);
  const auto listen = parse_listen(arguments.listen);
  if (!listen) return std::unexpected(listen.error());
  std::tie(options.listen_host, options.listen_port) = *listen;
  auto advertised = parse_advertised(arguments.advertise_url);
  if (!advertised) return std::unexpected(advertised.error());
  options.advertise_url = std::move(*advertised);
  if (const auto tls = check_tls(options); !tls) return std::unexpected(tls.error());
  if (const auto times = read_times(arguments, options); !times) return std::unexpected(times.error());
  if (const auto places = read_places(arguments, options); !places) return std::unexpected(places.error());
  return options;
}

namespace {

struct VersionOptions {};

int serve(Session& session, const ServeArguments& arguments) {
  const auto options = serve_options(arguments, session.environment);
  if (!options) return report(session, options.error());
  if (!session.program.serve)
    return report(session, Error{ErrorCode::invalid, "this program was built without the server"});
  return session.program.serve(*options);
}

int version(Session& session, const VersionOptions&) {
  if (session.is_table() || session.format == Format::name) session.out << "ym " << YM_VERSION << '\n';
  else session.print(boost::json::object{{"version", YM_VERSION}});
  return 0;
}

void add_tls(CLI::App& verb, ServeArguments& options) {
  verb.add_option("--tls-cert", options.tls_cert,
                  "Certificate of this server and its issuers, PEM; read again when it changes");
  verb.add_option("--tls-key", options.tls_key, "Private key of the certificate, PEM");
  verb.add_option(
      "--tls-client-ca", options.tls_client_ca,
      "Authorities that sign certificates of service accounts, PEM; clients may show one in place of a token");
  verb.add_option("--tls-ca", options.tls_ca,
                  "Authority of the certificate, if systems do not know it, PEM; jobs on this machine get it");
  verb.add_flag("--tls-self-signed", options.tls_self_signed,
                "Make a certificate for this machine; clients pin its fingerprint");
  verb.add_option("--trusted-proxies", options.trusted_proxies,
                  "Addresses or networks, 10.0.0.0/8, of proxies in front: plain HTTP is for them only, and their "
                  "X-Forwarded-For is believed")
      ->delimiter(',');
}

void add_heads(CLI::App& verb, ServeArguments& options) {
  verb.add_option("--audit-heads", options.audit_heads,
                  "Give the signed head of each seal to this place, which the server's users cannot write: a file, "
                  "syslog+tls://HOST:PORT, syslog://HOST:PORT (in clear) or https://...; may be given several times")
      ->allow_extra_args(false);
  verb.add_option("--audit-heads-ca", options.audit_heads_ca,
                  "Authorities of these places, PEM; default: the system's");
  verb.add_option("--audit-heads-token-file", options.audit_heads_token,
                  "File with a bearer token for these places, if they are URLs");
}

}  // namespace

void add_server(Verbs& verbs) {
  auto options = std::make_shared<ServeArguments>();
  auto* verb = verbs.add("serve", "Run the server; jobs go on after it ends");
  verb->add_option("--state", options->state, "Folder of all durable data; default: the default state folder");
  verb->add_option("--config", options->config, "Configuration file: clusters, flavors, queues");
  verb->add_option("--listen", options->listen, "HOST:PORT to listen at; port 0: any free port")->capture_default_str();
  verb->add_option("--socket", options->socket,
                   "Listen at this Unix socket, too; all users of this machine can reach it");
  verb->add_option("--advertise-url", options->advertise_url,
                   "Address of this server for Slurm nodes and pods: https://HOST:PORT");
  add_tls(*verb, *options);
  verb->add_option(
      "--store", options->store,
      "postgresql://USER@HOST:PORT/DATABASE, instead of a file below --state; put the password into PGPASSFILE");
  verb->add_option("--store-schema", options->store_schema, "Schema in that database")->capture_default_str();
  verb->add_option("--port-file", options->port_file, "Write the port into this file when ready");
  verb->add_option("--idle-exit", options->idle_exit, "Exit after this time without jobs and requests");
  verb->add_option("--record", options->record_bytes,
                   "Record decisions for ym replay and keep at most this size, 1GiB; in recordings/ below the state")
      ->transform(CLI::AsSizeValue(false));
  verb->add_option("--audit-seal-every", options->seal_every, "Seal the events of the audit log at least this often")
      ->capture_default_str();
  add_heads(*verb, *options);
  verb->add_option("--history", options->history,
                   "Folder for old events and jobs that leave the database (retention); default: history in the state");
  verb->add_flag("--init", options->init, "Start with an empty state if the earlier one is missing");
  verb->add_flag("--take-over", options->take_over,
                 "Serve a state that was copied or restored from a backup; no other server may serve it");
  verb->add_option("--log-level", options->log_level, "trace, debug, info, warn, error or off")
      ->check(one_of({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  verb->add_option("--log-format", options->log_format, "text, or json: one object a line")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  verbs.on(verb, options, serve);
  verbs.on(verbs.add("version", "Show the version"), std::make_shared<VersionOptions>(), version);
}

}  // namespace ym::cli
