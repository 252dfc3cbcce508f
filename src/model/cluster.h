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

// Who may change an object: those of the configuration file are changed only there.
enum class ManagedBy : std::uint8_t { api, file };
constexpr std::string_view to_string(ManagedBy value) {
  switch (value) {
    case ManagedBy::api: return "api";
    case ManagedBy::file: return "file";
  }
  return {};
}

// A GPU, or a slice of one that its driver has partitioned (NVIDIA's Multi-Instance GPU): to us a device of its
// own. A GPU that is partitioned is none.
struct Device {
  std::string id;  // unique on its node: "0", "1", or a UUID
  bool healthy = true;
  // The physical device behind it: what CUDA_VISIBLE_DEVICES gets. Empty for a
  // virtual device that none is bound to.
  std::string physical;
  std::string profile{};          // of a slice: "1g.10gb"; empty: a whole GPU
  std::int64_t memory_bytes = 0;  // 0: not known
  bool foreign = false;           // what is on it was started by others than us
  std::string message{};          // why it is not healthy, for people
  bool operator==(const Device&) const = default;

  bool usable() const { return healthy && !foreign; }

  std::int64_t milli() const;  // what it counts as
};

// "1g.10gb" -> 142: so many sevenths of a GPU, rounded down, so that the slices of one GPU never count for more.
// Nothing: that is no profile.
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
  bool schedulable = true;  // false: drained; what runs stays
  std::string message;      // why it is not
  std::string withheld{};   // why its cluster does not offer it now: down, drained there; empty: it does
  bool full = false;        // withheld for nothing but that it takes no further task: it is there, with those it has
  bool operator==(const Node&) const = default;

  bool in_service() const { return schedulable && withheld.empty(); }
  // Counts as one of its flavor's nodes, which one that boots, or is down, does not.
  bool is_there() const { return withheld.empty() || full; }
};

// A topology domain is what nodes have in common that have the same values of a level's label, and of those
// of all levels outside of it. A level that the topology does not name is its label alone.
struct Cluster {
  static constexpr std::string_view kTable = "clusters", kRow = "cluster";
  std::string name;
  std::string executor;  // "local", ...
  // Which one of its kind it is, however it is reached; empty: not known, as in states of before.
  std::string identity{};
  bool available = true;
  std::vector<std::string> topology;  // labels, the outermost level first: zone, block, rack
  ManagedBy managed_by = ManagedBy::file;
  bool operator==(const Cluster&) const = default;
};

// Whether an executor of this kind runs tasks on other machines than the server's.
constexpr bool is_elsewhere(std::string_view executor) { return executor == "slurm" || executor == "kubernetes"; }

// Nodes of a flavor that do not exist yet: whoever manages its cluster (an autoscaler) makes them when they are asked
// for, and takes them away again.
struct ElasticCapacity {
  std::int64_t max_nodes = 0;           // of the flavor, with those that are there
  Duration provisioning = minutes(10);  // from the asking until such a node can be used
  Duration idle = minutes(10);          // nobody asks for it and nothing runs there: after so long it may go
  Node node;                            // what one of them has; its name is not read
  bool operator==(const ElasticCapacity&) const = default;
};

// How many nodes of a flavor there are to be in all, for those who wait; 0: whatever is idle may go.
struct WantedNodes {
  std::int64_t nodes = 0;
  Instant since{};  // when it became more than 0, or more
  bool operator==(const WantedNodes&) const = default;
};

// A kind of hardware and how it is bought. A node belongs to the first flavor, by
// name, whose conditions it meets; a node that meets none belongs to none and is
// unusable. Without any flavor there is one called "default" that has all nodes.
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
  std::optional<ElasticCapacity> elastic{};  // its cluster is named then
  WantedNodes wanted{};                      // the scheduler's word, not the configuration's
  ManagedBy managed_by = ManagedBy::file;
  bool operator==(const Flavor&) const = default;

  bool matches(const Node& node) const;
};

// What NodesWanted of that time makes of the row. Since when: from when on there were to be more of them.
void set_wanted(Flavor& flavor, std::int64_t nodes, Instant time);

inline constexpr std::string_view kDefaultFlavor = "default";
inline constexpr std::size_t kMaxDevicesPerNode = 64;

}  // namespace ym
