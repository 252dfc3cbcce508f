#include "executor/local/attempt/process_tree.h"

#include <csignal>
#include <map>
#include <set>

namespace ym::local {

std::vector<ProcessStat> descendants(pid_t root, const std::vector<ProcessStat>& all) {
  std::multimap<pid_t, const ProcessStat*> children;
  for (const auto& process : all) children.emplace(process.parent, &process);
  std::vector<ProcessStat> found;
  std::vector<pid_t> open{root};
  std::set<pid_t> seen{root};
  while (!open.empty()) {
    const pid_t parent = open.back();
    open.pop_back();
    for (auto [it, end] = children.equal_range(parent); it != end; ++it) {
      // The table was not read at one instant, so parents can seem to form a cycle.
      if (!seen.insert(it->second->pid).second) continue;
      open.push_back(it->second->pid);
      if (!it->second->dead()) found.push_back(*it->second);
    }
  }
  return found;
}

void kill_descendants(pid_t root) {
  const auto all = all_processes();
  if (!all) return;
  for (const auto& process : descendants(root, *all)) signal_exactly(process, SIGKILL);
}

}  // namespace ym::local
