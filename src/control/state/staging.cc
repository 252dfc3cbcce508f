#include "control/state/staging.h"

#include <algorithm>

#include "control/state/reasons.h"

namespace ym {
namespace {

void count_down(std::map<std::string, std::size_t>& counts, const std::string& name) {
  const auto it = counts.find(name);
  if (--it->second == 0) counts.erase(it);
}

}  // namespace

void ControlState::count_live_jobs() {
  live_jobs.clear();
  live_in_queue.clear();
  specs.clear();
  access.forget();
  for (const auto& [id, job] : tables.jobs) {
    if (is_terminal(job.state)) continue;
    ++live_jobs[job.owner];
    ++live_in_queue[job.queue];
    specs.add(job);
  }
}

Instant Staging::now() const { return std::max(clock_.now(), state_.tables.last_time); }

void Staging::add(std::string actor, EventPayload payload, std::string reason) {
  if (reason.empty()) reason = plain_reason(actor, payload);
  Event event{.seq = state_.tables.last_seq + 1,
              .time = now(),
              .actor = std::move(actor),
              .reason = std::move(reason),
              .payload = std::move(payload)};
  count(event.payload);
  apply(state_.tables, event, &touched_);
  state_.ledger.apply(event);
  events_.push_back(std::move(event));
}

void Staging::count(const EventPayload& payload) {
  if (changes_rules(payload)) state_.access.forget();
  if (const auto* submitted = std::get_if<JobSubmitted>(&payload)) {
    ++state_.live_jobs[submitted->job.owner];
    ++state_.live_in_queue[submitted->job.queue];
    state_.specs.add(submitted->job);
  }
  const auto* finished = std::get_if<JobFinished>(&payload);
  if (!finished) return;
  const Job& job = state_.tables.jobs.at(finished->job);
  state_.specs.remove(job);
  count_down(state_.live_jobs, job.owner);
  count_down(state_.live_in_queue, job.queue);
}

bool Staging::ends_a_use() const {
  return std::ranges::any_of(events_, [](const Event& event) {
    const auto& what = event.payload;
    return std::holds_alternative<JobFinished>(what) || std::holds_alternative<AttemptEnded>(what) ||
           std::holds_alternative<NodeSet>(what) || std::holds_alternative<QueueSet>(what);
  });
}

void Staging::remember(IdempotencyRecord record) {
  state_.idempotency.put(record);
  idempotency_.push_back(std::move(record));
}

Staging::Batch Staging::take() {
  Batch batch;
  for (const auto& event : events_)
    if (const auto* finished = std::get_if<JobFinished>(&event.payload)) batch.finished.push_back(finished->job);
  const auto usual = events_.size();
  batch.commit = make_commit(state_.tables, touched_, std::exchange(events_, {}));
  events_.reserve(usual);
  batch.commit.idempotency = std::exchange(idempotency_, {});
  batch.commit.tokens = std::exchange(tokens_, {});
  batch.effects = std::exchange(effects_, {});
  touched_ = {};
  return batch;
}

}  // namespace ym
