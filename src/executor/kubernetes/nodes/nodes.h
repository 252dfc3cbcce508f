// A cluster's nodes as ours: what of each is there for our pods. Pure.
//
// A node that is cordoned, not ready, or that bears a taint our pods do not tolerate is not offered, with the reason
// (Node::withheld), and so is one that has as many pods as its kubelet takes, which is there all the same (Node::full),
// and one whose claims make no sense: more allocatable than capacity, more devices than a node may have. What foreign
// pods on it request is taken off; of GPUs, those of the highest ids count as theirs (Device::foreign), since only the
// node knows which ones they have.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "executor/kubernetes/pods/pod.h"
#include "executor/kubernetes/pods/pod_state.h"
#include "executor/kubernetes/pods/pod_view.h"
#include "model/cluster.h"

namespace ym::kubernetes {

struct NodeOptions {
  std::string cluster;
  std::string gpu_type_label = "nvidia.com/gpu.product";
  std::map<std::string, std::string> gpu_types;      // value of that label -> our name for it; others: made plain
  std::map<std::string, std::string> gpu_resources;  // as the pods' (pod.h)
  std::vector<Toleration> tolerations;               // of our pods
  std::map<std::string, std::string> select;         // labels that a node must have to be ours; others do not exist
};

struct NodeView {
  ObjectMeta meta;
  std::map<std::string, std::string> labels;
  bool cordoned = false;
  bool ready = false;
  std::string not_ready_why;
  std::vector<Toleration> taints;  // key, value, effect
  std::map<std::string, std::string> allocatable, capacity;
  bool operator==(const NodeView&) const;
};

Result<NodeView> read_node(const json::value& object);
NodeContact contact_of(const NodeView& node);

// "NVIDIA-H100-80GB-HBM3" -> "h100": the first word of the product that has a digit in it, in lower case.
std::string plain_gpu_type(std::string_view product);

// What pods take of a node.
struct Taken {
  std::int64_t pods = 0;  // of its places for them: ours too
  std::int64_t cpus = 0, memory_bytes = 0;
  std::map<std::string, std::int64_t> devices;  // by resource name
  void add(const PodView& pod);
};

bool is_ours(const NodeView& node, const NodeOptions& options);
Node as_model(const NodeView& node, const Taken& taken, const NodeOptions& options);

}  // namespace ym::kubernetes
