// WasteTable: how much of what is idle of a node's GPUs will be idle still when the cluster is full, as it was learned
// for a site's jobs. For clusters that are filled once, or nearly so: it knows nothing of jobs that end.
//
// A cell is a GPU of which so much is free, beside others who share it; or all GPUs of a node together that nobody has
// anything of. What goes with them is the CPUs and the memory that the node has left for each idle GPU, in parts of
// what a GPU usually gets, by steps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/cluster.h"
#include "model/resources.h"

namespace ym::sim::placement {

class WasteTable {
 public:
  // Of what a GPU usually gets, in thousandths: a step begins at each of these.
  static constexpr std::array<std::int64_t, 12> kSteps{150,  300,  450,  600,  750,  900,
                                                       1000, 1150, 1350, 1700, 2500, 5000};
  static constexpr std::size_t kStepCount = kSteps.size() + 1;

  struct Usual {
    std::int64_t cpus = 12 * kMilli;
    std::int64_t memory_bytes = std::int64_t{46'000} << 20;
    bool operator==(const Usual&) const = default;
  };
  // Steps that are left out: of all of them together, where no other row tells more. Of equal rows the last counts.
  struct Row {
    std::int64_t idle = 0;  // hundredths of a shared GPU; or whole GPUs
    std::optional<std::size_t> cpus, memory;
    std::int64_t waste_milli = 0;
    bool operator==(const Row&) const = default;
  };
  struct Content {
    Usual usual;
    std::vector<Row> shared, whole;  // idle: 1 to 99; 1 to kMaxDevicesPerNode
    // By type: that much worse a GPU of it is to take, in thousandths; for types that some jobs insist on.
    std::map<std::string, std::int64_t> type_cost_milli{};
    bool operator==(const Content&) const = default;
  };

  // What is not in it is taken to be wasted whole. Preconditions: the rows are within their bounds.
  explicit WasteTable(const Content& content);

  // Thousandths of a GPU.
  std::int64_t of_shared(std::int64_t free_milli, std::size_t cpus, std::size_t memory) const;
  std::int64_t of_whole(std::int64_t devices, std::size_t cpus, std::size_t memory) const;
  std::int64_t type_cost_milli(const std::string& type) const;

  // For each idle GPU, of a node that has so much of them idle (more than none).
  std::size_t cpu_step(std::int64_t cpus, std::int64_t idle_milli) const;
  std::size_t memory_step(std::int64_t bytes, std::int64_t idle_milli) const;

 private:
  static constexpr std::size_t kShares = 100;

  std::size_t at(std::size_t idle, std::size_t cpus, std::size_t memory) const {
    return (idle * kStepCount + cpus) * kStepCount + memory;
  }
  void set(std::vector<std::int64_t>& all, const Row& row) const;
  std::vector<std::int64_t> dense(const std::vector<Row>& rows, std::size_t size, std::int64_t unit_milli) const;

  Usual usual_;
  std::vector<std::int64_t> shared_, whole_;
  std::map<std::string, std::int64_t> type_costs_;
};

}  // namespace ym::sim::placement
