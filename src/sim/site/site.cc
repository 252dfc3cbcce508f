#include "sim/site/site.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "control/submit.h"
#include "sim/site/lean_store.h"

namespace ym::sim {
namespace {

ControlLoop::Time steady(Instant at) { return ControlLoop::Time(std::chrono::milliseconds(at.ms)); }

// Rounded up: nothing is asked for before its time.
Instant instant(ControlLoop::Time at) {
  return {std::chrono::ceil<std::chrono::milliseconds>(at.time_since_epoch()).count()};
}

std::map<std::string, VirtualExecutor> executors_for(const DesiredState& desired, const VirtualClock& clock) {
  std::map<std::string, std::vector<Node>> nodes;
  for (const auto& cluster : desired.clusters) nodes[cluster.name];
  for (const auto& node : desired.nodes) nodes[node.cluster].push_back(node);
  std::map<std::string, VirtualExecutor> executors;
  for (auto& [cluster, its] : nodes) executors.try_emplace(cluster, std::move(its), clock);
  return executors;
}

}  // namespace

Site::Site(SiteOptions options, OnCommit on_commit)
    : clock_(options.begin),
      store_(make_lean_store()),
      executors_(executors_for(options.desired, clock_)),
      loop_(*store_, ports(), clock_,
            {.controller = {.run_as = "simulated",
                            .version = "simulated",
                            .live_jobs_per_owner = kMaxLiveJobs,
                            .spec_bytes_per_owner = SIZE_MAX},
             .settings = options.settings,
             .base = std::move(options.base)},
            {.steady_now = [this] { return steady(clock_.now()); },
             .committed = std::move(on_commit),
             .reconfigured = [](const PolicySettings&) {}}) {}

Controller::Executors Site::ports() {
  Controller::Executors ports;
  for (auto& [cluster, executor] : executors_) ports[cluster] = &executor;
  return ports;
}

Result<std::unique_ptr<Site>> Site::open(SiteOptions options, OnCommit on_commit) {
  const DesiredState desired = options.desired;
  std::unique_ptr<Site> site(new Site(std::move(options), std::move(on_commit)));
  if (auto opened = site->loop_.open(desired); !opened) return std::unexpected(opened.error());
  site->engine_ = std::make_unique<StepEngine>(engine::State::load(site->tables()), site->loop_.policy_now());
  site->loop_.connect(*site->engine_);
  // What is seen is taken from the executors, never given by them.
  if (auto started = site->loop_.start_executors([](const Observation&) {}); !started)
    return std::unexpected(started.error());
  return site;
}

void Site::execute(Caller caller, Command command, Reply reply) {
  inbox_.emplace_back(CommandItem{std::move(caller), std::move(command), std::move(reply)});
}

void Site::look() {
  for (auto& [cluster, executor] : executors_)
    for (auto& seen : executor.take()) inbox_.emplace_back(std::move(seen));
}

void Site::settle() {
  for (;;) {
    look();
    const auto due = loop_.idle_until();
    if (!inbox_.empty() || (due && *due <= steady(now()))) {
      auto batch = std::exchange(inbox_, {});
      loop_.take(batch);
    } else if (auto plan = engine_->decide(now())) {
      inbox_.emplace_back(std::move(plan));
    } else if (const auto next = engine_->next(); !next || *next > now()) {
      return;
    }
  }
}

std::optional<Instant> Site::next() const {
  std::optional<Instant> next = engine_->next();
  const auto earliest = [&](std::optional<Instant> at) {
    if (at) next = std::min(next.value_or(*at), *at);
  };
  if (const auto due = loop_.idle_until()) earliest(instant(*due));
  for (const auto& [cluster, executor] : executors_) earliest(executor.next());
  return next;
}

}  // namespace ym::sim
