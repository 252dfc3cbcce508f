#include "stand_by.h"

#include <spdlog/spdlog.h>

#include <condition_variable>
#include <ctime>
#include <functional>
#include <future>
#include <thread>

#include "control/serve/standby_server.h"
#include "server_certificate.h"
#include "spec/files/configuration_file.h"
#include "start_files.h"
#include "store/postgres/standby.h"

namespace ym {
namespace {

constexpr std::chrono::milliseconds kFollowEvery{500};
constexpr long kLookEveryNs = 100'000'000;

StandbyServer::Source source_of(Running& running, const PostgresOptions& place, const ServeOptions& options) {
  return {.load = [&running, place]() -> Result<LoadedState> {
            auto state = read_postgres_state(place);
            if (state) running.clock.advance_to(state->tables.last_time);
            return state;
          },
          .reader = [place] { return open_postgres_history(place); },
          .job_token_key = [place, state = options.state]() -> Result<Secret> {
            const auto own = job_token_key(state);
            return own ? shared_secret(place, kJobTokenKey, *own) : own;
          }};
}

// `first`: used until the standby has looked.
StandbyServer::Standing standing_of(const Standby& standby, const Result<PostgresLeader>& first) {
  const auto seen = standby.seen();
  const PostgresLeader leader = seen.leader.value_or(first.value_or(PostgresLeader{}));
  const bool leads = seen.problem.empty() && leader.left.count() > 0;
  return leads ? StandbyServer::behind(leader.holder, leader.url) : StandbyServer::behind({}, {});
}

// Logs a problem once, and its end once.
class StandbyProblem {
 public:
  void note(const Result<void>& followed) {
    if (!followed && std::exchange(said_, followed.error().message) != followed.error().message)
      spdlog::warn("the state cannot be read: {}", followed.error().message);
    if (followed && !std::exchange(said_, {}).empty()) spdlog::info("the state can be read again");
  }

 private:
  std::string said_;
};

void follow(StandbyServer& service, const std::stop_token& stop) {
  StandbyProblem problem;
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any wake;
  while (!stop.stop_requested()) {
    problem.note(service.follow());
    wake.wait_for(lock, stop, kFollowEvery, [] { return false; });
  }
}

void read_again(const ServeOptions& options, Configuration& configuration, StandbyServer& service) {
  auto read = reload_configuration(options.config);
  if (!read) return spdlog::error("the configuration was not reloaded: {}", read.error().message);
  configuration = std::move(*read);
  for (const auto& warning : configuration.warnings) spdlog::warn("configuration: {}", warning);
  service.set_access_mode(mode_of(configuration.auth));
  spdlog::info("the configuration was reloaded; all but `auth` takes effect when this server leads");
}

using Lead = std::future<Result<std::unique_ptr<Store>>>;

// `reload` is called for SIGHUP.
void wait_for(Lead& lead, Running& running, const ServeOptions& options, const sigset_t& signals,
              const std::function<void()>& reload) {
  CertificateWatch certificate;
  while (lead.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    const timespec pause{.tv_nsec = kLookEveryNs};
    const int signal = ::sigtimedwait(&signals, nullptr, &pause);
    if (signal == SIGHUP) reload();
    certificate.look(running, options);
    if (signal == SIGTERM || signal == SIGINT) running.stop.request_stop();
  }
}

}  // namespace

StandbyServer::Settings standby_settings(const Configuration& configuration) {
  return {.policy = configuration.settings, .access = mode_of(configuration.auth)};
}

Result<std::unique_ptr<Store>> stand_by(Running& running, const PostgresOptions& place, const ServeOptions& options,
                                        Configuration& configuration, const sigset_t& signals) {
  const auto standby = std::make_shared<Standby>(Standby::Options{.place = place});
  const auto service = std::make_shared<StandbyServer>(
      source_of(running, place, options),
      [standby, first = postgres_leader(place)] { return standing_of(*standby, first); },
      standby_settings(configuration), running.clock);
  // Reads the present state before the first request arrives.
  const auto followed = service->follow();
  running.door.set(backend_of(service));
  if (auto opened = open_door(running, options); !opened) return std::unexpected(opened.error());
  spdlog::info("Yardmaster {} answers at {}; {}", YM_VERSION, url_listened(running, options),
               service->reads().not_ready().value_or(""));
  if (!followed) spdlog::warn("the state cannot be read: {}", followed.error().message);
  const std::jthread follower([&](const std::stop_token& stop) { follow(*service, stop); });
  Lead lead = std::async(std::launch::async, [&] { return standby->wait_to_lead(place.stop); });
  wait_for(lead, running, options, signals, [&] { read_again(options, configuration, *service); });
  return lead.get();
}

}  // namespace ym
