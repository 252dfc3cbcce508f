// RowFold: the part of the fold that sets and removes whole rows. Private to this library.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/assert.h"
#include "model/tables.h"

namespace ym {

class RowFold {
 public:
  void operator()(const ClusterSet& e) { set(&Tables::clusters, &Touched::clusters, e.cluster); }
  void operator()(const ClusterRemoved& e) { remove(&Tables::clusters, &Touched::clusters, e.name); }
  void operator()(const NodeSet& e) { set(&Tables::nodes, &Touched::nodes, e.node); }
  void operator()(const NodeRemoved& e) { remove(&Tables::nodes, &Touched::nodes, e.name); }
  void operator()(const FlavorSet& e) { set(&Tables::flavors, &Touched::flavors, e.flavor); }
  void operator()(const FlavorRemoved& e) { remove(&Tables::flavors, &Touched::flavors, e.name); }
  void operator()(const NodesWanted& e) {
    const auto it = tables_.flavors.find(e.flavor);
    YM_ASSERT(it != tables_.flavors.end() && e.nodes >= 0);
    set_wanted(it->second, e.nodes, time_);
    touch(&Touched::flavors, e.flavor);
  }
  void operator()(const QueueSet& e) { set(&Tables::queues, &Touched::queues, e.queue); }
  void operator()(const QueueRemoved& e) { remove(&Tables::queues, &Touched::queues, e.name); }
  void operator()(const ReservationSet& e) { set(&Tables::reservations, &Touched::reservations, e.reservation); }
  void operator()(const ReservationRemoved& e) { remove(&Tables::reservations, &Touched::reservations, e.name); }
  void operator()(const PolicySet& e) { set(&Tables::policies, &Touched::policies, e.policy); }
  void operator()(const PolicyRemoved& e) { remove(&Tables::policies, &Touched::policies, e.name); }

 protected:
  // Newest first.
  template <class Item>
  static void remember(std::vector<Item>& items, const Item& item, std::size_t most) {
    items.insert(items.begin(), item);
    if (items.size() > most) items.resize(most);
  }

  RowFold(Tables& tables, Instant time, Touched* touched) : tables_(tables), time_(time), touched_(touched) {}

  template <class Key>
  void touch(std::set<Key> Touched::* keys, const Key& key) {
    if (touched_) (touched_->*keys).insert(key);
  }

  Tables& tables_;

 private:
  using Names = std::set<std::string> Touched::*;
  template <class Row>
  void set(std::map<std::string, Row> Tables::* rows, Names touched, const Row& row) {
    (tables_.*rows).insert_or_assign(row.name, row);
    touch(touched, row.name);
  }
  template <class Row>
  void remove(std::map<std::string, Row> Tables::* rows, Names touched, const std::string& name) {
    YM_ASSERT((tables_.*rows).erase(name) == 1);
    touch(touched, name);
  }

  Instant time_;  // of the event
  Touched* touched_;
};

}  // namespace ym
