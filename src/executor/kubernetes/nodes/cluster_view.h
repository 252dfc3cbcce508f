// ClusterView: the nodes of a cluster, our pods, and what foreign ones take of the nodes, as the watches say.
//
// Threads: none; its owner locks.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "executor/kubernetes/api/object_table.h"
#include "executor/kubernetes/nodes/nodes.h"
#include "executor/kubernetes/pods/pod_book.h"

namespace ym::kubernetes {

class ClusterView {
 public:
  explicit ClusterView(NodeOptions options) : options_(std::move(options)) {}

  // Names of the nodes that are in another contact than before.
  std::vector<std::string> apply(const ObjectTable<NodeView>::Delta& delta, Instant now);
  void apply(const ObjectTable<PodView>::Delta& delta);

  ObjectTable<NodeView>& nodes() { return nodes_; }
  ObjectTable<PodView>& foreign() { return foreign_; }
  ObjectTable<PodView>& own() { return own_; }
  // Of our pods those that nobody here has placed: what they have is taken, as what others' have.
  void set_unplaced(std::function<bool(const PodView&)> is_unplaced) { is_unplaced_ = std::move(is_unplaced); }
  ContactSince contact(const std::string& node) const;
  // Nothing was heard until now: contact that is good counts from here.
  void doubt(Instant now);
  // As they are offered: without what pods take that nobody here has placed.
  std::vector<Node> model() const;
  // With all that they have, whoever has it now.
  std::vector<Node> whole() const;
  // Whether model() may be another than when this was last asked.
  bool take_changed() { return std::exchange(changed_, false); }

 private:
  std::map<std::string, Taken> taken() const;
  std::vector<Node> with(std::map<std::string, Taken> taken) const;

  NodeOptions options_;
  ObjectTable<NodeView> nodes_;
  ObjectTable<PodView> foreign_, own_;
  std::function<bool(const PodView&)> is_unplaced_ = [](const PodView&) { return false; };
  std::map<std::string, ContactSince> contact_;
  bool changed_ = true;
};

}  // namespace ym::kubernetes
