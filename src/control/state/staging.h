// Staging: the events of one batch, folded in at once, not yet committed.
//
// Later commands of a batch are validated against what earlier ones staged. Replies
// and effects wait until the batch is durable; if it cannot be made durable the owner
// throws the whole batch away and reloads.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.h"
#include "control/command.h"
#include "control/state/idempotency_book.h"
#include "control/state/spec_ledger.h"
#include "engine/engine.h"
#include "executor/executor.h"
#include "store/store.h"

namespace ym {

// What is done once the batch is durable. All of it is idempotent.
struct LaunchEffect {
  std::string cluster;
  LaunchRequest request;
};
struct StopEffect {
  std::string cluster;
  Token token;
  StopRequest request;
};
struct OpenGateEffect {
  std::string cluster;
  Token token;
  std::vector<TaskClaim> claims;
};
struct ReleaseEffect {
  std::string cluster;
  Token token;
};
struct ProvisionEffect {
  Flavor flavor;  // elastic, or was
};
using Effect = std::variant<LaunchEffect, OpenGateEffect, StopEffect, ReleaseEffect, ProvisionEffect>;

// The state as control sees it: committed plus staged.
struct World {
  Tables tables;
  engine::State ledger;  // the engine's view of the same, for fits()
  IdempotencyBook idempotency;
  std::map<std::string, std::size_t> live_jobs;      // that have not ended, by owner; never 0
  std::map<std::string, std::size_t> live_in_queue;  // of the same jobs, by queue
  SpecLedger specs;                                  // of the same jobs

  // Brings these three to what the tables say.
  void count_live_jobs();
};

class Staging {
 public:
  // `world` and `clock` must outlive this.
  Staging(World& world, const Clock& clock) : world_(world), clock_(clock) {}

  const Tables& tables() const { return world_.tables; }
  const World& world() const { return world_; }
  Instant now() const;

  // Folds one event in. Preconditions are those of ym::apply. Without a reason it gets a
  // plain one.
  void add(std::string actor, EventPayload payload, std::string reason = {});
  void remember(IdempotencyRecord record);
  void then(Effect effect) { effects_.push_back(std::move(effect)); }

  // Whether it holds something that a leaving node or queue may have waited for.
  bool ends_a_use() const;

  bool empty() const { return events_.empty() && idempotency_.empty(); }
  const std::vector<Event>& events() const { return events_; }

  // Hands the batch over and is empty afterwards.
  struct Batch {
    Commit commit;
    std::vector<Effect> effects;
    std::vector<JobId> finished;  // may be forgotten after the commit
  };
  Batch take();

 private:
  void count(const EventPayload& payload);

  World& world_;
  const Clock& clock_;
  std::vector<Event> events_;
  Touched touched_;
  std::vector<IdempotencyRecord> idempotency_;
  std::vector<Effect> effects_;
};

}  // namespace ym
