// State::Impl: all that the engine knows, as arrays.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/quota/quota_tree.h"
#include "engine/state/inventory.h"
#include "engine/state/job_table.h"
#include "engine/state/names.h"

namespace ym::engine {

// What an admission that is only tried has taken; see trial.h.
struct Grant {
  Index job = kNone;  // slot
  Index flavor = kNone;
  Index cluster = kNone;
  std::vector<Index> nodes;         // by task
  std::vector<std::uint64_t> bits;  // devices, by task
};

struct State::Impl {
  std::uint64_t version = 0;
  Inventory inventory;
  std::map<std::string, Queue> queues;
  Names queue_names;
  QuotaTree quota;
  Shared<Need> needs;
  Shared<Shape> shapes;
  JobTable jobs;
  std::vector<Grant> grants;  // of the trial under way; empty outside cycles

  const Shape& shape_of(const JobRow& job) const { return shapes[job.shape]; }

  void add_job(const Job& job);
  void remove_job(JobId id);
  void add_live(const Attempt& attempt);
  void end_live(JobId job);
  // After a node's row changed: which bits its running tasks hold now.
  void renew_bits(const std::string& node);
  // After queues or names changed: the tree anew, and all that is in use charged again.
  void rebuild_quota();
  void rebuild_quota_if_outgrown();
};

}  // namespace ym::engine
