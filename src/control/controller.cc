#include "control/controller.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "control/observations.h"

namespace ym {
namespace {

constexpr std::string_view kScheduler = "scheduler";
constexpr Duration kExpiryPause = hours(1);

}  // namespace

Error not_stored(const Error& error) {
  return {.code = ErrorCode::unavailable,
          .message = "the state could not be stored (" + error.message + "); nothing was changed, try again",
          .retryable = true};
}

Controller::Controller(Store& store, Executors executors, const Clock& clock, ControllerOptions options,
                       std::function<void(const Committed&, const Tables&)> on_commit)
    : store_(store),
      executors_(std::move(executors)),
      options_(std::move(options)),
      on_commit_(std::move(on_commit)),
      staging_(world_, clock) {}

Result<void> Controller::load() {
  auto loaded = store_.load();
  if (!loaded) return std::unexpected(loaded.error());
  world_.tables = std::move(loaded->tables);
  world_.ledger = engine::State::load(world_.tables);
  world_.count_live_jobs();
  world_.idempotency.clear();
  for (auto& record : loaded->idempotency) world_.idempotency[{record.principal, record.key}] = std::move(record);
  tokens_ = std::move(loaded->tokens);
  return {};
}

Result<void> Controller::open(const DesiredState& desired) {
  if (auto loaded = load(); !loaded) return loaded;
  if (auto checked = check_clusters(world_.tables, desired); !checked) return checked;
  auto reader = store_.reader();
  if (!reader) return std::unexpected(reader.error());
  history_ = std::move(*reader);
  // Not only greater: where a backup is put back, the next number may have been used for
  // launches whose traces are still there. The time never was.
  const auto now = static_cast<std::uint64_t>(std::max<std::int64_t>(staging_.now().ms, 0));
  staging_.add("server", ServerStarted{std::max(world_.tables.epoch + 1, now), options_.version});
  ym::stage_configuration(staging_, desired);
  return commit();
}

Result<void> Controller::start_executors(const ObservationSink& sink) {
  for (const auto& [cluster, executor] : executors_) {
    std::vector<Token> live;
    for (const auto& [key, attempt] : world_.tables.attempts)
      if (attempt.cluster == cluster && attempt.state != AttemptState::ended) live.push_back(attempt.token());
    if (auto started = executor->start(sink, live); !started) return started;
    // A stop that was on its way when the last server went may not have arrived.
    for (const auto& token : live) {
      const Attempt& attempt = world_.tables.attempts.at(token.key());
      const Job& job = world_.tables.jobs.at(token.job);
      if (!attempt.stop_cause && !job.cancel_requested) continue;
      const auto cause = attempt.stop_cause.value_or(StopCause::cancel);
      executor->stop(token, {cause, job.spec->stop.signal, job.spec->stop.grace});
    }
  }
  return {};
}

CommandContext Controller::context() const {
  return {.run_as = options_.run_as,
          .history = *history_,
          .live_jobs_per_owner = options_.live_jobs_per_owner,
          .spec_bytes_per_owner = options_.spec_bytes_per_owner};
}

void Controller::stage(const Caller& caller, const Command& command, Reply reply) {
  auto answer = stage_command(staging_, context(), caller, command);
  replies_.push_back({std::move(reply), std::move(answer)});
}

void Controller::stage(Observation observation) {
  stage_observation(staging_, observation);
  observations_.push_back(std::move(observation));
}

void Controller::stage(const engine::Plan& plan) {
  for (const auto& decision : plan.decisions) {
    // The world may have moved on since the engine looked; what no longer holds is
    // dropped, and the next plan decides anew.
    if (engine::fits(world_.ledger, decision)) continue;
    if (const auto* admission = std::get_if<engine::Admission>(&decision)) {
      admit(*admission);
    } else {
      const auto& deferral = std::get<engine::Deferral>(decision);
      staging_.add(std::string(kScheduler), JobDeferred{deferral.job, deferral.reason.code},
                   engine::describe(deferral.reason));
    }
  }
}

void Controller::admit(const engine::Admission& admission) {
  const Job& job = world_.tables.jobs.at(admission.job);
  Attempt attempt{.job = job.id,
                  .number = job.attempts + 1,
                  .epoch = world_.tables.epoch,
                  .cluster = admission.cluster,
                  .queue = job.queue,
                  .flavor = admission.flavor,
                  .placement = admission.placement,
                  .tasks = std::vector<TaskStatus>(admission.placement.size()),
                  .admitted_at = staging_.now()};
  const AttemptKey key = attempt.key();
  staging_.add(std::string(kScheduler), AttemptAdmitted{std::move(attempt)});
  staging_.then(launch_effect(world_.tables, world_.tables.attempts.at(key)));
}

Result<void> Controller::stage_configuration(const DesiredState& desired) {
  if (auto checked = check_clusters(world_.tables, desired); !checked) return checked;
  ym::stage_configuration(staging_, desired);
  return {};
}

Result<void> Controller::commit() {
  stage_removals(staging_);
  auto batch = staging_.take();
  if (!batch.commit.empty()) {
    if (auto stored = store_.commit(batch.commit); !stored) {
      refuse_all(stored.error());
      return stored;
    }
  }
  observations_.clear();
  auto replies = std::exchange(replies_, {});
  for (const auto job : batch.finished) forget(world_.tables, job);
  if (!batch.commit.events.empty()) {
    auto events = std::make_shared<const std::vector<Event>>(std::move(batch.commit.events));
    on_commit_(Committed{std::move(events), std::move(batch.finished)}, world_.tables);
  }
  for (auto& effect : batch.effects) run(std::move(effect));
  for (auto& waiting : replies) waiting.reply(std::move(waiting.answer));
  expire_idempotency();
  return {};
}

// A record that the store could not delete is only there for longer.
void Controller::expire_idempotency() {
  const auto now = staging_.now();
  if (now - last_expiry_ < kExpiryPause) return;
  last_expiry_ = now;
  const auto horizon = now - kIdempotencyKept;
  std::erase_if(world_.idempotency, [&](const auto& entry) { return entry.second.at < horizon; });
  if (const auto expired = store_.expire_idempotency(horizon); !expired) {
    spdlog::warn("old idempotency records were not deleted: {}", expired.error().message);
  }
}

void Controller::refuse_all(const Error& error) {
  auto replies = std::exchange(replies_, {});
  auto observations = std::exchange(observations_, {});
  const bool replaced = error.code == ErrorCode::conflict;
  if (auto loaded = replaced ? Result<void>() : load(); !loaded) {
    spdlog::critical("the state cannot be read back: {}", loaded.error().message);
    std::abort();  // what is true is unknown; a restart checks it
  }
  for (auto& waiting : replies) {
    const bool refused_already = !waiting.answer && waiting.answer.error().code != ErrorCode::unavailable;
    if (refused_already) {
      waiting.reply(std::move(waiting.answer));
      continue;
    }
    waiting.reply(std::unexpected(not_stored(error)));
  }
  if (replaced) return;
  for (auto& observation : observations) stage(std::move(observation));
}

Result<void> Controller::add_token(TokenRecord token) {
  Commit commit;
  commit.tokens.push_back(token);
  if (auto stored = store_.commit(commit); !stored) return stored;
  tokens_.push_back(std::move(token));
  return {};
}

void Controller::run(Effect effect) {
  const auto executor = [&](const std::string& cluster) -> Executor* {
    const auto it = executors_.find(cluster);
    if (it == executors_.end()) spdlog::warn("no executor for cluster '{}'", cluster);
    return it == executors_.end() ? nullptr : it->second;
  };
  if (auto* launch = std::get_if<LaunchEffect>(&effect)) {
    if (auto* e = executor(launch->cluster)) e->launch(std::move(launch->request));
  } else if (auto* stop = std::get_if<StopEffect>(&effect)) {
    if (auto* e = executor(stop->cluster)) e->stop(stop->token, stop->request);
  } else if (auto* release = std::get_if<ReleaseEffect>(&effect)) {
    if (auto* e = executor(release->cluster)) e->release(release->token);
  }
}

}  // namespace ym
