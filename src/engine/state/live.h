// What attempts that have not ended hold: by job, and by node.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/state/names.h"
#include "model/ids.h"
#include "model/resources.h"

namespace ym::engine {

// One task of a live attempt.
struct LiveTask {
  Index node = kNone;
  std::uint64_t bits = 0;  // of its devices that the node has
  std::vector<std::string> devices;
};

// What an attempt that has not ended holds; cancelled and unreachable ones too.
struct LiveAttempt {
  Index queue = kNone, flavor = kNone;
  ResourceVector task;
  std::vector<LiveTask> tasks;

  ResourceVector total() const { return task * static_cast<std::int64_t>(tasks.size()); }
};

// A task, as a node knows it.
struct LiveRef {
  JobId job;
  Index task = 0;
  auto operator<=>(const LiveRef&) const = default;
};

class LiveTable {
 public:
  // Preconditions: the job holds nothing yet; it holds something.
  void add(JobId job, LiveAttempt attempt);
  LiveAttempt remove(JobId job);

  const LiveAttempt* find(JobId job) const;
  LiveTask& task(const LiveRef& ref);
  // Who is on the node: by job, then task.
  std::span<const LiveRef> on_node(Index node) const;

  // By job.
  auto begin() const { return attempts_.begin(); }
  auto end() const { return attempts_.end(); }

 private:
  std::map<JobId, LiveAttempt> attempts_;
  std::vector<std::vector<LiveRef>> by_node_;
};

}  // namespace ym::engine
