// A cluster's nodes as model nodes: what each one offers to this server's pods. Pure.
//
// A node is withheld, with the reason (Node::withheld), if it is cordoned, is not ready, has a taint that the pods do
// not tolerate, or has invalid amounts: more allocatable than capacity, or more devices than a node may have. A node
// with as many pods as its kubelet takes is withheld too, but counts as existing (Node::full). Requests of foreign pods
// are subtracted. Of GPUs, those with the highest ids count as theirs (Device::foreign), since only the node knows
// which ones they use.
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
  std::map<std::string, std::string> gpu_types;      // label value -> GPU type; others: plain_gpu_type()
  std::map<std::string, std::string> gpu_resources;  // as for pods (pod.h)
  std::vector<Toleration> tolerations;               // of this server's pods
  std::map<std::string, std::string> select;         // labels that a node must have; other nodes are ignored
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

// "NVIDIA-H100-80GB-HBM3" -> "h100": the first word of the product with a digit, in lower case.
std::string plain_gpu_type(std::string_view product);

// Resources of a node that pods use.
struct Taken {
  std::int64_t pods = 0;  // all pods count, this server's too
  std::int64_t cpus = 0, memory_bytes = 0;
  std::map<std::string, std::int64_t> devices;  // by resource name
  void add(const PodView& pod);
};

bool is_ours(const NodeView& node, const NodeOptions& options);
Node as_model(const NodeView& node, const Taken& taken, const NodeOptions& options);

}  // namespace ym::kubernetes
