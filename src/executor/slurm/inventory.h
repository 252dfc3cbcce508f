// Slurm's nodes as the engine's. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "executor/slurm/client.h"
#include "executor/slurm/parts.h"
#include "executor/slurm/slurm_executor.h"
#include "model/cluster.h"

namespace ym::slurm {

// What of a node is ours, or soon will be.
struct Ours {
  std::int64_t cpus = 0, memory_mib = 0;
  std::map<std::string, std::int64_t> gpus;  // by type
  std::set<std::string> devices;             // ids that the engine has given away
  bool woken = false;                        // what makes Slurm start it is there, or soon will be

  void add(const Part& part);
};

// The nodes of our partition, without what others hold of them: CPUs and memory are less, and GPUs are unhealthy,
// those with the highest numbers of which none of ours is believed to hold. Which GPU it really is Slurm alone says;
// to the engine they are numbers.
std::vector<Node> make_nodes(const std::vector<NodeRow>& rows, const Facts& facts, const SlurmOptions& options,
                             const std::map<std::string, Ours>& ours);

}  // namespace ym::slurm
