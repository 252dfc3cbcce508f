#include "control/controller.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "control/attempts/decisions.h"
#include "control/attempts/launch.h"
#include "control/attempts/observations.h"
#include "control/attempts/stops.h"
#include "control/audit/request_audit.h"

namespace ym {
namespace {

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
      staging_(state_, clock),
      usage_(options_.usage_kept) {
  usage_.begin(clock.now());
}

CommandContext Controller::context(const Access& access, const JobView* ended) {
  return {.history = *history_,
          .ended = ended,
          .progress = progress_,
          .run_times = run_times_,
          .access = access,
          .limits = options_.users};
}

void Controller::stage(const Caller& caller, const Command& command, Reply reply, const JobView* ended) {
  stage_backlog();
  const Access access = staging_.access_of(caller);
  const auto last_before = state_.tables.last_seq;
  auto answer = stage_command(staging_, context(access, ended), caller, command);
  if (answer) audit_command(staging_, caller, command, *answer, last_before);
  replies_.push_back({std::move(reply), std::move(answer)});
}

void Controller::stage(Observation observation) {
  stage_backlog();
  stage_observation(staging_, {.progress = progress_, .contacts = options_.contacts, .restart_cost = restart_cost_},
                    observation);
  observations_.push_back(std::move(observation));
}

void Controller::stage_backlog() {
  for (auto& observation : backlog_.take()) stage(std::move(observation));
}

void Controller::stage(const engine::Plan& plan) {
  // Jobs that the plan admits have no usage in the period before.
  usage_.stage_due(staging_);
  stage_backlog();
  stage_plan(staging_, options_.contacts, plan);
}

void Controller::stage(LogSealed seal, std::uint64_t after) {
  if (!sealed_to_) {
    // After a start or a failed commit another seal may be stored that its maker has not seen.
    const auto later = history_->events({.after = after, .type = LogSealed::kType}, 1);
    if (!later || !later->empty()) return;
  } else if (seal.from != *sealed_to_ + 1) {
    return;
  }
  sealed_to_ = seal.to;
  staging_.add("server", std::move(seal));
}

void Controller::stage_progress() {
  stage_backlog();
  progress_.stage_all(staging_);
  if (options_.audit) stage_records(options_.audit->take_all());
}

Result<void> Controller::stage_configuration(const DesiredState& desired) {
  stage_backlog();
  if (auto checked = check_configuration(state_.tables, desired); !checked) return checked;
  const auto before = state_.tables.flavors;
  ym::stage_configuration(staging_, with_health_kept(state_.tables, desired));
  stage_provisions(staging_, before);
  return {};
}

Result<void> Controller::commit() {
  stage_backlog();
  if (staging_.ends_a_use()) stage_removals(staging_);
  auto batch = staging_.take();
  if (!batch.commit.empty()) {
    if (auto stored = store_.commit(batch.commit); !stored) {
      progress_.lost();
      if (options_.audit) options_.audit->lost();
      sealed_to_.reset();
      run_times_.lost();
      refuse_all(stored.error());
      return stored;
    }
  }
  progress_.stored();
  if (options_.audit) options_.audit->stored();
  observations_.clear();
  auto replies = std::exchange(replies_, {});
  run_times_.learn(state_.tables, batch.finished);
  for (const auto job : batch.finished) forget(state_.tables, job);
  for (const auto& event : batch.commit.events) watch_.follow(event);
  if (!batch.commit.events.empty()) {
    auto events = std::make_shared<const std::vector<Event>>(std::move(batch.commit.events));
    on_commit_(Committed{std::move(events), std::move(batch.finished)}, state_.tables);
  }
  for (auto& effect : batch.effects) run(std::move(effect));
  for (auto& waiting : replies) waiting.reply(std::move(waiting.answer));
  expire_idempotency();
  return {};
}

// A record that the store cannot delete only stays longer.
void Controller::expire_idempotency() {
  const auto now = staging_.now();
  if (now - last_expiry_ < kExpiryPause) return;
  last_expiry_ = now;
  const auto horizon = now - kIdempotencyKept;
  state_.idempotency.forget_before(horizon);
  if (const auto expired = store_.expire_idempotency(horizon); !expired) {
    spdlog::warn("old idempotency records were not deleted: {}", expired.error().message);
  }
}

Result<Pruned> Controller::prune(std::uint64_t to, std::size_t limit) {
  const auto& segments = state_.tables.history_segments;
  YM_ASSERT(!segments.empty() && to <= segments.rbegin()->second.to);
  return store_.prune(to, limit);
}

Result<void> Controller::read_back() {
  auto loaded = load();
  stale_ = !loaded;
  if (loaded || loaded.error().code == ErrorCode::unavailable || loaded.error().code == ErrorCode::conflict)
    return loaded;
  spdlog::critical("the state cannot be read back: {}", loaded.error().message);
  std::abort();  // memory and store may differ; a restart reads the state again
}

Result<void> Controller::probe() {
  if (stale_)
    if (auto read = read_back(); !read) return read;
  return store_.commit({});
}

void Controller::refuse_all(const Error& error) {
  auto replies = std::exchange(replies_, {});
  auto observations = std::exchange(observations_, {});
  const bool replaced = error.code == ErrorCode::conflict;
  if (!replaced) (void)read_back();
  for (auto& waiting : replies) {
    const bool refused_already = !waiting.answer && waiting.answer.error().code != ErrorCode::unavailable;
    if (refused_already) {
      waiting.reply(std::move(waiting.answer));
      continue;
    }
    waiting.reply(std::unexpected(not_stored(error)));
  }
  if (replaced) return;
  for (auto& observation : observations) backlog_.add(std::move(observation));
}

Executor* Controller::executor_of(const std::string& cluster) const {
  const auto it = executors_.find(cluster);
  if (it == executors_.end()) spdlog::warn("no executor for cluster '{}'", cluster);
  return it == executors_.end() ? nullptr : it->second;
}

void Controller::run(Effect effect) {
  if (auto* launch = std::get_if<LaunchEffect>(&effect)) {
    const auto key = launch->request.token.key();
    if (launch->request.contact) renewals_.set(key, staging_.now() + JobTokens::kRenewedEvery);
    if (auto* e = executor_of(launch->cluster)) e->launch(std::move(launch->request));
  } else if (const auto* barrier = std::get_if<OpenBarrierEffect>(&effect)) {
    if (auto* e = executor_of(barrier->cluster)) e->open_barrier(barrier->token, barrier->claims);
  } else if (auto* stop = std::get_if<StopEffect>(&effect)) {
    if (auto* e = executor_of(stop->cluster)) e->stop(stop->token, stop->request);
  } else if (auto* release = std::get_if<ReleaseEffect>(&effect)) {
    renewals_.erase(release->token.key());
    if (auto* e = executor_of(release->cluster)) e->release(release->token);
  } else if (const auto* provision = std::get_if<ProvisionEffect>(&effect)) {
    if (auto* e = executor_of(provision->flavor.cluster)) e->provision(provision->flavor);
  }
}

}  // namespace ym
