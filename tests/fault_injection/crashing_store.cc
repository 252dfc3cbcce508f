#include "fault_injection/crashing_store.h"

#include <utility>

#include "base/assert.h"

namespace ym::sim {
namespace {

// Changes the exit code (Canary::event_is_changed).
Commit with_another_exit(Commit commit) {
  for (Event& event : commit.events)
    if (auto* ended = std::get_if<TaskEnded>(&event.payload)) ended->exit.exit_code = 77;
  return commit;
}

}  // namespace

bool CrashingStore::due(const Commit& commit) {
  if (!armed_ || !contains(commit, armed_->step)) return false;
  return --armed_->nth <= 0;
}

void CrashingStore::die() {
  const DieAtStep when = *std::exchange(armed_, std::nullopt);
  effect_kills_ = false;
  die_(when);
  YM_ASSERT(false);
  std::unreachable();
}

void CrashingStore::after_effect() {
  if (effect_kills_) die();
}

Result<LoadedState> CrashingStore::load() {
  auto loaded = store_->load();
  if (!loaded || canary_ != Canary::end_is_forgotten) return loaded;
  auto reader = store_->reader();
  if (!reader) return std::unexpected(reader.error());
  auto ended = (*reader)->jobs({.states = {JobState::succeeded}}, 1);
  if (!ended || ended->empty()) return loaded;
  Job job = ended->front();
  job.state = JobState::queued;
  job.pending = ReasonCode::pending_evaluation;
  job.ended_at.reset();
  loaded->tables.jobs.emplace(job.id, job);
  return loaded;
}

Result<void> CrashingStore::commit(const Commit& commit) {
  const bool dies = due(commit);
  if (dies && armed_->moment == Moment::before) die();
  auto done = store_->commit(canary_ == Canary::event_is_changed ? with_another_exit(commit) : commit);
  if (done) commits_ += 1;
  if (!dies) return done;
  if (!done) armed_->nth = 1;
  else if (armed_->moment == Moment::after) die();
  else effect_kills_ = true;
  return done;
}

}  // namespace ym::sim
