// The small state in which trials and invariants are tested.
#pragma once

#include <cstdint>
#include <string>

#include "engine/state/impl.h"
#include "model/tables.h"

namespace ym::engine {

inline Event event(std::uint64_t seq, EventPayload payload) { return {.seq = seq, .payload = std::move(payload)}; }

// Node n1 has four devices. Job 2 holds one and is charged for two. Job 1 waits.
inline State small_world() {
  State state;
  Queue queue{.name = "q", .quota = {}, .age_cap = {}};
  Quota gpus{.nominal = 4 * kMilli, .borrowing_limit = {}, .lending_limit = {}};
  queue.quota = {{"default", {std::nullopt, std::nullopt, gpus}}};
  Node node{.name = "n1", .cluster = "c", .gpu_type = "t4"};
  for (const char* id : {"0", "1", "2", "3"}) node.devices.push_back({.id = id});
  Job job;
  job.id = {1};
  job.queue = "q";
  JobSpec spec;
  spec.resources.gpus = 2 * kMilli;
  job.spec = std::make_shared<const JobSpec>(spec);
  state.apply(event(1, ClusterSet{{.name = "c", .executor = "simulated"}}));
  state.apply(event(2, NodeSet{node}));
  state.apply(event(3, QueueSet{queue}));
  state.apply(event(4, JobSubmitted{job}));
  job.id = {2};
  state.apply(event(5, JobSubmitted{job}));
  Attempt attempt{.job = {2}, .number = 1, .cluster = "c", .queue = "q", .flavor = "default"};
  attempt.placement = {{.task = 0, .node = "n1", .devices = {"3"}}};
  state.apply(event(6, AttemptAdmitted{attempt}));
  return state;
}

inline Grant grant_of(const State& state, std::uint64_t bits) {
  const auto& inventory = state.impl().inventory;
  return {.job = state.impl().jobs.slot({1}),
          .flavors = inventory.flavor_names.find("default"),
          .cluster = inventory.cluster_names.find("c"),
          .nodes = {inventory.node_names.find("n1")},
          .bits = {bits}};
}

}  // namespace ym::engine
