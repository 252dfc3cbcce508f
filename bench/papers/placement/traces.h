// The nodes and the lists of pods of Weng et al., "Beware of Fragmentation", USENIX ATC 2023, as their repository has
// them (openb_node_list_gpu_node.csv, openb_pod_list_*.csv), plain or gzip.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "papers/placement/room.h"

namespace ym::sim::placement {

struct Fleet {
  std::vector<std::string> names;  // of the nodes, sorted where they are read
  std::vector<Room> rooms;         // of each when it is empty
  std::vector<std::string> types;  // of GPUs; the first is bit 0

  std::int64_t capacity_milli() const;
};

struct PodList {
  std::string name;
  std::vector<Shape> shapes;        // sorted
  std::vector<ShapeId> pods;        // what each asks for; by name
  std::vector<std::int64_t> count;  // of pods, by shape

  std::int64_t demand_milli() const;  // GPUs of all pods
};

// `invalid` with file and line where a row is wrong; nodes have at most kMostGpus GPUs, of at most 31 types.
Result<Fleet> read_fleet(const std::string& path);
// Types that no node has are left out: a pod that may have none but these fits nowhere.
Result<PodList> read_pods(const std::string& path, const Fleet& fleet);

// From what each pod asks for, by name.
PodList list_of(std::string name, const std::vector<Shape>& pods);

}  // namespace ym::sim::placement
