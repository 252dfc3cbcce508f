#include "look_at_copy.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <functional>

#include "control/serve/standby_server.h"
#include "server_certificate.h"
#include "start_files.h"
#include "store/sqlite/sqlite_store.h"

namespace ym {
namespace {

namespace fs = std::filesystem;

std::string said_of(const std::string& original, const std::string& how_to_go_on) {
  return fmt::format(
      "this is a copy of {}, and this server only shows it: it changes and starts nothing, and shows no logs. To go on "
      "with the copy, first make sure that no server runs on the original; then start `{} --take-over`",
      original, how_to_go_on);
}

// Does not create a key file.
Secret job_token_key_for_reads(const std::string& state) {
  if (!fs::exists(fs::path(state) / "job-token.key")) return make_job_token_key();
  return job_token_key(state).value_or(make_job_token_key());
}

StandbyServer::Source source_of(const std::string& state) {
  return {.load = [state] { return read_sqlite_state(state); },
          .reader = [state] { return open_sqlite_history(state); },
          .job_token_key = [state]() -> Result<Secret> { return job_token_key_for_reads(state); }};
}

StandbyServer::Source source_of(const PostgresOptions& place, const std::string& state) {
  return {.load = [place] { return read_postgres_state(place); },
          .reader = [place] { return open_postgres_history(place); },
          .job_token_key = [state]() -> Result<Secret> { return job_token_key_for_reads(state); }};
}

// Returns when the server must stop. Calls `follow` each second.
void wait_for_end(Running& running, const ServeOptions& options, const sigset_t& signals,
                  const std::function<void()>& follow) {
  using Steady = std::chrono::steady_clock;
  auto busy_at = Steady::now();
  CertificateWatch certificate;
  for (std::uint64_t accepted = 0;;) {
    const timespec second{.tv_sec = 1};
    const int signal = ::sigtimedwait(&signals, nullptr, &second);
    if (signal == SIGTERM || signal == SIGINT) return;
    if (signal == SIGHUP) spdlog::info("nothing is reloaded: this server only shows a copy");
    follow();
    certificate.look(running, options);
    const auto traffic = running.http->traffic();
    if (traffic.open > 0 || std::exchange(accepted, traffic.accepted) != traffic.accepted) busy_at = Steady::now();
    const auto idle_ms = std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - busy_at).count();
    if (options.idle_exit && idle_ms >= options.idle_exit->ms) return spdlog::info("idle; leaving");
  }
}

// `follows`: another server may take over the copy, so read it again and again.
Result<void> look(Running& running, StandbyServer::Source source, const std::string& message, bool follows,
                  const ServeOptions& options, const StandbyServer::Settings& settings, const sigset_t& signals) {
  const auto load = source.load;
  source.load = [load, &clock = running.clock] {
    auto state = load();
    if (state) clock.advance_to(state->tables.last_time);
    return state;
  };
  const auto standing = [message] {
    return StandbyServer::Standing{.message = message, .code = ErrorCode::conflict, .retryable = false};
  };
  const auto service = std::make_shared<StandbyServer>(std::move(source), standing, settings, running.clock);
  if (auto read = service->follow(); !read) return read;
  running.door.set(backend_of(service));
  if (auto opened = open_door(running, options); !opened) {
    if (::access(options.state.c_str(), W_OK) == 0) return opened;
    spdlog::warn("{}; commands find this server with `--url {}`", opened.error().message, url_here(running, options));
  }
  spdlog::warn("{}", message);
  spdlog::info("Yardmaster {} answers at {}", YM_VERSION, url_listened(running, options));
  wait_for_end(running, options, signals, [&] {
    if (follows) (void)service->follow();
  });
  return {};
}

}  // namespace

Result<void> look_at_copy(Running& running, const std::string& original, const ServeOptions& options,
                          const StandbyServer::Settings& settings, const sigset_t& signals) {
  auto held = hold_copy(options.state);
  if (!held) return std::unexpected(held.error());
  running.state_dir = std::move(*held);
  if (auto taken = take_port(running, options); !taken) return taken;
  const auto message = said_of(original, fmt::format("ym serve --state {}", options.state));
  return look(running, source_of(options.state), message, false, options, settings, signals);
}

Result<void> look_at_copied_database(Running& running, const std::string& original, const PostgresOptions& place,
                                     const ServeOptions& options, const StandbyServer::Settings& settings,
                                     const sigset_t& signals) {
  const auto message = said_of("the state of " + original, "ym serve --store " + options.store);
  return look(running, source_of(place, options.state), message, true, options, settings, signals);
}

}  // namespace ym
