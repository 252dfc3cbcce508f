#include "serve.h"

#include <fmt/format.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>

#include "admin_access.h"
#include "audit_heads.h"
#include "control/site/quota_gaps.h"
#include "executor/local/local_executor.h"
#include "logging.h"
#include "open_state.h"
#include "server_certificate.h"
#include "spec/files/configuration_file.h"
#include "spec/text/mistakes.h"
#include "start_files.h"
#include "store/postgres/postgres_store.h"

namespace ym {
namespace {

namespace fs = std::filesystem;

// Only the main loop takes signals. Threads that start later inherit the mask.
sigset_t block_signals() {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return set;
}

// A cluster may enforce less than users expect, so the log says what it enforces.
void say_what_is_enforced(const Wiring& wiring) {
  for (const auto& [cluster, executor] : wiring.executors) {
    std::string parts;
    for (const auto& [what, how] : executor->enforcement())
      parts += fmt::format("{}{}: {}", parts.empty() ? "" : ", ", what, how);
    spdlog::info("cluster '{}' enforces {}", cluster, parts);
  }
}

Result<void> open_recorder(Running& running, const ServeOptions& options) {
  if (options.record_bytes == 0) return {};
  auto recorder = Recorder::open(
      {.dir = fs::path(options.state) / "recordings", .most_bytes = options.record_bytes, .version = YM_VERSION});
  if (!recorder) return std::unexpected(recorder.error());
  running.recorder = std::move(*recorder);
  return {};
}

bool wants_admin_token(const Configuration& configuration) {
  return !configuration.auth || configuration.auth->admin_token;
}

Result<void> start_control(Running& running, const ServeOptions& options, const Configuration& configuration) {
  const auto desired = desired_state(configuration, running.wiring);
  if (!desired) return std::unexpected(desired.error());
  ControlOptions control{
      .controller = {.version = YM_VERSION, .usage_kept = kUsageKept},
      .settings = configuration.settings,
      .api_url = url_for_jobs(running, options) + "/api",
      .advertised_url = url_remote(running, options) + "/api",
      .ca_file = authority_file(options),
      .job_token_key = running.job_token_key,
      .left_logs = left_logs(options.state),
      .admin_rotated = [dir = fs::path(options.state)](const auto& principal,
                                                       const auto& token) { keep_admin_token(dir, principal, token); },
      .seal_every = options.seal_every,
      // It answers requests only after the archiver was made.
      .archive = [&running] { return running.archiver->counts(); },
      .decision_log = running.recorder.get()};
  if (!options.audit_heads.empty()) {
    auto heads = AuditHeads::open(options);
    if (!heads) return std::unexpected(heads.error());
    control.sealed = [heads = std::move(*heads), &clock = running.clock](const SealHead& head) {
      heads->append(head, clock.now());
    };
  }
  auto server =
      ControlServer::start(*running.store, running.wiring.ports(), running.clock, std::move(control), *desired);
  if (!server) return std::unexpected(server.error());
  running.control = std::move(*server);
  say_what_is_enforced(running.wiring);
  return provide_admin_token(*running.control, options.state, wants_admin_token(configuration), options.store.empty());
}

// Without a retention it is there, too: a reload may bring one.
void start_archiver(Running& running, const ServeOptions& options, const std::optional<Retention>& retention) {
  auto& control = *running.control;
  const auto answer = [](const Result<CommandReply>& reply) {
    return reply ? Result<void>() : std::unexpected(reply.error());
  };
  running.archiver = std::make_unique<Archiver>(
      history_folder(options),
      Archiver::Ports{
          .reader = [&running] { return running.store->reader(); },
          .now = [&running] { return running.clock.now(); },
          .segments = [&control] { return control.history_segments(); },
          .add = [&control, answer](const auto& row) { return answer(control.execute_now(AddHistorySegment{row})); },
          .remove = [&control,
                     answer](const auto& row) { return answer(control.execute_now(RemoveHistorySegment{row.name})); },
          .prune = [&control](std::uint64_t to, std::size_t limit) { return control.prune(to, limit); },
          .erasures = [&control] { return control.erasures(); }});
  running.archiver->set(retention);
  running.archiver->start();
}

// From here on this server answers.
Result<void> begin_to_serve(Running& running, const ServeOptions& options, const Configuration& configuration) {
  set_logins(running, options, configuration);
  start_archiver(running, options, configuration.retention);
  running.door.set(backend_of(running.control));
  if (auto opened = open_door(running, options); !opened) return opened;
  const auto place = postgres_place({.conninfo = options.store, .schema = options.store_schema});
  spdlog::info("Yardmaster {} serves {} (state in {}, token in {})", YM_VERSION, url_listened(running, options),
               options.store.empty() ? options.state : place.value_or(options.store),
               (fs::path(options.state) / "admin.token").string());
  if (const auto certificate = running.http->certificate()) {
    spdlog::info("its certificate is {}, and expires at {}", certificate->fingerprint,
                 to_rfc3339(certificate->not_after));
    warn_of_names(running, options);
  }
  return {};
}

void warn_about(const Configuration& configuration) {
  for (const auto& warning : configuration.warnings) spdlog::warn("configuration: {}", warning);
  for (const auto& gap : quota_gaps(configuration.queues)) spdlog::warn("{}", gap);
}

void log_access_mode(const Configuration& configuration) {
  switch (mode_of(configuration.auth)) {
    case AccessMode::everything: return;
    case AccessMode::trial:
      return spdlog::warn(
          "auth.enforce is false: each token opens everything; `ym auth audit` shows what bindings "
          "would refuse");
    case AccessMode::by_bindings: return spdlog::info("bindings decide who may do what");
  }
}

void say_not_reloaded(const Error& error) {
  for (const auto& line : mistakes(error)) spdlog::error("the configuration was not reloaded: {}", line);
}

void reload(Running& running, const ServeOptions& options) {
  const auto configuration = reload_configuration(options.config);
  if (!configuration) return say_not_reloaded(configuration.error());
  auto desired = desired_state(*configuration, running.wiring);
  if (!desired) return say_not_reloaded(desired.error());
  warn_about(*configuration);
  log_access_mode(*configuration);
  running.control->reconfigure(std::move(*desired), configuration->settings, {},
                               [read = *configuration, &running, &options] {
                                 tell_nodes(read, running.wiring);
                                 set_logins(running, options, read);
                                 running.archiver->set(read.retention);
                               });
  if (const auto done = provide_admin_token(*running.control, options.state, wants_admin_token(*configuration),
                                            options.store.empty());
      !done)
    spdlog::error("admin.token: {}", done.error().message);
}

// Measures for how long there was no live job and no client.
class IdleWatch {
 public:
  explicit IdleWatch(const Running& running) : running_(running), last_busy_(running.clock.now()) {}

  Duration look() {
    const auto now = running_.clock.now();
    const auto traffic = running_.http->traffic();
    const auto seq = running_.control->reads().last_seq();
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

// Returns when the server must stop.
void wait_for_end(Running& running, const ServeOptions& options, const sigset_t& signals) {
  IdleWatch idle(running);
  CertificateWatch certificate;
  for (;;) {
    const timespec second{.tv_sec = 1};
    const int signal = ::sigtimedwait(&signals, nullptr, &second);
    if (signal == SIGHUP) reload(running, options);
    answer_recovery(*running.control, options.state);
    certificate.look(running, options);
    running.control->tend_tokens();
    running.desk->revalidate(running.clock.now(), [&running](const login::Subject& gone) {
      running.control->execute(Caller::server(), EndLogins{gone.issuer, gone.subject, running.clock.now()},
                               [](const auto&) {});
    });
    if ((signal == SIGTERM || signal == SIGINT) && running.archiver) running.archiver->request_stop();
    if (signal == SIGTERM || signal == SIGINT) return spdlog::info("stopping; jobs go on");
    const auto idle_for = idle.look();
    if (options.idle_exit && idle_for >= *options.idle_exit) return spdlog::info("idle; leaving");
  }
}

void warn_about_host(const ServeOptions& options, const Configuration& configuration) {
  const auto remote = std::ranges::find_if(configuration.clusters,
                                           [](const auto& c) { return is_remote_executor(c.cluster.executor); });
  if (remote != configuration.clusters.end() && options.advertise_url.empty() && is_loopback(options.listen_host))
    spdlog::warn("cluster '{}' runs jobs on other machines, which cannot reach {}: set --listen and --advertise-url",
                 remote->cluster.name, options.listen_host);
  if (::geteuid() == 0) spdlog::warn("running as root: jobs run as root too");
  for (const auto& warning : host_warnings()) spdlog::warn("{}", warning);
  warn_about(configuration);
}

// Serves until a signal or the idle time ends it.
Result<void> run(Running& running, const ServeOptions& options, Configuration& configuration, const sigset_t& signals) {
  if (auto opened = open_state(running, options, configuration, signals); !opened || !running.store) return opened;
  if (auto opened = open_recorder(running, options); !opened) return opened;
  if (auto started = start_control(running, options, configuration); !started) return started;
  log_access_mode(configuration);
  if (auto begun = begin_to_serve(running, options, configuration); !begun) return begun;
  wait_for_end(running, options, signals);
  return {};
}

void leave(Running& running, const ServeOptions& options, int code) {
  running.stop.request_stop();
  if (running.archiver) running.archiver->stop();
  if (!running.announced) return;
  std::error_code ignored;
  fs::remove(fs::path(options.state) / "server.json", ignored);
  running.http->stop();
  constexpr std::chrono::seconds kLogTimeout{2};
  if (!running.control || running.control->end_log_reading(kLogTimeout)) return;
  // A thread that waits for a disk cannot be ended, so the process exits without it. Everything else is closed as
  // usual.
  spdlog::warn("a log could not be read to its end, because its disk or network does not answer; leaving without it");
  running.control->stop();
  running.store.reset();
  spdlog::shutdown();
  std::_Exit(code);
}

int report(const Error& error) {
  for (const auto& line : mistakes(error)) spdlog::error("{}", line);
  return error.code == ErrorCode::invalid ? 2 : 1;
}

}  // namespace

int serve(const ServeOptions& options) {
  set_up_logging(options.log_level, options.log_format);
  const auto signals = block_signals();
  auto configuration = load_configuration(options.config);
  if (!configuration) return report(configuration.error());
  warn_about_host(options, *configuration);
  Running running;
  const auto done = run(running, options, *configuration, signals);
  const int code = done ? 0 : report(done.error());
  leave(running, options, code);
  return code;
}

}  // namespace ym
