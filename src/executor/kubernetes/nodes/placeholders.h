// Placeholders: pods that run nothing and make an autoscaler act.
//
// Of an elastic flavor so many are there as nodes are missing (Flavor::wanted): each asks for all GPUs of a new node
// and keeps away from the nodes that are there, so whoever scales the cluster finds pods that cannot be placed, and
// adds nodes. Nodes of the flavor that are not in service are not kept away from: one of them may be what was asked
// for, still booting. A full node is there. When a new one is there it counts as a node and no longer as missing, and a
// placeholder goes, that on it first.
// Nodes go away again by the autoscaler's own rule when nothing of ours and no placeholder is on them.
//
// One that is over, that is being deleted, or that is on a node which does not count, counts as none. What the cluster
// refuses is asked for again later and later, and said once.
//
// It reads no clock and asks nobody: it is told what there is and says what is to be done. Threads: none; its owner
// locks.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "executor/kubernetes/api/api_error.h"
#include "executor/kubernetes/pods/pod.h"
#include "executor/kubernetes/pods/pod_view.h"

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
    std::vector<std::string> said;                            // for people
  };
  // What is to be done, given all nodes of the cluster with all that they have. What was said is not said again before
  // it has been tried. `all_wanted`: want() was called for every flavor there is, so others' placeholders go.
  Work pass(const std::vector<Node>& nodes, Instant now, bool all_wanted);
  // The creation was tried: the pod's uid. For people, if it is news: that the cluster refuses them, or does no more.
  std::string created(const std::string& name, const Api<std::string>& uid, Instant now);
  // The removal was.
  void tried(const std::string& name);

 private:
  struct Pod {
    std::string flavor, uid, node;  // the flavor's label
    bool over = false, deleting = false;
    bool busy = false;  // being created, or removed
    std::optional<Instant> stray_since;
    std::optional<Instant> unseen_since;  // it was made, and no watch has shown it
  };
  struct Trouble {
    ApiError::Kind kind;
    Duration pause;
    Instant again;
  };
  static bool is_useless(const Pod& pod, Instant now);
  void forget_unseen(Instant now);
  void look_for_strays(const Flavor& flavor, const std::vector<Node>& there, Instant now);
  void remove_others(Instant now, bool all_wanted, Work& work);
  void create(const Flavor& flavor, std::int64_t count, const std::vector<Node>& there, const std::vector<Node>& nodes,
              Work& work);
  static void remove(const std::string& name, Pod& pod, Work& work);
  Node shape_of(const Flavor& flavor, const std::vector<Node>& there, Work& work);
  std::vector<std::string> pods_of(const std::string& flavor, Instant now) const;

  PodOptions options_;
  std::map<std::string, Flavor> wanted_;     // by name
  std::map<std::string, Pod> pods_;          // by name
  std::map<std::string, Trouble> troubles_;  // by the flavor's label
  std::set<std::string> too_large_;          // flavors, said once
};

// "ym-node-a100-spot-3f2a-1", a DNS label; of two servers never the same.
std::string placeholder_name(const std::string& instance, const std::string& flavor, std::int64_t number);
bool is_placeholder(const PodView& pod, const std::string& instance);

// With no more of each kind than the largest of the nodes has; what none of them has is left as it is.
Node bounded_by(Node shape, const std::vector<Node>& nodes);

// `shape`: what it asks for nearly all of; `nodes`: those from which it keeps away.
json::value render_placeholder(const Flavor& flavor, const Node& shape, const std::string& name,
                               const std::vector<Node>& nodes, const PodOptions& options);

}  // namespace ym::kubernetes
