// NewNodeCapacity: what there is of an elastic flavor for those who wait, node by node: what is free of the nodes that
// are there, and those that could be made.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/cycle/scale_up.h"

namespace ym::engine {

class NewNodeCapacity {
  // Free ones of a node, by profile; kNone: whole GPUs. Where there are no slices nothing is allocated for it.
  class Devices {
   public:
    std::int64_t of(ProfileIndex profile) const;
    void add(ProfileIndex profile, std::int64_t count);

   private:
    std::int64_t whole_ = 0;
    std::vector<std::pair<ProfileIndex, std::int64_t>> slices_;
  };
  struct Bin {
    NodeIndex node = kNone;  // kNone: it is to be made
    std::int64_t cpus = 0, memory = 0;
    Devices devices;
    Part open;  // what is left of one that is shared
  };

 public:
  // What a gang would have of it.
  struct Gift {
    std::vector<std::pair<std::size_t, Bin>> bins;  // by place, as they are then
    std::int64_t tentative = 0;                     // nodes that are not to be made yet
    bool waits = false;                             // for a node that is not there
    bool enough = true;                             // else there are too few, and it is none
    bool promised = false;                          // to others, in whose way it is for as long as it stays
  };

  // Precondition: the flavor is elastic.
  NewNodeCapacity(const Cycle& cycle, FlavorIndex flavor);

  const Flavor& row() const { return row_; }
  // How many nodes there are to be, for all to whom something was given, and with this; 0: none has to be made. Those
  // count that are there, as their cluster says: who is drained by a person is.
  std::int64_t wanted() const { return made_ == 0 ? 0 : existing_ + made_; }
  std::int64_t wanted_with(const Gift& gift) const { return existing_ + made_ + gift.tentative; }
  // To be made, and for how many jobs.
  std::int64_t made() const { return made_; }
  std::int64_t jobs() const { return jobs_; }
  // Whether one of its nodes, when empty, is large enough for each task and meets its rules.
  static bool suits(const Inventory& inventory, const Flavor& row, const Shape& shape, const Flavors& flavors);

  // Each task of the gang on a node of its own, of those that are there before those to be made. Precondition: it
  // suits.
  Gift find(Rank rank);
  // Precondition: it is enough.
  void give(Gift gift);
  // Nobody finds anything any more, and what is under way is not called off.
  void close();

 private:
  // Who looks for something.
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
  bool put(Gift& gift, std::size_t place, const GangPart& part, const Seeker& seeker);
  void put_on_new(Gift& gift, const NodeNeed& need, std::size_t tasks) const;
  void put_groups(Gift& gift, const std::vector<GangPart>& groups, const Seeker& seeker);

  const Cycle& cycle_;
  const Inventory& inventory_;
  const Flavor& row_;
  std::int64_t existing_ = 0, made_ = 0, jobs_ = 0;
  bool closed_ = false;
  Part device_;            // a whole GPU of a new node
  std::vector<Bin> bins_;  // nodes that are there by name, then those that are to be made
  std::size_t there_ = 0;  // so many of them are
  ScaleUpCandidates beside_;
};

}  // namespace ym::engine
