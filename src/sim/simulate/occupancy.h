// Occupancy: which part of each node is in use, and how much idle capacity is scattered: idle GPUs on nodes that are
// partly in use. A job that needs a whole node cannot use them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/tables.h"

namespace ym::sim {

// In thousandths; slices count as their part of a GPU.
std::int64_t gpu_milli_of(const ym::Node& node);

class Occupancy {
 public:
  struct Node {
    std::int64_t gpus_milli = 0;  // total
    std::int64_t used_milli = 0;
  };
  // What an attempt holds of each node. The nodes stay valid.
  using Holding = std::vector<std::pair<Node*, std::int64_t>>;

  Occupancy() = default;
  Occupancy(const Occupancy&) = delete;
  Occupancy& operator=(const Occupancy&) = delete;

  // Precondition: the nodes exist and do not change.
  Holding take(const Attempt& attempt, const JobSpec& spec, const Tables& tables);
  void give_back(const Holding& holding);

  std::int64_t scattered_milli() const { return scattered_milli_; }

 private:
  void change(Node& node, std::int64_t milli);

  std::map<std::string, Node> nodes_;
  std::int64_t scattered_milli_ = 0;
};

}  // namespace ym::sim
