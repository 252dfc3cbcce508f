// DueList: what is to be done when, by key; each key at one time only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/time.h"

namespace ym {

template <class Key>
class DueList {
 public:
  // Replaces the time that the key had.
  void set(const Key& key, Instant due) {
    erase(key);
    due_.emplace(key, due);
    order_.emplace(due, key);
  }
  void erase(const Key& key) {
    const auto it = due_.find(key);
    if (it == due_.end()) return;
    order_.erase({it->second, key});
    due_.erase(it);
  }

  // The earliest time of all.
  std::optional<Instant> next() const { return order_.empty() ? std::nullopt : std::optional(order_.begin()->first); }
  // The earliest of those whose time has come; of equal ones the least key.
  std::optional<Key> due(Instant now) const {
    if (order_.empty() || order_.begin()->first > now) return std::nullopt;
    return order_.begin()->second;
  }

 private:
  std::map<Key, Instant> due_;
  std::set<std::pair<Instant, Key>> order_;
};

}  // namespace ym
