// ClusterView: the nodes of a cluster, and what foreign pods take of them, as the watches say.
//
// Threads: none; its owner locks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "executor/kubernetes/nodes.h"
#include "executor/kubernetes/object_table.h"
#include "executor/kubernetes/pod_book.h"

namespace ym::kubernetes {

class ClusterView {
 public:
  explicit ClusterView(NodeOptions options) : options_(std::move(options)) {}

  // Names of the nodes that are in another contact than before.
  std::vector<std::string> apply(const ObjectTable<NodeView>::Delta& delta, Instant now);
  void apply(const ObjectTable<PodView>::Delta& delta);

  ObjectTable<NodeView>& nodes() { return nodes_; }
  ObjectTable<PodView>& foreign() { return foreign_; }
  ContactSince contact(const std::string& node) const;
  // Nothing was heard until now: contact that is good counts from here.
  void doubt(Instant now);
  std::vector<Node> model() const;
  // Whether model() may be another than when this was last asked.
  bool take_changed() { return std::exchange(changed_, false); }

 private:
  NodeOptions options_;
  ObjectTable<NodeView> nodes_;
  ObjectTable<PodView> foreign_;
  std::map<std::string, ContactSince> contact_;
  bool changed_ = true;
};

}  // namespace ym::kubernetes
