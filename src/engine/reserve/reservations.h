// Reservations: machines that are promised, from a time on, to jobs that wait for them.
//
// Whoever comes after may have them until then: he must be gone for sure, or be one whom the holder
// may stop in time (the rule of the queue of both, minimum run time and grace included). That is EASY
// backfill (Lifka 1995) with one reservation a queue, conservative backfill with one a job. What is
// promised is so much of each node, not certain devices of it: those are chosen when the time has come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/placement/together.h"
#include "engine/reserve/advance_reservations.h"
#include "engine/reserve/bucket_queue.h"
#include "engine/reserve/calendar.h"
#include "engine/reserve/interval_iterator.h"
#include "engine/reserve/search_memo.h"
#include "engine/reserve/walltime.h"
#include "engine/state/free_intervals.h"
#include "engine/state/rooms.h"

namespace ym::engine {

// What a job that waits for machines would like to be promised.
struct Wish {
  GangNeed need;
  Flavors flavors;
  Minute length = kNoMinute;  // kNoMinute: it has no limit
  Minute not_before = 0;      // from when on its quota is there
  Pass pass = 0;
  Yielding yielding;  // whom it may stop when its time has come
  Slot slot = kNone;  // whose it is; kNone: what is found is not remembered
};

class Reservations {
 public:
  // `stretches`: of the state, for this moment. They must outlive it.
  Reservations(const State::Impl& state, FreeIntervals& free_intervals, const Policy& policy, Instant now);

  void clear();
  // Whether anything may be in somebody's way.
  bool any() const { return !bookings_.empty() || windows_.any(); }
  const AdvanceReservations& windows() const { return windows_; }
  const std::vector<Booking>& all() const { return bookings_; }  // in the order in which they were made
  void add(Booking booking);

  // Whether a task that gets its part of the node now is in a holder's way. Precondition: it has
  // room there now. `own`: the slot of one who is in nobody's way with what is promised to itself.
  bool in_way(NodeIndex node, const NodeNeed& need, const Walltime& walltime, Slot own = kNone) const;
  // Whether a holder counts on quota of this tree that the job may still have then.
  bool counts_on_quota(QueueIndex root, const Walltime& walltime, Slot own = kNone) const;
  // Whether the holder has to be gone out of the way of.
  bool is_respected(const Booking& booking, const Walltime& walltime) const;

  // The earliest time at which there is room for it, beside what is promised already, and the nodes that
  // have had room for the shortest time then, of these those with the fewest devices free, the first by name; nothing:
  // none is known. `barred`: by node, who keeps it; kNone: nobody. Flavor, nodes and times of the booking are set.
  // `rooms` has the nodes of the need and the flavor, and is brought up to date. Precondition: who has a slot in his
  // wish, from nobody are nodes kept.
  std::optional<Booking> earliest(const Wish& wish, const Keepers& barred, Rooms& rooms) const;

  // The same of a mix, the parts of which begin together. `rooms`: of those that have nodes.
  using RoomsOfParts = std::vector<Rooms*>;
  std::optional<Booking> earliest_of_parts(const Wish& wish, const Keepers& barred, const RoomsOfParts& rooms) const;

  const Calendar& calendar() const { return calendar_; }
  // Brings them up to date.
  void renew(Rooms& rooms, const NodeNeed& task) const;

 private:
  void promise(NodeIndex node, const FreeIntervals::Promise& promise);
  bool is_booked(NodeIndex node) const { return !booked_.empty() && booked_[node] != 0; }
  // A node of which something is promised.
  struct BookedNode {
    NodeIndex node = kNone;
    FreeIntervals::Promises promises = 0;
  };
  // When the node, one of the rooms, has room for the task beside what is promised of it.
  std::span<const FreeInterval> free_intervals(const BookedNode& booked, const Rooms::Node& room,
                                               FreeIntervals::OfTask& known) const;
  FreeIntervals::Seen look_at(const Rooms::Node& room, const NodeNeed& task) const;
  // Whether it is not as free as those make it who are there.
  bool is_set_aside(NodeIndex node) const {
    return is_booked(node) || (windows_.any() && !windows_.on_node(node).empty());
  }

  struct Span;
  struct Sweep;
  struct PoolTimes;
  // A time at which a gang could begin.
  struct Start {
    struct Node {
      Minute first = 0;  // since when it has room
      NodeIndex node = kNone;
    };
    Minute minute = 0;
    std::vector<Node> nodes;  // that have room then, by name
  };
  PoolTimes times_of(std::span<const Rooms::Node> pool, const Wish& wish, const Keepers& barred) const;
  std::optional<Booking> look_for(const Wish& wish, const Keepers& barred, Rooms& rooms) const;
  struct Begin;
  // Of a gang without slices.
  std::optional<Begin> earliest_in(const Rooms& rooms, const Rooms::Range& pool, const Wish& wish,
                                   const Keepers& barred) const;
  class Plain;
  Minute first_with_room(Plain plain, std::size_t wanted, Minute enough, const std::vector<Span>& spans) const;
  // Those that begin by `latest`, and maybe some that begin later.
  std::vector<Span> special_spans(const Rooms& rooms, const Rooms::Range& pool, const Wish& wish, const Keepers& barred,
                                  Minute latest) const;
  // Whether when it has room is another matter for whoever wishes that than for others who need the same.
  bool is_special(NodeIndex node, const Wish& wish) const { return is_set_aside(node) || wish.yielding.has(node); }
  std::optional<Start> earliest_in(std::span<const Rooms::Node> pool, const Wish& wish, const Keepers& barred) const;
  void spans_of(const Rooms::Node& node, const Wish& wish, std::vector<Span>& spans) const;
  void add_span(NodeIndex node, const FreeInterval& stretch, const Wish& wish, std::vector<Span>& spans) const;
  Minute window_turn(NodeIndex node, Minute minute) const;
  bool is_closed(NodeIndex node, Minute minute, Pass pass) const;
  IntervalIterator walk(std::span<const Calendar::Step> steps, NodeIndex node, ProfileIndex profile) const;
  // Beside what is promised.
  Free free_at(std::span<const Calendar::Step> steps, NodeIndex node, Minute minute, ProfileIndex profile) const;
  std::int64_t devices_free(const Wish& wish, Minute minute, NodeIndex node) const;
  struct Alike;
  Alike next_alike(const Rooms& rooms, const Wish& wish, const Begin& begin, std::size_t at, std::size_t special) const;
  void add_fullest(const Rooms& rooms, const Wish& wish, const Keepers& barred, const Begin& begin, const Alike& alike,
                   std::vector<Rooms::Place>& chosen) const;
  std::vector<NodeIndex> latest(const Rooms& rooms, const Wish& wish, const Keepers& barred, const Begin& begin) const;
  struct PartOfGang {
    Wish wish;
    std::span<const Rooms::Node> pool;
  };
  using Parts = std::vector<PartOfGang>;
  std::optional<Parts> parts_at(const Wish& wish, const Pool& pool, const RoomsOfParts& rooms) const;
  // By part, at the first minute at which all have room.
  std::optional<std::vector<Start>> earliest_together(const Parts& parts, const Keepers& barred) const;
  static Together together(const Parts& parts, const std::vector<Start>& starts);
  Minute next_begin(const Parts& parts, Minute after, const Keepers& barred) const;
  std::vector<NodeIndex> latest_together(const Parts& parts, const std::vector<Start>& starts) const;
  std::vector<NodeIndex> in_order_of_choice(const Wish& wish, const Start& start) const;
  Booking booking(const Wish& wish, Minute from, ClusterIndex cluster) const;
  std::optional<Start> earliest_slices(const PoolTimes& times, const Wish& wish, Minute from) const;
  bool has_slices(const Wish& wish, const Start& start) const;
  std::vector<NodeIndex> latest_slices(const Wish& wish, const Start& start) const;

  const State::Impl& state_;
  Calendar calendar_;
  AdvanceReservations windows_;
  std::vector<Booking> bookings_;
  Instant quota_from_ = kNever;                        // no job counts on quota before that
  IndexedVector<NodeIndex, std::vector<Index>> here_;  // places in bookings_
  FreeIntervals& free_intervals_;
  IndexedVector<NodeIndex, BookedChanges> turns_;
  // The place of the node, from 1 on, among the nodes of which something is promised. 0: nothing is promised of it.
  IndexedVector<NodeIndex, std::uint32_t> booked_;
  std::vector<BookedNode> booked_nodes_;
  mutable SearchMemo memo_;
  // By minute: how many nodes more begin to have room then. All 0 between searches.
  mutable std::vector<std::int32_t> change_;
  mutable BucketQueue turns_of_special_;  // the same of special nodes; nothing is told between searches
};

}  // namespace ym::engine
