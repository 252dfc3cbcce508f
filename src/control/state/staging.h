// Staging: the events of one batch, applied to the tables but not yet committed.
//
// Later commands of a batch are validated against what earlier ones staged. Replies and effects wait until the batch is
// durable. If it cannot be made durable, the owner throws the whole batch away and reloads.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.h"
#include "control/access/access_cache.h"
#include "control/command.h"
#include "control/state/idempotency_book.h"
#include "control/state/spec_ledger.h"
#include "engine/engine.h"
#include "executor/executor.h"
#include "store/store.h"

namespace ym {

// Actions for after the commit. All of them are idempotent.
struct LaunchEffect {
  std::string cluster;
  LaunchRequest request;
};
struct StopEffect {
  std::string cluster;
  Token token;
  StopRequest request;
};
struct OpenBarrierEffect {
  std::string cluster;
  Token token;
  std::vector<TaskClaim> claims;
};
struct ReleaseEffect {
  std::string cluster;
  Token token;
};
struct ProvisionEffect {
  Flavor flavor;  // elastic, now or before
};
using Effect = std::variant<LaunchEffect, OpenBarrierEffect, StopEffect, ReleaseEffect, ProvisionEffect>;

// The state as control sees it: committed plus staged.
struct ControlState {
  Tables tables;
  engine::State ledger;  // the same state for the engine, for fits()
  IdempotencyBook idempotency;
  std::map<std::string, std::size_t> live_jobs;      // jobs that have not ended, by owner; never 0
  std::map<std::string, std::size_t> live_in_queue;  // of the same jobs, by queue
  SpecLedger specs;                                  // of the same jobs
  AccessCache access;                                // of the tables

  // Computes all but the first three from the tables.
  void count_live_jobs();
};

class Staging {
 public:
  // `state` and `clock` must outlive this.
  Staging(ControlState& state, const Clock& clock) : state_(state), clock_(clock) {}

  const Tables& tables() const { return state_.tables; }
  const ControlState& state() const { return state_; }
  Instant now() const;
  // What the caller may do now.
  Access access_of(const Caller& caller) { return state_.access.access_of(caller, state_.tables, now()); }
  AccessCache& access_cache() { return state_.access; }

  // Applies one event. Preconditions: those of ym::apply. Without a reason, it gets a plain one (reasons.h).
  void add(std::string actor, EventPayload payload, std::string reason = {});
  void remember(IdempotencyRecord record);
  // Replaces a token's record of an earlier version.
  void mark(TokenRecord record) { tokens_.push_back(std::move(record)); }
  void then(Effect effect) { effects_.push_back(std::move(effect)); }

  // Whether the batch has an event that a node or queue in removal may wait for.
  bool ends_a_use() const;

  bool empty() const { return events_.empty() && idempotency_.empty() && tokens_.empty(); }
  const std::vector<Event>& events() const { return events_; }

  // Returns the batch. The staging is empty afterwards.
  struct Batch {
    Commit commit;
    std::vector<Effect> effects;
    std::vector<JobId> finished;  // can be dropped from memory after the commit
  };
  Batch take();

 private:
  void count(const EventPayload& payload);

  ControlState& state_;
  const Clock& clock_;
  std::vector<Event> events_;
  Touched touched_;
  std::vector<IdempotencyRecord> idempotency_;
  std::vector<TokenRecord> tokens_;
  std::vector<Effect> effects_;
};

}  // namespace ym
