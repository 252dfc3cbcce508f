// ClusterView: the nodes of a cluster, this server's pods, and the resources that foreign pods use, from the watches.
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

  // Returns the names of nodes with a changed contact.
  std::vector<std::string> apply(const ObjectTable<NodeView>::Delta& delta, Instant now);
  void apply(const ObjectTable<PodView>::Delta& delta);

  ObjectTable<NodeView>& nodes() { return nodes_; }
  ObjectTable<PodView>& foreign() { return foreign_; }
  ObjectTable<PodView>& own() { return own_; }
  // Which of this server's pods were not placed by this server: their resources count as used, like those of foreign
  // pods.
  void set_unplaced(std::function<bool(const PodView&)> is_unplaced) { is_unplaced_ = std::move(is_unplaced); }
  ContactSince contact(const std::string& node) const;
  // Nothing was heard until now: good contact counts from this time.
  void restart_contact(Instant now);
  // The nodes as offered: without the resources of pods that this server has not placed.
  std::vector<Node> model() const;
  // The nodes with all their resources, used or not.
  std::vector<Node> whole() const;
  // Whether model() may differ from its result at the last call.
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
