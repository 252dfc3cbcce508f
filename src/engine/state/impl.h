// State::Impl: all that the engine knows, as arrays.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/engine.h"
#include "engine/quota/quota_tree.h"
#include "engine/state/inventory.h"
#include "engine/state/job_table.h"
#include "engine/state/live.h"
#include "engine/state/names.h"

namespace ym::engine {

// What a trial has changed; see trial.h.

// An admission that is tried: devices and quota are taken.
struct Grant {
  Index job = kNone;  // slot
  Index flavor = kNone;
  Index cluster = kNone;
  std::vector<Index> nodes;         // by task
  std::vector<std::uint64_t> bits;  // devices, by task
};

// A job that may not be passed keeps its quota; machines for it are not there yet.
struct Claim {
  Index job = kNone;  // slot
  Index flavor = kNone;
};

// A live attempt is taken for gone: its devices and quota are free.
struct Eviction {
  JobId job;
};

using Change = std::variant<Grant, Claim, Eviction>;

struct State::Impl {
  std::uint64_t version = 0;
  Inventory inventory;
  std::map<std::string, Queue> queues;
  Names queue_names;
  QuotaTree quota;
  bool quota_stale = false;  // queues changed since the tree was built
  Shared<Need> needs;
  Shared<Shape> shapes;
  JobTable jobs;
  LiveTable live;
  std::vector<Change> trial;  // changes of the trial under way; empty outside cycles

  const Shape& shape_of(const JobRow& job) const { return shapes[job.shape]; }

  void add_job(const Job& job);
  void remove_job(JobId id);
  void add_live(const Attempt& attempt);
  void end_live(JobId job);
  void set_node(const Node& row);
  void remove_node(const std::string& name);
  // After queues or names changed: the tree anew, and all that is in use charged again. To
  // be called before the state is read; many changes in a row are paid for once.
  void refresh();

 private:
  bool quota_is_current() const { return !quota_stale && quota.covers(queue_names, inventory.flavor_names); }
  void renew_bits(Index node);
  // Nobody needs the index of a node that is gone when nothing runs there any more.
  void forget_if_unused(Index node);
};

}  // namespace ym::engine
