// Placeholders: pods that run nothing and make an autoscaler act.
//
// Of an elastic flavor so many are there as nodes are missing (Flavor::wanted): each asks for all GPUs of a new node
// and keeps away from the nodes that are there, so whoever scales the cluster finds pods that cannot be placed, and
// adds nodes. When one is there it counts as a node and no longer as missing, and a placeholder goes, that on it first.
// Nodes go away again by the autoscaler's own rule when nothing of ours and no placeholder is on them.
//
// It reads no clock and asks nobody: it is told what there is and says what is to be done. Threads: none; its owner
// locks.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "executor/kubernetes/pod.h"
#include "executor/kubernetes/pod_view.h"

namespace ym::kubernetes {

inline constexpr std::string_view kPlaceholderLabel = "yardmaster.dev/placeholder";  // the flavor

class Placeholders {
 public:
  explicit Placeholders(PodOptions options) : options_(std::move(options)) {}

  // As Executor::provision has it.
  void want(const Flavor& flavor);
  bool any() const { return !wanted_.empty() || !pods_.empty(); }

  // --- what the cluster shows; pods that are none are left alone
  void seen(const PodView& pod);
  void removed(const PodView& pod);

  struct Work {
    std::vector<std::pair<std::string, json::value>> create;  // by name
    std::vector<std::pair<std::string, std::string>> remove;  // name and uid
  };
  // What is to be done, given all nodes of the cluster. What was said is not said again before it has been tried.
  Work pass(const std::vector<Node>& nodes);
  void tried(const std::string& name);

 private:
  struct Pod {
    std::string flavor, uid, node;
    bool busy = false;  // being created, or removed
  };
  void create(const Flavor& flavor, std::int64_t count, const std::vector<Node>& nodes, Work& work);
  void remove(const std::vector<std::string>& names, std::size_t count, Work& work);
  std::vector<std::string> pods_of(const std::string& flavor) const;

  PodOptions options_;
  std::map<std::string, Flavor> wanted_;  // by name
  std::map<std::string, Pod> pods_;       // by name
};

// "ym-node-a100-spot-3f2a-1", a DNS label.
std::string placeholder_name(const std::string& flavor, std::int64_t number);

// `nodes`: those from which it keeps away.
json::value render_placeholder(const Flavor& flavor, const std::string& name, const std::vector<Node>& nodes,
                               const PodOptions& options);

}  // namespace ym::kubernetes
