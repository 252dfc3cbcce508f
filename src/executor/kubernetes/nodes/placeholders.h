// Placeholders: pods that run nothing and make an autoscaler act.
//
// An elastic flavor has one placeholder for each missing node (Flavor::wanted). Each requests all GPUs of a new node
// and avoids the existing nodes. So the autoscaler finds pods that cannot be placed, and adds nodes. Placeholders do
// not avoid nodes of the flavor that are not in service: one of them may be the requested node, still booting. A full
// node counts as existing. When a new node is there, it no longer counts as missing, and one placeholder is deleted,
// first the one on that node. The autoscaler removes nodes by its own rule when they have neither jobs nor
// placeholders.
//
// A placeholder that has ended, is being deleted, or is on a node that does not count, does not count. A refused
// creation is repeated with growing pauses, and reported once.
//
// Pure: it reads no clock and makes no requests. The owner calls it with what exists, and does what it returns.
// Threads: none; its owner locks.
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

  // As Executor::provision().
  void want(const Flavor& flavor);
  bool any() const { return !wanted_.empty() || !pods_.empty(); }

  // --- what the cluster shows; other pods are ignored
  void seen(const PodView& pod);
  void removed(const PodView& pod);

  struct Work {
    std::vector<std::pair<std::string, json::value>> create;  // by name
    std::vector<std::pair<std::string, std::string>> remove;  // name and uid
    std::vector<std::string> notes;                           // for people
  };
  // What to do now, from all nodes of the cluster with all their resources. An action is not returned again before it
  // was tried. `all_wanted`: want() was called for every existing flavor, so placeholders of other flavors are deleted.
  Work pass(const std::vector<Node>& nodes, Instant now, bool all_wanted);
  // The creation was tried; `uid` of the pod. Returns news for people: the cluster refuses placeholders, or does so no
  // more.
  std::string created(const std::string& name, const Api<std::string>& uid, Instant now);
  // The removal was tried.
  void tried(const std::string& name);

 private:
  struct Pod {
    std::string flavor, uid, node;  // the flavor's label
    bool over = false, deleting = false;
    bool busy = false;  // being created or removed
    std::optional<Instant> stray_since;
    std::optional<Instant> unseen_since;  // created, but no watch has shown it
  };
  struct Problem {
    ApiError::Kind kind;
    Duration pause;
    Instant again;
  };
  static bool is_useless(const Pod& pod, Instant now);
  void forget_unseen(Instant now);
  void look_for_unknown_placeholders(const Flavor& flavor, const std::vector<Node>& there, Instant now);
  void remove_others(Instant now, bool all_wanted, Work& work);
  void create(const Flavor& flavor, std::int64_t count, const std::vector<Node>& there, const std::vector<Node>& nodes,
              Work& work);
  static void remove(const std::string& name, Pod& pod, Work& work);
  Node shape_of(const Flavor& flavor, const std::vector<Node>& there, Work& work);
  std::vector<std::string> pods_of(const std::string& flavor, Instant now) const;

  PodOptions options_;
  std::map<std::string, Flavor> wanted_;     // by name
  std::map<std::string, Pod> pods_;          // by name
  std::map<std::string, Problem> problems_;  // by the flavor's label
  std::set<std::string> too_large_;          // flavors that were reported
};

// "ym-node-a100-spot-3f2a-1", a DNS label; two servers never have the same.
std::string placeholder_name(const std::string& instance, const std::string& flavor, std::int64_t number);
bool is_placeholder(const PodView& pod, const std::string& instance);

// Limits each amount to that of the largest node. Kinds that no node has stay.
Node bounded_by(Node shape, const std::vector<Node>& nodes);

// `shape`: it requests nearly all of this; `nodes`: it avoids these.
json::value render_placeholder(const Flavor& flavor, const Node& shape, const std::string& name,
                               const std::vector<Node>& nodes, const PodOptions& options);

}  // namespace ym::kubernetes
