#include "store/store.h"

namespace ym {
namespace {

template <class Key, class Row, class Keys, class Missing>
void collect(const std::map<Key, Row>& rows, const Keys& touched, std::vector<Row>& out, Missing missing) {
  out.reserve(touched.size());
  for (const auto& key : touched) {
    if (const auto it = rows.find(key); it != rows.end()) out.push_back(it->second);
    else missing(key);
  }
}

}  // namespace

Commit make_commit(const Tables& tables, const Touched& touched, std::vector<Event> events) {
  Commit commit{.events = std::move(events)};
  const auto removed_into = [](std::vector<std::string>& names) {
    return [&names](const std::string& name) { names.push_back(name); };
  };
  const auto never = [](const auto&) {};
  collect(tables.jobs, touched.jobs, commit.jobs, never);
  collect(tables.attempts, touched.attempts, commit.attempts, never);
  collect(tables.clusters, touched.clusters, commit.clusters, removed_into(commit.removed_clusters));
  collect(tables.nodes, touched.nodes, commit.nodes, removed_into(commit.removed_nodes));
  collect(tables.flavors, touched.flavors, commit.flavors, removed_into(commit.removed_flavors));
  collect(tables.queues, touched.queues, commit.queues, removed_into(commit.removed_queues));
  collect(tables.reservations, touched.reservations, commit.reservations, removed_into(commit.removed_reservations));
  collect(tables.policies, touched.policies, commit.policies, removed_into(commit.removed_policies));
  collect(tables.usage, touched.usage, commit.usage, removed_into(commit.removed_usage));
  collect(tables.spending, touched.spending, commit.spending, removed_into(commit.removed_spending));
  return commit;
}

}  // namespace ym
