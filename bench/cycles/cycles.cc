// cycles: the cost of engine cycles in a large world. Prints one JSON object.
//
//     cycles NODES QUEUED ENDS        one cycle in a new world, then ENDS cycles,
//                                     each after one job has ended
//     cycles NODES QUEUED ENDS bare   the same without backfill reservations
//     cycles NODES QUEUED ENDS all    a backfill reservation for every job, and only machines are limited; no forecast
//     cycles NODES QUEUED ENDS alone  with backfill reservations, without forecast: for profiles
//
// `plans` is a sum over all decisions and reasons. It stays the same as long as the engine decides the same.
//
// `engine_mib` is the resident memory at the end beyond the tables of the world: the engine's state, its caches and
// working memory, the last plan, and what this program keeps (the running jobs).
//
// The floor is one read of all known data of each node, for each distinct request in the queue.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cycles/world.h"
#include "engine/engine.h"
#include "engine/forecast/forecast.h"
#include "engine/forecast/sooner.h"
#include "engine/state/impl.h"

namespace {

using Clock = std::chrono::steady_clock;
using namespace ym;

template <class Act>
double milliseconds(Act act) {
  const auto begin = Clock::now();
  act();
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

class Phases : public engine::PhaseObserver {
 public:
  void begin(std::string_view) override { began_ = Clock::now(); }
  void end(std::string_view phase) override {
    sums_[std::string(phase)] += std::chrono::duration<double, std::milli>(Clock::now() - began_).count();
  }
  std::string json(double cycles) const {
    std::string text;
    for (const auto& [phase, sum] : sums_)
      text += fmt::format("{}\"{}\": {:.3f}", text.empty() ? "" : ", ", phase, sum / cycles);
    return "{" + text + "}";
  }

 private:
  std::map<std::string, double> sums_;
  Clock::time_point began_;
};

// Applies plans as events, as the server does.
class Life {
 public:
  Life(const Tables& tables, const engine::Policy& policy)
      : state_(engine::State::load(tables)), policy_(policy), seq_(tables.last_seq) {
    for (const auto& [id, job] : tables.jobs) jobs_.emplace(id, &job);
    for (const auto& [key, attempt] : tables.attempts) running_.push_back(key.job);
  }

  engine::Plan decide(engine::PhaseObserver* observer) { return engine::decide(state_, policy_, now_, observer); }
  // Jobs that the previous plan admitted have started by now.
  void do_all(const engine::Plan& plan) {
    for (const JobId job : std::exchange(starting_, {})) apply(AttemptStarted{{job, 1}});
    for (const auto& decision : plan.decisions) {
      if (const auto* admission = std::get_if<engine::Admission>(&decision)) start(*admission);
      else if (const auto* deferral = std::get_if<engine::Deferral>(&decision))
        apply(JobDeferred{deferral->job, deferral->code});
    }
  }
  void end_one(Random& luck) {
    const auto at = luck.below(running_.size());
    const JobId job = running_[at];
    running_[at] = running_.back();
    running_.pop_back();
    std::erase(starting_, job);
    now_ = now_ + seconds(1);
    apply(AttemptEnded{.attempt = {job, 1}, .by = EndedBy::exit, .exit_code = 0, .signal = {}, .message = {}});
    apply(JobFinished{.job = job, .state = JobState::succeeded, .message = {}});
  }
  const engine::State& state() const { return state_; }
  const engine::Policy& policy() const { return policy_; }
  Instant now() const { return now_; }
  std::size_t admitted = 0;

 private:
  void apply(EventPayload payload) {
    state_.apply({.seq = ++seq_, .time = now_, .actor = {}, .reason = {}, .payload = std::move(payload)});
  }
  void start(const engine::Admission& admission) {
    Attempt attempt{.job = admission.job, .number = 1, .cluster = admission.cluster, .flavor = admission.flavor};
    attempt.queue = jobs_.at(admission.job)->queue;
    attempt.placement = admission.placement;
    attempt.admitted_at = now_;
    apply(AttemptAdmitted{std::move(attempt)});
    running_.push_back(admission.job);
    starting_.push_back(admission.job);
    ++admitted;
  }

  engine::State state_;
  engine::Policy policy_;
  std::uint64_t seq_;
  Instant now_ = Instant{0} + hours(1);
  std::map<JobId, const Job*> jobs_;
  std::vector<JobId> running_, starting_;
};

double read_all(const engine::State& state, std::size_t needs) {
  const auto& nodes = state.impl().inventory;
  std::int64_t sum = 0;
  const double took = milliseconds([&] {
    for (std::size_t i = 0; i < needs; ++i) {
      for (const auto n : nodes.healthy.indices())
        sum += static_cast<std::int64_t>(nodes.healthy[n] & ~nodes.used.devices[n]) + nodes.cpus[n] -
               nodes.used.cpus[n] + nodes.memory[n] - nodes.used.memory[n];
      asm volatile("" : "+r"(sum));
    }
  });
  return took;
}

std::size_t needs_queued(const Tables& tables) {
  std::set<std::tuple<std::int64_t, std::int32_t>> needs;
  for (const auto& [id, job] : tables.jobs)
    if (job.state == JobState::queued) needs.insert({job.spec->resources.gpus, job.spec->nodes});
  return needs.size();
}

std::string list(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{:.4f}", text.empty() ? "" : ", ", value);
  return "[" + text + "]";
}

// Only machines are limited, and every job gets a backfill reservation.
Tables all_reserved(Tables tables) {
  for (auto& [name, queue] : tables.queues) {
    queue.reservations = kAllReserve;
    queue.quota.reset();
  }
  return tables;
}

// The resident memory of this process, in MiB.
double resident() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t size = 0, pages = 0;
  statm >> size >> pages;
  return static_cast<double>(pages * sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// The forecast, which runs beside the cycles on copies. No cycle waits for it.
std::string looking_ahead(const Life& life, const engine::Plan& plan) {
  std::optional<engine::State> copy;
  const double copied = milliseconds([&] { copy.emplace(life.state()); });
  engine::Forecast forecast;
  const double foreseen = milliseconds([&] { forecast = engine::forecast(life.state(), life.policy(), life.now()); });
  const double asked = milliseconds([&] {
    engine::Sooner sooner(*copy, life.policy(), life.now());
    if (!plan.verdicts.empty()) sooner.changes_for(plan.verdicts.front().job);
  });
  return fmt::format("{{\"copy_ms\": {:.3f}, \"forecast_ms\": {:.1f}, \"starts\": {}, \"sooner_ms\": {:.1f}}}", copied,
                     foreseen, forecast.starts.size(), asked);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc == 5 ? argv[4] : "";
  const bool bare = how == "bare", all = how == "all", alone = how == "alone";
  if (argc != 4 && !bare && !all && !alone) {
    fmt::print(stderr, "usage: cycles NODES QUEUED ENDS [bare|all|alone]\n");
    return 2;
  }
  const bench::WorldSize size{.nodes = std::atoi(argv[1]), .queued = std::atoi(argv[2])};
  const Tables tables = all ? all_reserved(bench::world(size, 1)) : bench::world(size, 1);
  const double tables_mib = resident();
  Life life(tables, {.reserve_phase = !bare});
  const std::size_t needs = needs_queued(tables);
  engine::Plan plan;
  std::size_t plans = 0;
  const auto count = [&] { plans = std::hash<std::string>{}(fmt::format("{} {}", plans, engine::to_text(plan))); };
  Phases cold_phases, warm_phases;
  const double cold = milliseconds([&] { plan = life.decide(&cold_phases); });
  count();
  life.do_all(plan);
  Random luck(2);
  std::vector<double> warm;
  for (int i = 0; i < std::atoi(argv[3]); ++i) {
    warm.push_back(milliseconds([&] {
      life.end_one(luck);
      plan = life.decide(&warm_phases);
    }));
    count();
    life.do_all(plan);
  }
  const double engine_mib = resident() - tables_mib;
  fmt::print(
      "{{\"needs\": {}, \"floor_ms\": {:.3f}, \"cold_ms\": {:.3f}, \"cold_phases\": {}, \"warm_ms\": {}, "
      "\"warm_phases\": {}, \"admitted\": {}, \"reservations\": {}, "
      "\"engine_mib\": {:.1f}, \"plans\": \"{:016x}\", \"ahead\": {}}}\n",
      needs, read_all(life.state(), needs), cold, cold_phases.json(1), list(warm),
      warm_phases.json(std::max<double>(1, static_cast<double>(warm.size()))), life.admitted, plan.reservations.size(),
      engine_mib, plans, all || alone ? "null" : looking_ahead(life, plan));
  return 0;
}
