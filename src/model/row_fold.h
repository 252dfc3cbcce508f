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
  template <class Row>
  void operator()(const RowSet<Row>& e) {
    rows_of<Row>(tables_).insert_or_assign(e.row.name, e.row);
    touch<Row>(e.row.name);
  }
  template <class Row>
  void operator()(const RowRemoved<Row>& e) {
    YM_ASSERT(rows_of<Row>(tables_).erase(e.name) == 1);
    touch<Row>(e.name);
  }
  void operator()(const NodesWanted& e) {
    const auto it = tables_.flavors.find(e.flavor);
    YM_ASSERT(it != tables_.flavors.end() && e.nodes >= 0);
    set_wanted(it->second, e.nodes, time_);
    touch<Flavor>(e.flavor);
  }

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
  // Whether other code may have been given the row: not if the row was touched before.
  template <class Key>
  RowGiven touch_first(std::set<Key> Touched::* keys, const Key& key) {
    return touched_ && (touched_->*keys).insert(key).second ? RowGiven::maybe : RowGiven::no;
  }
  Retired* retired() { return touched_ ? &touched_->retired : nullptr; }
  template <class Row>
  void touch(const std::string& name) {
    if (touched_) touched_->of<Row>().insert(name);
  }

  Tables& tables_;

 private:
  Instant time_;  // of the event
  Touched* touched_;
};

}  // namespace ym
