// Tables: the present state, and the fold of events over it.
//
// This is the only place where a row changes. The server's state, the tests of the stores, the start of the engine and
// the simulator use the same fold, so loading the tables and replaying the events give the same state.
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
  std::map<std::string, Principal> principals;
  std::map<std::string, AccessToken> access_tokens;
  std::map<std::string, Role> roles;
  std::map<std::string, Binding> bindings;
  std::map<std::string, Project> projects;
  std::map<std::string, ProvisionedGroup> provisioned_groups;
  std::map<std::string, HistorySegment> history_segments;
  std::map<std::string, Erasure> erasures;
  UsageRows usage;
  SpendingRows spending;
  std::uint64_t last_seq = 0;  // of the last event folded in
  std::uint64_t last_id = 0;   // highest job, group or spec id in use
  std::uint64_t epoch = 0;     // of the last server that took over the state
  Instant last_time;           // of the last event

  bool operator==(const Tables&) const = default;

  // The attempt that holds devices for this job, if there is one.
  const Attempt* live_attempt(JobId job) const;
};

// The only list of the tables with named rows. The code of each place that has them (here, a commit, a store, a
// recording) follows from it and from the names in the row type (Row::kTable, Row::kRow). A new table needs a row type,
// its fields (model/json), a member of Tables and its line here. Stores make it when they open.
inline constexpr std::tuple kNamedTables{&Tables::clusters,
                                         &Tables::nodes,
                                         &Tables::flavors,
                                         &Tables::queues,
                                         &Tables::projects,
                                         &Tables::principals,
                                         &Tables::roles,
                                         &Tables::bindings,
                                         &Tables::usage,
                                         &Tables::access_tokens,
                                         &Tables::spending,
                                         &Tables::policies,
                                         &Tables::reservations,
                                         &Tables::history_segments,
                                         &Tables::provisioned_groups,
                                         &Tables::erasures};

template <class Row>
using NamedRows = std::map<std::string, Row>;

// A tuple with `Of<Row>` for each of their row types: std::get<Of<Queue>>(all).
template <template <class> class Of, class Members = std::remove_const_t<decltype(kNamedTables)>>
struct OfNamedTables;
template <template <class> class Of, class... Rows>
struct OfNamedTables<Of, std::tuple<NamedRows<Rows> Tables::*...>> {
  using Tuple = std::tuple<Of<Rows>...>;
};

// A variant of the members of a tuple.
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

// The name of the table in stores.
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

// Rows that a fold has changed. A store has to write them.
struct Touched {
  std::set<JobId> jobs;
  std::set<AttemptKey> attempts;
  OfNamedTables<NamesOf>::Tuple named;  // set or removed
  Retired retired;                      // code that looks at a row while it changes still sees the previous one

  template <class Row>
  std::set<std::string>& of() {
    return std::get<NamesOf<Row>>(named).names;
  }
  template <class Row>
  const std::set<std::string>& of() const {
    return std::get<NamesOf<Row>>(named).names;
  }
};

// Folds in one event. Preconditions (asserted): event.seq == tables.last_seq + 1, the time does not go backwards, the
// job, attempt or row of the event exists, and model/lifecycle.h allows the transition. Rows that were given away
// (RowTable) are cloned when they are first touched. Without `touched`, only rows that are shared within this thread
// are cloned.
void apply(Tables& tables, const Event& event, Touched* touched = nullptr);

// What an attempt of this job uses, by flavor, with its queue and user.
std::vector<UsageEntry> usage_of(const Attempt& attempt, const Job& job);

// Present price of a GPU-hour for each part of the flavor: Attempt::prices_micros of a job that is admitted now. A
// flavor that does not exist any more costs nothing.
std::vector<std::int64_t> prices_of(std::string_view flavor, const std::map<std::string, Flavor>& flavors);

// The node's flavor. Empty: flavors are configured, and it meets no flavor's conditions.
std::string flavor_of(const Tables& tables, const Node& node);

// What the attempt has cost until `time`, at the prices of its admission. Precondition: it has prices.
Cost cost_until(const Attempt& attempt, const Job& job, Instant time);

// What live attempts use, by queue and user. The amounts are in `entered`.
UsageRows running_usage(const Tables& tables);

// Drops a job that has ended, and its attempts.
void forget(Tables& tables, JobId job);

}  // namespace ym
