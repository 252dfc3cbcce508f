// Queues with a quota that was made smaller: after a delay, jobs are stopped that use what the quota no longer covers.
// No job preempts them. Among all jobs of the tree that borrow, the least urgent go first, then jobs that lose least.
// While it is enough that elastic jobs become smaller, only jobs are stopped that go on at once.
#include <algorithm>
#include <map>
#include <tuple>

#include "engine/cycle/cycle.h"
#include "engine/cycle/stop/make_room.h"
#include "engine/preemption/preemptible_jobs.h"
#include "engine/preemption/smaller.h"
#include "engine/quota/over_quota.h"

namespace ym::engine {
namespace {

// By root: the queue with the cut that is carried out now.
using Shrunk = std::map<QueueIndex, QueueIndex>;

// The time of the newest cut of each tree.
std::map<QueueIndex, Instant> newest_cuts(const State::Impl& state) {
  std::map<QueueIndex, Instant> newest;
  for (const auto& [name, row] : state.queues)
    if (row.shrunk_at) {
      Instant& last = newest[state.quota.root(state.queue_names.find(name))];
      last = std::max(last, *row.shrunk_at);
    }
  return newest;
}

// For each tree, the cut with the delay that ended last. If a newer cut was made after that end, the older one was
// carried out then. A newer cut that was made during the delay postpones nothing.
Shrunk shrunk_trees(const Inputs& in, Output& out) {
  const State::Impl& state = in.state;
  const auto newest = newest_cuts(state);
  struct Due {
    Instant at;
    QueueIndex queue = kNone;
  };
  std::map<QueueIndex, Due> last;
  for (const auto& [name, row] : state.queues) {
    if (!row.shrunk_at || !row.shrink_after) continue;
    const QueueIndex queue = state.queue_names.find(name), root = state.quota.root(queue);
    const Instant due = after(*row.shrunk_at, *row.shrink_after);
    if (due > in.now) out.wake_at(due);
    else if (newest.at(root) == *row.shrunk_at || newest.at(root) < due)
      if (Due& cut = last[root]; cut.queue == kNone || due > cut.at) cut = {.at = due, .queue = queue};
  }
  Shrunk trees;
  for (const auto& [root, cut] : last) trees.emplace(root, cut.queue);
  return trees;
}

std::vector<Running> stoppable_jobs(const Inputs& in, const Shrunk& trees) {
  std::vector<Running> found;
  const Losses losses(in.state, in.policy.restart_cost, in.now);
  for (const auto& [job, live] : in.state.live) {
    if (!can_be_stopped(*in.state.jobs.find(job), live)) continue;
    if (trees.contains(in.state.quota.root(live.queue)) && is_overdrawn_by(in.state, live))
      found.push_back(running_of(in, losses, job));
  }
  std::ranges::sort(found, {}, [](const Running& one) {
    return std::tuple(one.priority, one.loss.gpu_ms, -one.admitted_at.ms, one.job);
  });
  return found;
}

// The jobs that may have to stop because the quota of a queue became smaller: those of its tree.
struct Overdrawn {
  QueueIndex queue = kNone;
  std::vector<Running*> jobs;  // in the order of stops
};

// What a cut takes from one tree.
class Cut {
 public:
  Cut(const Inputs& in, Tried& tried, Output& out, Duration longest_stop, Overdrawn overdrawn)
      : in_(in),
        tried_(tried),
        out_(out),
        longest_stop_(longest_stop),
        queue_(overdrawn.queue),
        jobs_(std::move(overdrawn.jobs)) {}

  void decide() {
    Candidates leaving = fewest_smaller();
    if (leaving.empty()) leaving = first_that_are_enough();
    const auto going = going_on(leaving);
    for (const Candidate& one : leaving) evict(*one.running, going);
    for (const Candidate& one : leaving) tried_.trial.depart(one.running->job);
    for (const GoingOn& one : going) tried_.trial.nominate({.place = grant_of(one)});
  }

 private:
  bool is_overdrawn_by(const Running& one) const {
    return engine::is_overdrawn_by(in_.state, *in_.state.live.find(one.job));
  }

  // The shortest prefix of the elastic jobs that is enough if they become smaller; empty: even all are not.
  Candidates fewest_smaller() {
    Candidates elastic;
    for (Running* one : jobs_)
      if (one->shrinks) elastic.push_back({.running = one});
    const auto first = [&](std::size_t count) {
      return Candidates(elastic.begin(), elastic.begin() + static_cast<std::ptrdiff_t>(count));
    };
    if (elastic.empty() || !is_enough_smaller(elastic)) return {};
    std::size_t few = 0, enough = elastic.size();
    while (enough - few > 1) {
      const std::size_t middle = few + (enough - few) / 2;
      (is_enough_smaller(first(middle)) ? enough : few) = middle;
    }
    return first(enough);
  }

  bool is_enough_smaller(const Candidates& elastic) {
    const auto mark = tried_.trial.mark();
    for (const Candidate& one : elastic) tried_.trial.depart(one.running->job);
    const bool all_go_on = jobs_that_go_on(in_, tried_, longest_stop_, elastic).size() == elastic.size();
    const bool enough =
        all_go_on && std::ranges::none_of(jobs_, [&](const Running* one) {
          return std::ranges::find(elastic, one, &Candidate::running) == elastic.end() && is_overdrawn_by(*one);
        });
    tried_.trial.roll_back(mark);
    return enough;
  }

  Candidates first_that_are_enough() {
    Candidates leaving;
    const auto mark = tried_.trial.mark();
    for (Running* one : jobs_) {
      if (!is_overdrawn_by(*one)) continue;
      leaving.push_back({.running = one});
      tried_.trial.depart(one->job);
    }
    tried_.trial.roll_back(mark);
    return leaving;
  }

  std::vector<GoingOn> going_on(const Candidates& leaving) {
    const auto mark = tried_.trial.mark();
    for (const Candidate& one : leaving) tried_.trial.depart(one.running->job);
    auto going = jobs_that_go_on(in_, tried_, longest_stop_, leaving);
    tried_.trial.roll_back(mark);
    return going;
  }

  void evict(const Running& one, const std::vector<GoingOn>& going) {
    Eviction eviction{.job = one.job,
                      .attempt = one.attempt,
                      .lost_gpu_ms = one.loss.gpu_ms,
                      .queue = in_.state.queue_names[queue_],
                      .cause = Eviction::Cause::shrink};
    const auto place = std::ranges::find(going, &one, &GoingOn::preempted);
    if (place != going.end()) {
      eviction.goes_on = placement_of(in_.state.inventory, place->choice.nodes.nodes, place->choice.devices);
      eviction.kept_for = one.row->grace + in_.policy.hold_margin;
      out_.wake_at(after(in_.now, eviction.kept_for));
    }
    out_.plan.decisions.emplace_back(std::move(eviction));
  }

  Grant grant_of(const GoingOn& one) const {
    return grant_to(in_.state.jobs.slot(one.preempted->job), one.preempted->place->flavors, one.choice);
  }

  const Inputs& in_;
  Tried& tried_;
  Output& out_;
  const Duration longest_stop_;
  const QueueIndex queue_;
  const std::vector<Running*> jobs_;
};

}  // namespace

void shrink(const Inputs& in, Tried& tried, Output& out) {
  if (!in.policy.quota_phase || !in.policy.preempt_phase) return;
  const Shrunk trees = shrunk_trees(in, out);
  if (trees.empty()) return;
  std::vector<Running> jobs = stoppable_jobs(in, trees);
  if (jobs.empty()) return;
  const Duration stop = longest_stop(in);
  for (const auto& [root, queue] : trees) {
    Overdrawn overdrawn{.queue = queue, .jobs = {}};
    for (Running& one : jobs)
      if (in.state.quota.root(one.place->queue) == root) overdrawn.jobs.push_back(&one);
    Cut(in, tried, out, stop, std::move(overdrawn)).decide();
  }
}

}  // namespace ym::engine
