#include "store/store.h"

namespace ym {
namespace {

template <class Key, class Row>
void collect(const RowTable<Key, Row>& rows, const std::set<Key>& touched, std::vector<Shared<Row>>& out) {
  out.reserve(touched.size());
  for (const auto& key : touched)
    if (const auto it = rows.find(key); it != rows.end()) out.push_back(rows.shared(it));
}

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
  collect(tables.jobs, touched.jobs, commit.jobs);
  collect(tables.attempts, touched.attempts, commit.attempts);
  each_named(tables, [&]<class Row>(const NamedRows<Row>& rows) {
    auto& changes = commit.of<Row>();
    collect(rows, touched.of<Row>(), changes.set, [&](const std::string& name) { changes.removed.push_back(name); });
  });
  return commit;
}

}  // namespace ym
