// DueList: due times by key; each key has one time.
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
  // Replaces the key's time.
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
  // The key with the earliest time, if that has come. Of equal times, the least key.
  std::optional<Key> due(Instant now) const {
    if (order_.empty() || order_.begin()->first > now) return std::nullopt;
    return order_.begin()->second;
  }

 private:
  std::map<Key, Instant> due_;
  std::set<std::pair<Instant, Key>> order_;
};

}  // namespace ym
