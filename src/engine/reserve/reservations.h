// Backfill reservations: machines that waiting jobs get from a time on.
//
// Later jobs may use them until then: they must be gone for sure, or the holder must be able to stop them in time (by
// the rule of the queue of both, minimum run time and grace included). This is EASY backfill (Lifka 1995) with one
// reservation a queue, and conservative backfill with one a job. A reservation is for amounts of each node, not for
// certain devices: those are chosen when it begins.
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
#include "engine/state/timeline/free_intervals.h"
#include "engine/state/timeline/free_times.h"

namespace ym::engine {

// What a waiting job would like to reserve.
struct PlaceRequest {
  GangNeed need;
  Flavors flavors;
  Minute length = kNoMinute;  // kNoMinute: it has no limit
  Minute not_before = 0;      // when its quota becomes available
  Pass pass = kNoPass;
  Yielding yielding;  // jobs that it may stop when its time has come
  Slot slot = kNone;  // of the job; kNone: the result is not cached
};

class Reservations {
 public:
  // `free_intervals` is the state's, for the current time. The arguments must outlive it.
  Reservations(const State::Impl& state, FreeIntervals& free_intervals, const Policy& policy, Instant now);

  void clear();
  // Whether anything may be in a job's way.
  bool any() const { return !bookings_.empty() || advance_.any(); }
  const AdvanceReservations& advance_reservations() const { return advance_; }
  // In the order in which they were made.
  const IndexedVector<BookingIndex, Booking>& all() const { return bookings_; }
  void add(Booking booking);

  // Whether a task that gets its part of the node now is in a holder's way. Precondition: it has room there now.
  // `own`: the slot of the job, if its own reservation does not count.
  bool in_way(NodeIndex node, const NodeNeed& need, const Walltime& walltime, Slot own = kNone) const;
  // Whether a holder relies on quota of this tree that the job may still have then.
  bool counts_on_quota(QueueIndex root, const Walltime& walltime, Slot own = kNone) const;
  // Whether the job must be gone when the booking begins.
  bool is_respected(const Booking& booking, const Walltime& walltime) const;

  // The earliest time at which there is room besides existing reservations, and nodes for it: the ones that have had
  // room for the shortest time then, of these the ones with the fewest free devices, then by name. Nothing: no time is
  // known. `barred`: by node, the job that keeps it; kNone: none. Sets flavor, nodes and times of the booking.
  // `free_times` has the nodes for this need and flavor; the call brings it up to date. Precondition: if the request
  // has a slot, `barred` keeps no nodes.
  std::optional<Booking> earliest(const PlaceRequest& request, const Keepers& barred, FreeTimes& free_times) const;

  // The same for a mix, whose parts begin together. `free_times`: of the parts that have nodes.
  using FreeTimesOfParts = IndexedVector<PartIndex, FreeTimes*>;
  std::optional<Booking> earliest_of_parts(const PlaceRequest& request, const Keepers& barred,
                                           const FreeTimesOfParts& free_times) const;

  const Calendar& calendar() const { return calendar_; }
  // Brings them up to date.
  void renew(FreeTimes& free_times, const NodeNeed& task) const;

 private:
  void book(NodeIndex node, const FreeIntervals::ReservedPart& reserved_part);
  bool is_booked(NodeIndex node) const { return !booked_.empty() && booked_[node] != kNone; }
  using BookedIndex = StrongIndex<struct BookedTag>;
  // A node with reservations.
  struct BookedNode {
    NodeIndex node = kNone;
    FreeIntervals::ReservationListId reservation_list = kNone;
  };
  // When the node, one of a FreeTimes, has room for the task besides its reservations.
  std::span<const FreeInterval> free_intervals(const BookedNode& booked, const FreeTimes::Node& room,
                                               FreeIntervals::OfTask& known) const;
  FreeIntervals::Seen look_at(const FreeTimes::Node& room, const NodeNeed& task) const;
  // Whether something other than the jobs on the node limits what is free.
  bool is_set_aside(NodeIndex node) const {
    return is_booked(node) || (advance_.any() && !advance_.on_node(node).empty());
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
  PoolTimes times_of(std::span<const FreeTimes::Node> pool, const PlaceRequest& request, const Keepers& barred) const;
  std::optional<Booking> look_for(const PlaceRequest& request, const Keepers& barred, FreeTimes& free_times) const;
  struct Begin;
  // For a gang without slices.
  std::optional<Begin> earliest_in(const FreeTimes& free_times, const FreeTimes::Range& pool,
                                   const PlaceRequest& request, const Keepers& barred) const;
  class Plain;
  Minute first_with_room(Plain plain, std::size_t wanted, Minute enough, const std::vector<Span>& spans) const;
  // The spans that begin by `latest`, and maybe some that begin later.
  std::vector<Span> special_spans(const FreeTimes& free_times, const FreeTimes::Range& pool,
                                  const PlaceRequest& request, const Keepers& barred, Minute latest) const;
  // Whether the node's times of room for this request differ from those for other jobs with the same need.
  bool is_special(NodeIndex node, const PlaceRequest& request) const {
    return is_set_aside(node) || request.yielding.has(node);
  }
  std::optional<Start> earliest_in(std::span<const FreeTimes::Node> pool, const PlaceRequest& request,
                                   const Keepers& barred) const;
  void spans_of(const FreeTimes::Node& node, const PlaceRequest& request, std::vector<Span>& spans) const;
  void add_span(NodeIndex node, const FreeInterval& stretch, const PlaceRequest& request,
                std::vector<Span>& spans) const;
  Minute next_advance_change(NodeIndex node, Minute minute) const;
  bool is_closed(NodeIndex node, Minute minute, Pass pass) const;
  IntervalIterator walk(std::span<const Calendar::Step> steps, NodeIndex node, ProfileIndex profile) const;
  // Besides reservations.
  Free free_at(std::span<const Calendar::Step> steps, NodeIndex node, Minute minute, ProfileIndex profile) const;
  std::int64_t devices_free(const PlaceRequest& request, Minute minute, NodeIndex node) const;
  struct Alike;
  Alike next_alike(const FreeTimes& free_times, const PlaceRequest& request, const Begin& begin,
                   FreeTimes::OrderIndex at, std::size_t special) const;
  void add_fullest(const FreeTimes& free_times, const PlaceRequest& request, const Keepers& barred, const Begin& begin,
                   const Alike& alike, std::vector<FreeTimes::Place>& chosen) const;
  std::vector<NodeIndex> latest(const FreeTimes& free_times, const PlaceRequest& request, const Keepers& barred,
                                const Begin& begin) const;
  struct PartOfGang {
    PlaceRequest request;
    std::span<const FreeTimes::Node> pool;
  };
  using Parts = IndexedVector<PartIndex, PartOfGang>;
  using Starts = IndexedVector<PartIndex, Start>;
  std::optional<Parts> parts_at(const PlaceRequest& request, const Pool& pool,
                                const FreeTimesOfParts& free_times) const;
  // At the first minute at which all have room.
  std::optional<Starts> earliest_together(const Parts& parts, const Keepers& barred) const;
  static Together together(const Parts& parts, const Starts& starts);
  Minute next_begin(const Parts& parts, Minute after, const Keepers& barred) const;
  std::vector<NodeIndex> latest_together(const Parts& parts, const Starts& starts) const;
  std::vector<NodeIndex> in_order_of_choice(const PlaceRequest& request, const Start& start) const;
  Booking booking(const PlaceRequest& request, Minute from, ClusterIndex cluster) const;
  std::optional<Start> earliest_slices(const PoolTimes& times, const PlaceRequest& request, Minute from) const;
  bool has_slices(const PlaceRequest& request, const Start& start) const;
  std::vector<NodeIndex> latest_slices(const PlaceRequest& request, const Start& start) const;

  const State::Impl& state_;
  Calendar calendar_;
  AdvanceReservations advance_;
  IndexedVector<BookingIndex, Booking> bookings_;
  Instant quota_from_ = kNever;  // earliest time at which a holder relies on quota
  IndexedVector<NodeIndex, std::vector<BookingIndex>> here_;
  FreeIntervals& free_intervals_;
  IndexedVector<NodeIndex, BookedChanges> changes_;
  IndexedVector<NodeIndex, BookedIndex> booked_;  // kNone: it has no reservations
  IndexedVector<BookedIndex, BookedNode> booked_nodes_;
  mutable SearchMemo memo_;
  // By minute: how many more nodes have room from then on. All 0 between searches.
  mutable std::vector<std::int32_t> change_;
  mutable BucketQueue changes_of_special_;  // the same for special nodes; empty between searches
};

}  // namespace ym::engine
