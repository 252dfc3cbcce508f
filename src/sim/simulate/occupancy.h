// Occupancy: what is in use of each node, and so how much of what is idle is scattered: idle GPUs of nodes of which
// others are in use, where nothing that needs a whole node can go.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/tables.h"

namespace ym::sim {

// Thousandths; of slices what they count as.
std::int64_t gpu_milli_of(const ym::Node& node);

class Occupancy {
 public:
  struct Node {
    std::int64_t gpus_milli = 0;  // there are
    std::int64_t used_milli = 0;
  };
  // What an attempt has of nodes; these stay.
  using Holding = std::vector<std::pair<Node*, std::int64_t>>;

  Occupancy() = default;
  Occupancy(const Occupancy&) = delete;
  Occupancy& operator=(const Occupancy&) = delete;

  // Precondition: the nodes are there, and stay as they are.
  Holding take(const Attempt& attempt, const JobSpec& spec, const Tables& tables);
  void give_back(const Holding& holding);

  std::int64_t scattered_milli() const { return scattered_milli_; }

 private:
  void change(Node& node, std::int64_t milli);

  std::map<std::string, Node> nodes_;
  std::int64_t scattered_milli_ = 0;
};

}  // namespace ym::sim
