// Clusters, nodes, devices and flavors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/time.h"
#include "model/resources.h"

namespace ym {

// Where an object may be changed. An object of the configuration file is changed only there.
enum class ManagedBy : std::uint8_t { api, file };
constexpr std::string_view to_string(ManagedBy value) {
  switch (value) {
    case ManagedBy::api: return "api";
    case ManagedBy::file: return "file";
  }
  return {};
}

// A GPU, or a slice of a partitioned one (NVIDIA's Multi-Instance GPU). A slice is a device of its own. A partitioned
// GPU is not a device.
struct Device {
  std::string id;  // unique on its node: "0", "1", or a UUID
  bool healthy = true;
  // The physical device: the value for CUDA_VISIBLE_DEVICES. Empty for a virtual device without a physical one.
  std::string physical;
  std::string profile{};          // of a slice: "1g.10gb"; empty: a whole GPU
  std::int64_t memory_bytes = 0;  // 0: unknown
  bool foreign = false;           // programs outside Yardmaster use it
  std::string message{};          // why it is not healthy, for users
  bool operator==(const Device&) const = default;

  bool usable() const { return healthy && !foreign; }

  std::int64_t milli() const;  // in thousandths of a GPU
};

// "1g.10gb" -> 142: sevenths of a GPU in thousandths, rounded down, so that the slices of one GPU never count more than
// it. Nothing: the text is no profile.
std::optional<std::int64_t> slice_milli(std::string_view profile);

// Names are unique over all clusters.
struct Node {
  static constexpr std::string_view kTable = "nodes", kRow = "node";
  std::string name;
  std::string cluster;
  std::string gpu_type;         // "t4"; empty without GPUs
  std::vector<Device> devices;  // at most 64
  std::int64_t cpus = 0;        // thousandths
  std::int64_t memory_bytes = 0;
  std::map<std::string, std::string> labels;
  bool schedulable = true;  // false: drained; running jobs stay
  std::string message;      // why it is drained, for users
  std::string withheld{};   // why its cluster does not offer it now: down, drained there; empty: the cluster offers it
  bool full = false;        // withheld only because it takes no further task: the node and its tasks are there
  bool leaving = false;     // its cluster or the configuration has it no more: removed once nothing runs on it
  bool operator==(const Node&) const = default;

  bool in_service() const { return schedulable && withheld.empty(); }
  // Whether it counts as a node of its flavor. A node that boots or is down does not.
  bool is_there() const { return withheld.empty() || full; }
};

// A topology domain: nodes with the same values for a level's label and for the labels of all outer levels. A level
// that the topology does not name consists of its label alone.
struct Cluster {
  static constexpr std::string_view kTable = "clusters", kRow = "cluster";
  std::string name;
  std::string executor;  // "local", ...
  // Identifies the cluster, however it is reached; empty: unknown, as in older states.
  std::string identity{};
  bool available = true;
  std::vector<std::string> topology;  // labels, the outermost level first: zone, block, rack
  ManagedBy managed_by = ManagedBy::file;
  bool operator==(const Cluster&) const = default;
};

// Whether an executor of this kind is remote: it runs tasks on other machines than the server's.
constexpr bool is_remote_executor(std::string_view executor) { return executor == "slurm" || executor == "kubernetes"; }

// Nodes of a flavor that do not exist yet. The manager of the cluster (an autoscaler) makes them on request, and
// removes them again.
struct ElasticCapacity {
  std::int64_t max_nodes = 0;           // most nodes of the flavor, existing ones included
  Duration provisioning = minutes(10);  // from the request until a new node can be used
  Duration idle = minutes(10);          // time after which an idle node may be removed
  Node node;                            // what a new node has; its name is not read
  bool operator==(const ElasticCapacity&) const = default;
};

// The number of nodes that a flavor should have in all for waiting jobs; 0: idle nodes may be removed.
struct WantedNodes {
  std::int64_t nodes = 0;
  Instant since{};  // time of the last increase
  bool operator==(const WantedNodes&) const = default;
};

// A kind of hardware, and how it is bought. A node belongs to the first flavor, by name, with conditions that it meets.
// A node that meets no flavor's conditions is unusable. If no flavor is configured, there is one called "default" with
// all nodes.
struct Flavor {
  static constexpr std::string_view kTable = "flavors", kRow = "flavor";
  std::string name;
  std::string gpu_type;                       // empty: any
  std::string cluster;                        // empty: any
  std::map<std::string, std::string> labels;  // all must match
  std::int64_t price_micros_per_gpu_hour = 0;
  bool spot = false;  // its machines may be taken away at any time
  // Its place in the configuration: queues without quota try lower ranks first, then by name.
  std::int32_t rank = 0;
  std::optional<ElasticCapacity> elastic{};  // `cluster` is set then
  WantedNodes wanted{};                      // set by the scheduler, not by the configuration
  ManagedBy managed_by = ManagedBy::file;
  bool operator==(const Flavor&) const = default;

  bool matches(const Node& node) const;
};

// Applies the event NodesWanted of this time to the row.
void set_wanted(Flavor& flavor, std::int64_t nodes, Instant time);

inline constexpr std::string_view kDefaultFlavor = "default";
inline constexpr std::size_t kMaxDevicesPerNode = 64;

}  // namespace ym
