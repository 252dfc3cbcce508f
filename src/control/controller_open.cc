// Controller: takes over a state and starts.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "control/access/token_import.h"
#include "control/attempts/launch.h"
#include "control/attempts/stops.h"
#include "control/controller.h"

namespace ym {
namespace {

// More ids than a server gives out between two backups. Ids have 40 bits, so a million per day are few.
constexpr std::uint64_t kIdsPassedOver = std::uint64_t{1} << 20;

}  // namespace

Result<void> Controller::load() {
  auto loaded = store_.load();
  if (!loaded) return std::unexpected(loaded.error());
  state_.tables = std::move(loaded->tables);
  state_.ledger = engine::State::load(state_.tables);
  state_.count_live_jobs();
  watch_.reset(state_.tables);
  state_.idempotency.clear();
  for (const auto& record : loaded->idempotency) state_.idempotency.put(record);
  old_tokens_ = std::move(loaded->tokens);
  return {};
}

Result<void> Controller::open(const DesiredState& desired) {
  set_access_mode(mode_of(desired.auth));
  if (auto loaded = load(); !loaded) return loaded;
  if (auto checked = check_configuration(state_.tables, desired); !checked) return checked;
  auto reader = store_.reader();
  if (!reader) return std::unexpected(reader.error());
  history_ = std::move(*reader);
  run_times_.load(*history_);
  for (const auto& [cluster, executor] : executors_) executor->know_lost(lost_by(store_));
  LostLaunches lost;
  if (store_.is_set_back()) {
    auto found = find_lost_launches(executors_);
    if (!found) return std::unexpected(found.error());
    lost = std::move(*found);
    const auto now = static_cast<std::uint64_t>(std::max<std::int64_t>(staging_.now().ms, 0));
    for (const auto& sentence : drop_invalid_tokens(lost, std::max(now, state_.tables.epoch)))
      spdlog::warn("{}", sentence);
  }
  begin_epoch(newest_epoch(lost));
  ym::stage_configuration(staging_, desired);
  import_tokens();
  if (store_.is_set_back()) adopt(lost);
  return commit();
}

// The old records are marked, so that they are not read a second time.
void Controller::import_tokens() {
  for (auto& event : import_of(state_.tables, old_tokens_))
    staging_.add("server", std::move(event), "an earlier version stored its token");
  for (TokenRecord& record : old_tokens_)
    if (std::exchange(record.role, kRevoked) != kRevoked) staging_.mark(std::move(record));
  old_tokens_.clear();
}

// The next number is not enough. After a restore, the lost server may have used that number for launches that still
// have traces. The current time is a number that no earlier server used, unless a clock was wrong; `newest_found`
// covers that case.
void Controller::begin_epoch(std::uint64_t newest_found) {
  const auto now = static_cast<std::uint64_t>(std::max<std::int64_t>(staging_.now().ms, 0));
  const std::uint64_t epoch = std::max({state_.tables.epoch + 1, newest_found + 1, now});
  const std::uint64_t passed_over = store_.is_set_back() ? kIdsPassedOver : 0;
  staging_.add("server", ServerStarted{epoch, options_.version, passed_over});
}

void Controller::adopt(const LostLaunches& lost) {
  auto report = stage_lost_launches(staging_, lost);
  over_ = std::move(report.over);
  spdlog::warn(
      "the state was set back: the server looks for launches since then, and new jobs get ids above all ids that "
      "may have been given out");
  for (const auto& sentence : report.sentences) spdlog::warn("{}", sentence);
}

Result<void> Controller::start_executors(const ObservationSink& sink) {
  for (const auto& [cluster, executor] : executors_) {
    const auto live = live_attempts(cluster);
    executor->begin_epoch(state_.tables.epoch);
    if (auto started = executor->start(sink, live); !started) return started;
    for (const auto& attempt : live) repeat_requests(*executor, attempt.request.token);
    for (const auto& ended : over_)
      if (ended.cluster == cluster) executor->release(ended.token);
    for (const auto& [name, flavor] : state_.tables.flavors)
      if (flavor.elastic && flavor.cluster == cluster) executor->provision(flavor);
  }
  return {};
}

std::vector<LiveAttempt> Controller::live_attempts(const std::string& cluster) const {
  std::vector<LiveAttempt> live;
  for (const auto& [key, attempt] : state_.tables.attempts) {
    if (attempt.cluster != cluster || attempt.state == AttemptState::ended) continue;
    auto launch = launch_effect(state_.tables, attempt, options_.contacts, staging_.now());
    live.push_back({std::move(launch.request), attempt.tasks, attempt.adopted});
  }
  return live;
}

// Repeats stops: the last server may have ended before a stop arrived.
void Controller::repeat_requests(Executor& executor, const Token& token) {
  if (options_.contacts.any()) renewals_.set(token.key(), staging_.now());
  const Attempt& attempt = state_.tables.attempts.at(token.key());
  const Job& job = state_.tables.jobs.at(token.job);
  if (!attempt.stop_cause && !job.cancel_requested) return;
  const auto cause = attempt.stop_cause.value_or(StopCause::cancel);
  executor.stop(token, stop_request(job, attempt, cause, staging_.now()));
}

}  // namespace ym
