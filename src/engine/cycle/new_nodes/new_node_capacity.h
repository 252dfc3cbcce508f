// NewNodeCapacity: capacity of an elastic flavor for waiting jobs, node by node: what is free on existing nodes, and
// nodes that could be made.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/cycle/new_nodes/scale_up.h"

namespace ym::engine {

class NewNodeCapacity {
  // Free devices of a node, by profile; kNone: whole GPUs. Without slices it allocates no memory.
  class Devices {
   public:
    std::int64_t of(ProfileIndex profile) const;
    void add(ProfileIndex profile, std::int64_t count);

   private:
    std::int64_t whole_ = 0;
    std::vector<std::pair<ProfileIndex, std::int64_t>> slices_;
  };
  struct Bin {
    NodeIndex node = kNone;  // kNone: a new node
    std::int64_t cpus = 0, memory = 0;
    Devices devices;
    Part open;  // what is left of a shared GPU
  };
  using BinIndex = StrongIndex<struct BinTag>;

 public:
  // What a gang would get.
  struct Gift {
    std::vector<std::pair<BinIndex, Bin>> bins;  // with the state afterwards
    std::int64_t tentative = 0;                  // nodes to be made only for this gang
    bool waits = false;                          // for a node that does not exist yet
    bool enough = true;                          // false: there are too few nodes
    bool promised = false;                       // some bin is reserved for a job that this gang would delay
  };

  // Precondition: the flavor is elastic.
  NewNodeCapacity(const Inputs& in, const PendingEntries& pending, const Tried& tried, FlavorIndex flavor);

  const Flavor& row() const { return row_; }
  // How many nodes the flavor shall have, for all gangs that got some, and with this gift; 0: none has to be made. All
  // nodes that their cluster reports as existing count, drained ones too.
  std::int64_t wanted() const { return made_ == 0 ? 0 : existing_ + made_; }
  std::int64_t wanted_with(const Gift& gift) const { return existing_ + made_ + gift.tentative; }
  // Nodes to be made, and for how many jobs.
  std::int64_t made() const { return made_; }
  std::int64_t jobs() const { return jobs_; }
  // Whether one of its nodes, when empty, is large enough for each task and meets its rules.
  static bool suits(const Inventory& inventory, const Flavor& row, const Shape& shape, const Flavors& flavors);

  // Puts each task of the gang on a node of its own, on existing nodes before new ones. Precondition: suits().
  Gift find(Rank rank);
  // Precondition: gift.enough.
  void give(Gift gift);
  // No further gang gets any. Nodes that are being made are not cancelled.
  void close();

 private:
  // The job for which nodes are sought.
  struct Seeker {
    Rank rank;
    Slot slot;
    Walltime walltime;
    Levels levels;
  };

  Bin bin_of(NodeIndex node) const;
  Bin new_bin() const;
  void add_slice(Bin& bin, const std::string& profile) const;
  static bool has_room(const Bin& bin, const NodeNeed& need);
  void take(Bin& bin, const NodeNeed& need) const;
  bool could_use(const Bin& bin, const GangPart& part, const Seeker& seeker, Gift& gift);
  bool put(Gift& gift, BinIndex place, const GangPart& part, const Seeker& seeker);
  void put_on_new(Gift& gift, const NodeNeed& need, std::size_t tasks) const;
  void put_groups(Gift& gift, const IndexedVector<PartIndex, GangPart>& groups, const Seeker& seeker);

  const Inputs& in_;
  const PendingEntries& pending_;
  const Tried& tried_;
  const Inventory& inventory_;
  const Flavor& row_;
  std::int64_t existing_ = 0, made_ = 0, jobs_ = 0;
  bool closed_ = false;
  Part device_;                        // a whole GPU of a new node
  IndexedVector<BinIndex, Bin> bins_;  // existing nodes by name, then new ones
  BinIndex first_new_;                 // the first new one
  ScaleUpCandidates beside_;
};

}  // namespace ym::engine
