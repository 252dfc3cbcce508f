// IdempotencyBook: the requests that may be sent again, by principal and key.
//
// Values; one thread.
#pragma once

#include <string_view>
#include <unordered_set>
#include <utility>

#include "store/store.h"

namespace ym {

class IdempotencyBook {
 public:
  // Null if there is none; good until the book is changed.
  const IdempotencyRecord* find(std::string_view principal, std::string_view key) const {
    const auto it = records_.find(Name{principal, key});
    return it == records_.end() ? nullptr : &*it;
  }
  // Replaces an earlier one of that name.
  void put(IdempotencyRecord record) {
    if (const auto it = records_.find(name_of(record)); it != records_.end()) records_.erase(it);
    records_.insert(std::move(record));
  }
  void forget_before(Instant horizon) {
    std::erase_if(records_, [horizon](const auto& record) { return record.at < horizon; });
  }
  void clear() { records_.clear(); }

 private:
  using Name = std::pair<std::string_view, std::string_view>;
  static Name name_of(const Name& name) { return name; }
  static Name name_of(const IdempotencyRecord& record) { return {record.principal, record.key}; }
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const auto& named) const {
      const auto [principal, key] = name_of(named);
      const std::hash<std::string_view> hash;
      return hash(key) ^ (hash(principal) << 1);
    }
  };
  struct SameName {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const { return name_of(a) == name_of(b); }
  };
  std::unordered_set<IdempotencyRecord, Hash, SameName> records_;
};

}  // namespace ym
