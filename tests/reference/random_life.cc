#include "reference/random_life.h"

#include <vector>

namespace ym::reference {
namespace {

std::vector<AttemptKey> live_attempts(const Tables& tables) {
  std::vector<AttemptKey> keys;
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.state != AttemptState::ended) keys.push_back(key);
  return keys;
}

void save(testing::World& world, Random& random, AttemptKey key) {
  const Instant at = world.now() - seconds(static_cast<std::int64_t>(random.below(300)));
  ProgressReport report;
  report.checkpoint = Checkpoint{.uri = "x", .step = 1, .durable_at = at, .attempt = key.number};
  world.apply(AttemptProgressed{.attempt = key, .report = report});
}

void leave(testing::World& world, JobId job) {
  if (world.tables().jobs.at(job).cancel_requested) world.end(job);
  else world.requeue(job, std::nullopt);
}

void happen(testing::World& world, Random& random, AttemptKey key) {
  const Attempt& attempt = world.tables().attempts.at(key);
  switch (attempt.state) {
    case AttemptState::unknown:
      if (random.below(2) == 0) world.apply(ContactRegained{key});
      return;
    case AttemptState::stopping:
      if (random.below(12) == 0) world.apply(ContactLost{key});
      else if (random.below(3) == 0) leave(world, key.job);
      return;
    case AttemptState::running:
      if (random.below(3) == 0) save(world, random, key);
      else if (random.below(15) == 0) world.cancel(key.job, world.now() + seconds(40));
      else if (random.below(15) == 0) world.apply(ContactLost{key});
      else if (random.below(10) == 0) world.end(key.job);
      else if (const auto& saved = world.tables().jobs.at(key.job).checkpoints; !saved.empty() && random.below(6) == 0)
        world.apply(CheckpointSkipped{.job = key.job, .checkpoint = Checkpoint(saved.front())});
      return;
    default:
      if (random.below(4) != 0) world.apply(AttemptStarted{key});
  }
}

}  // namespace

void live_on(testing::World& world, Random& random) {
  for (const AttemptKey& key : live_attempts(world.tables())) happen(world, random, key);
}

bool let_leave(testing::World& world) {
  bool any = false;
  for (const AttemptKey& key : live_attempts(world.tables())) {
    const AttemptState state = world.tables().attempts.at(key).state;
    if (state == AttemptState::stopping) leave(world, key.job);
    else if (state == AttemptState::intended) world.apply(AttemptStarted{key});
    else continue;
    any = true;
  }
  return any;
}

}  // namespace ym::reference
