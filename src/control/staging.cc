#include "control/staging.h"

#include <algorithm>

namespace ym {

Instant Staging::now() const { return std::max(clock_.now(), world_.tables.last_time); }

void Staging::add(std::string actor, EventPayload payload, std::string reason) {
  Event event{.seq = world_.tables.last_seq + 1,
              .time = now(),
              .actor = std::move(actor),
              .reason = std::move(reason),
              .payload = std::move(payload)};
  apply(world_.tables, event, &touched_);
  world_.ledger.apply(event);
  events_.push_back(std::move(event));
}

void Staging::remember(IdempotencyRecord record) {
  world_.idempotency[{record.principal, record.key}] = record;
  idempotency_.push_back(std::move(record));
}

Staging::Batch Staging::take() {
  Batch batch;
  for (const auto& event : events_)
    if (const auto* finished = std::get_if<JobFinished>(&event.payload)) batch.finished.push_back(finished->job);
  batch.commit = make_commit(world_.tables, touched_, std::exchange(events_, {}));
  batch.commit.idempotency = std::exchange(idempotency_, {});
  batch.effects = std::exchange(effects_, {});
  touched_ = {};
  return batch;
}

}  // namespace ym
