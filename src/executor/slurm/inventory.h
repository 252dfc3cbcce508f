// Slurm's nodes as model nodes. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "executor/slurm/client/client.h"
#include "executor/slurm/jobs/parts.h"
#include "executor/slurm/slurm_executor.h"
#include "model/cluster.h"

namespace ym::slurm {

// What this server's jobs use of a node, or will use soon.
struct Ours {
  std::int64_t cpus = 0, memory_mib = 0;
  std::map<std::string, std::int64_t> gpus;  // by type
  std::set<std::string> devices;             // ids that the engine has assigned
  bool woken = false;                        // its power-up job exists, or will soon

  void add(const Part& part);
};

// The nodes of the partition, without what other jobs use. CPUs and memory are reduced. GPUs are marked as unhealthy:
// the ones with the highest numbers among the GPUs that this server has not assigned. Only Slurm knows which GPUs are
// really used; for the engine they are numbers.
std::vector<Node> make_nodes(const std::vector<NodeRow>& rows, const Facts& facts, const SlurmOptions& options,
                             const std::map<std::string, Ours>& ours);

}  // namespace ym::slurm
