#include "serve.h"

#include <fmt/format.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include "api/server.h"
#include "configuration_file.h"
#include "control/boot_clock.h"
#include "control/server.h"
#include "executor/local/local_executor.h"
#include "logging.h"
#include "recording/recorder.h"
#include "start_files.h"
#include "store/sqlite/sqlite_store.h"
#include "wiring.h"

namespace ym {
namespace {

namespace fs = std::filesystem;

// Signals are taken by the main loop alone; threads made later inherit the mask.
sigset_t block_signals() {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return set;
}

// The whole server. Members are destroyed in reverse order: first nobody can ask, then
// nothing is decided, then nothing is launched, at last the store is closed.
struct Running {
  std::unique_ptr<Store> store;
  BootClock clock;
  Wiring wiring;
  std::unique_ptr<Recorder> recorder;  // null: nothing is recorded
  std::unique_ptr<ControlServer> control;
  std::unique_ptr<HttpServer> http;
};

Result<void> write_admin_token(ControlServer& control, const fs::path& dir) {
  const auto path = dir / "admin.token";
  if (control.has_tokens() && fs::exists(path)) return {};
  auto token = control.add_token(current_user(), "admin");
  if (!token) return std::unexpected(token.error());
  return write_file(path, token->reveal() + "\n", 0600);
}

// What holds less than it may seem to, said once.
void say_what_is_enforced(const Wiring& wiring) {
  for (const auto& [cluster, executor] : wiring.executors) {
    std::string parts;
    for (const auto& [what, how] : executor->enforcement())
      parts += fmt::format("{}{}: {}", parts.empty() ? "" : ", ", what, how);
    spdlog::info("cluster '{}' enforces {}", cluster, parts);
  }
}

std::string url_of(const std::string& host, std::uint16_t port) {
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}", v6 ? "[" + host + "]" : host, port);
}

// They run on this machine.
std::string url_for_jobs(const std::string& listen_host, std::uint16_t port) {
  const auto host = listen_host == "0.0.0.0" ? "127.0.0.1" : listen_host == "::" ? "::1" : listen_host;
  return url_of(host, port) + "/api";
}

Result<void> open_state(Running& running, const ServeOptions& options, const Configuration& configuration) {
  auto store = open_sqlite_store(options.state, {.initialise = options.init, .receipts = default_receipts_dir()});
  if (!store) return std::unexpected(store.error());
  running.store = std::move(*store);
  // One clock for all from here on, and none that is behind what is stored.
  running.clock.advance_to(running.store->last_time());
  auto wiring = make_wiring(configuration, options.state, running.clock);
  if (!wiring) return std::unexpected(wiring.error());
  running.wiring = std::move(*wiring);
  // Jobs that are started from here on are told the port.
  auto http = HttpServer::open({.address = options.listen_host, .port = options.listen_port});
  if (!http) return std::unexpected(http.error());
  running.http = std::move(*http);
  return {};
}

Result<void> open_recorder(Running& running, const ServeOptions& options) {
  if (options.record_bytes == 0) return {};
  auto recorder = Recorder::open(
      {.dir = fs::path(options.state) / "recordings", .most_bytes = options.record_bytes, .version = YM_VERSION});
  if (!recorder) return std::unexpected(recorder.error());
  running.recorder = std::move(*recorder);
  return {};
}

Result<void> start_control(Running& running, const ServeOptions& options, const Configuration& configuration) {
  const auto desired = desired_state(configuration, running.wiring);
  if (!desired) return std::unexpected(desired.error());
  const auto key = job_token_key(options.state);
  if (!key) return std::unexpected(key.error());
  ControlOptions control{.controller = {.run_as = current_user(), .version = YM_VERSION, .usage_kept = kUsageKept},
                         .settings = configuration.settings,
                         .base = {.waste_table = configuration.waste_table},
                         .api_url = url_for_jobs(options.listen_host, running.http->port()),
                         .job_token_key = *key,
                         .decision_log = running.recorder.get()};
  auto server =
      ControlServer::start(*running.store, running.wiring.ports(), running.clock, std::move(control), *desired);
  if (!server) return std::unexpected(server.error());
  running.control = std::move(*server);
  say_what_is_enforced(running.wiring);
  return write_admin_token(*running.control, options.state);
}

Result<void> open_door(Running& running, const ServeOptions& options) {
  running.http->serve(*running.control);
  const auto url = url_of(options.listen_host, running.http->port());
  if (!options.port_file.empty()) {
    if (auto written = write_file(options.port_file, fmt::format("{}\n", running.http->port()), 0644); !written) {
      return written;
    }
  }
  if (auto written = write_server_json(options.state, url); !written) return written;
  spdlog::info("Yardmaster {} serves {} (state in {}, token in {})", YM_VERSION, url, options.state,
               (fs::path(options.state) / "admin.token").string());
  return {};
}

void reload(Running& running, const ServeOptions& options) {
  const auto configuration = load_configuration(options.config);
  if (!configuration) return spdlog::error("the configuration was not reloaded: {}", configuration.error().message);
  auto desired = desired_state(*configuration, running.wiring);
  if (!desired) return spdlog::error("the configuration was not reloaded: {}", desired.error().message);
  running.control->reconfigure(std::move(*desired), configuration->settings,
                               {.waste_table = configuration->waste_table});
}

// For how long no job has lived and no client was there.
class IdleWatch {
 public:
  explicit IdleWatch(const Running& running) : running_(running), last_busy_(running.clock.now()) {}

  Duration look() {
    const auto now = running_.clock.now();
    const auto traffic = running_.http->traffic();
    const auto seq = running_.control->last_seq();
    const bool news = traffic.accepted != last_accepted_ || seq != last_seq_;
    if (news || traffic.open > 0 || running_.control->live_jobs() > 0) last_busy_ = now;
    last_accepted_ = traffic.accepted;
    last_seq_ = seq;
    return now - last_busy_;
  }

 private:
  const Running& running_;
  Instant last_busy_;
  std::uint64_t last_accepted_ = 0, last_seq_ = 0;
};

// Returns when the server is to stop.
void wait_for_end(Running& running, const ServeOptions& options, const sigset_t& signals) {
  IdleWatch idle(running);
  for (;;) {
    const timespec second{.tv_sec = 1};
    const int signal = ::sigtimedwait(&signals, nullptr, &second);
    if (signal == SIGHUP) reload(running, options);
    if (signal == SIGTERM || signal == SIGINT) return spdlog::info("stopping; jobs go on");
    const auto idle_for = idle.look();
    if (options.idle_exit && idle_for >= *options.idle_exit) return spdlog::info("idle; leaving");
  }
}

void warn_about_surroundings(const ServeOptions& options) {
  if (::geteuid() == 0) spdlog::warn("running as root: jobs run as root too");
  if (!is_loopback(options.listen_host))
    spdlog::warn("listening on {} without TLS: put a TLS proxy in front", options.listen_host);
  for (const auto& warning : surroundings_warnings()) spdlog::warn("{}", warning);
}

int report(const Error& error) {
  spdlog::error("{}", error.message);
  for (const auto& field : error.fields) spdlog::error("  {}: {}", field.pointer, field.message);
  return error.code == ErrorCode::invalid ? 2 : 1;
}

}  // namespace

int serve(const ServeOptions& options) {
  set_up_logging(options.log_level, options.log_format);
  const auto signals = block_signals();
  const auto configuration = load_configuration(options.config);
  if (!configuration) return report(configuration.error());
  warn_about_surroundings(options);
  Running running;
  if (auto opened = open_state(running, options, *configuration); !opened) return report(opened.error());
  if (auto opened = open_recorder(running, options); !opened) return report(opened.error());
  if (auto started = start_control(running, options, *configuration); !started) return report(started.error());
  if (auto opened = open_door(running, options); !opened) return report(opened.error());
  wait_for_end(running, options, signals);
  std::error_code ignored;
  fs::remove(fs::path(options.state) / "server.json", ignored);
  running.http->stop();
  return 0;
}

}  // namespace ym
