// Stock: what there is of an elastic flavor for those who wait, node by node: what is free of the nodes that are there,
// and those that could be made.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

class Stock {
 public:
  // Precondition: the flavor is elastic.
  Stock(const Cycle& cycle, Index flavor);

  const Flavor& row() const { return row_; }
  // Nodes that are there, as their cluster says: who is drained by a person is.
  std::int64_t existing() const { return existing_; }
  // To be made, for all to whom something was given.
  std::int64_t made() const { return made_; }
  std::int64_t jobs() const { return jobs_; }
  // Whether one of its nodes, when empty, is large enough for each task and meets its rules.
  static bool suits(const Inventory& inventory, const Flavor& row, const Shape& shape, const Flavors& flavors);

  // Gives each task of the gang a node of its own, of those that are there before those to be made. False: there are
  // too few, and nothing is given. Precondition: it suits.
  bool give(const Shape& shape, const Flavors& flavors, const Access& access);

 private:
  struct Bin {
    Index node = kNone;  // kNone: it is to be made
    std::int64_t cpus = 0, memory = 0;
    std::map<Index, std::int64_t> devices;  // free ones, by profile; kNone: whole GPUs
    Part open;                              // what is left of one that is shared
  };
  Bin bin_of(Index node) const;
  Bin new_bin() const;
  bool take(Bin& bin, const NodeNeed& need) const;
  bool is_near(const Shape& shape) const;

  const Inventory& inventory_;
  const Flavor& row_;
  std::int64_t existing_ = 0, made_ = 0, jobs_ = 0;
  Part device_;            // a whole GPU of a new node
  std::vector<Bin> bins_;  // nodes that are there by name, then those that are to be made
};

}  // namespace ym::engine
