// What was seen of idle GPUs, by what state they were in: how much of them was idle in the end. From it a table is made
// (papers/placement/waste_table.h says what its cells are).
#pragma once

#include <cstdint>
#include <vector>

#include "papers/placement/room.h"
#include "papers/placement/waste_table.h"

namespace ym::sim::placement {

struct CellOptions {
  // A cell with few visits is taken to be like the coarser one that it is part of, by so many visits.
  double pseudo_visits = 12;
};

// The steps of what a node has left for each idle GPU; by the table's measure of what a GPU usually gets.
struct Steps {
  std::size_t cpus = 0, memory = 0;
};
// Precondition: some of the node's GPUs is idle.
Steps steps_of(const Room& room, std::int32_t idle_milli);

// One part of a node's idle GPUs: a shared one, or all that are wholly free.
struct IdlePart {
  std::size_t cell = 0;
  GpuMask gpus = 0;
};

class WasteCells {
 public:
  WasteCells();

  // The parts of a node; what is below a hundredth of a GPU is none.
  static std::vector<IdlePart> parts_of(const Room& room);

  // GPUs that were in this cell once had so much idle.
  void add(std::size_t cell, std::int64_t waste_milli);
  // What was seen before counts so much of what it did.
  void fade(double factor);
  WasteTable::Content content(const CellOptions& options) const;

 private:
  struct Sum {
    double visits = 0, waste_milli = 0;
    Sum& operator+=(const Sum& other);
    double mean(double prior, double pseudo_visits) const;
  };
  void add_rows(std::vector<WasteTable::Row>& rows, std::size_t first, std::int64_t idle_from, std::int64_t idle_to,
                std::int64_t unit_milli, const CellOptions& options) const;
  void add_rows_of(std::vector<WasteTable::Row>& rows, std::size_t first, std::int64_t idle, double prior,
                   const CellOptions& options) const;

  std::vector<Sum> sums_;  // by cell
};

}  // namespace ym::sim::placement
