// Tables: the present state, and the fold of events over it.
//
// This is the only place where a row changes. The server's state, the store's
// tests, the engine's boot and the simulator use the same fold, so that "load the
// tables" and "replay the events" cannot come apart.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

#include "model/event.h"
#include "model/row_table.h"
#include "model/usage.h"

namespace ym {

// Jobs that have ended may be dropped from memory (`forget`); the store keeps them.
struct Tables {
  RowTable<JobId, Job> jobs;
  RowTable<AttemptKey, Attempt> attempts;
  std::map<std::string, Cluster> clusters;
  std::map<std::string, Node> nodes;
  std::map<std::string, Flavor> flavors;
  std::map<std::string, Queue> queues;
  std::map<std::string, AdvanceReservation> reservations;
  std::map<std::string, PolicyRow> policies;
  UsageRows usage;
  SpendingRows spending;
  std::uint64_t last_seq = 0;  // of the last event folded in
  std::uint64_t last_id = 0;   // highest job, group or spec id in use
  std::uint64_t epoch = 0;     // of the last server that took over
  Instant last_time;           // of the last event

  bool operator==(const Tables&) const = default;

  // The attempt that holds devices for this job, if there is one.
  const Attempt* live_attempt(JobId job) const;
};

// The tables of named rows: the one list of them. What is kept of each by name (here, in a commit, in a store, in a
// recording) follows from it and from the names in its row (Row::kTable, Row::kRow). A new one is a row, its fields
// (model/json), a member of Tables and its line here, and a migration of each store.
inline constexpr std::tuple kNamedTables{&Tables::clusters,     &Tables::nodes,    &Tables::flavors, &Tables::queues,
                                         &Tables::reservations, &Tables::policies, &Tables::usage,   &Tables::spending};

template <class Row>
using NamedRows = std::map<std::string, Row>;

// What `Of` makes of each of their rows, side by side: std::get<Of<Queue>>(all).
template <template <class> class Of, class Members = std::remove_const_t<decltype(kNamedTables)>>
struct OfNamedTables;
template <template <class> class Of, class... Rows>
struct OfNamedTables<Of, std::tuple<NamedRows<Rows> Tables::*...>> {
  using Tuple = std::tuple<Of<Rows>...>;
};

// One of the members of a tuple.
template <class Tuple>
struct AsVariant;
template <class... Members>
struct AsVariant<std::tuple<Members...>> {
  using Type = std::variant<Members...>;
};
template <class Tuple>
using VariantOf = AsVariant<Tuple>::Type;

template <class Row>
const NamedRows<Row>& rows_of(const Tables& tables) {
  return tables.*std::get<NamedRows<Row> Tables::*>(kNamedTables);
}
template <class Row>
NamedRows<Row>& rows_of(Tables& tables) {
  return tables.*std::get<NamedRows<Row> Tables::*>(kNamedTables);
}

// The name of the table, as stores know it.
template <class Row>
constexpr std::string_view table_of(NamedRows<Row> Tables::*) {
  return Row::kTable;
}

// Calls visit(tables.clusters) and so on.
template <class AnyTables, class Visit>
void each_named(AnyTables& tables, Visit visit) {
  std::apply([&](auto... rows) { (visit(tables.*rows), ...); }, kNamedTables);
}

// Names of rows of one of these tables.
template <class Row>
struct NamesOf {
  std::set<std::string> names;
};

// Rows that a fold has changed: what a store has to write.
struct Touched {
  std::set<JobId> jobs;
  std::set<AttemptKey> attempts;
  OfNamedTables<NamesOf>::Tuple named;  // set or removed
  Retired retired;                      // so that whoever looks at a row while it changes looks at what was

  template <class Row>
  std::set<std::string>& of() {
    return std::get<NamesOf<Row>>(named).names;
  }
  template <class Row>
  const std::set<std::string>& of() const {
    return std::get<NamesOf<Row>>(named).names;
  }
};

// Folds one event in. Preconditions (asserted): event.seq == tables.last_seq + 1,
// time does not run backwards, what it speaks of exists, and the transition is one
// that model/lifecycle.h allows. Rows that were given away before (RowTable) are cloned when they are first touched;
// without `touched`, those that somebody else of this thread has.
void apply(Tables& tables, const Event& event, Touched* touched = nullptr);

// What the attempt of this job uses, and whose that is, by flavor.
std::vector<UsageEntry> usage_of(const Attempt& attempt, const Job& job);

// Of a GPU for an hour, by part of the flavor, as of now: Attempt::prices_micros of what is admitted now. A flavor that
// is gone costs nothing.
std::vector<std::int64_t> prices_of(std::string_view flavor, const std::map<std::string, Flavor>& flavors);

// What the attempt has cost until then, at the prices of its admission. Precondition: it has them.
Cost cost_until(const Attempt& attempt, const Job& job, Instant time);

// What the attempts that have not ended use, by queue and user, as entered.
UsageRows running_usage(const Tables& tables);

// Drops a job that has ended, and its attempts.
void forget(Tables& tables, JobId job);

}  // namespace ym
