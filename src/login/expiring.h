// Expiring: values that are kept for a time, by a text that only its holder knows.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/time.h"

namespace ym::login {

// Not thread-safe.
template <class Value>
class Expiring {
 public:
  Expiring(Duration lifetime, std::size_t most) : lifetime_(lifetime), most_(most) {}

  // False: there are too many.
  bool put(const std::string& key, Value value, Instant now) {
    forget_old(now);
    if (kept_.size() >= most_) return false;
    kept_.insert_or_assign(key, Kept{std::move(value), now + lifetime_});
    return true;
  }
  // Null: it is unknown or has expired.
  Value* find(const std::string& key, Instant now) {
    const auto found = kept_.find(key);
    return found == kept_.end() || found->second.until <= now ? nullptr : &found->second.value;
  }
  // Each value is taken once.
  std::optional<Value> take(const std::string& key, Instant now) {
    Value* found = find(key, now);
    if (found == nullptr) return std::nullopt;
    std::optional<Value> value(std::move(*found));
    kept_.erase(key);
    return value;
  }
  // The first one that fits. Null: none.
  template <class Fits>
  Value* find_if(Fits fits, Instant now) {
    for (auto& [key, kept] : kept_)
      if (kept.until > now && fits(kept.value)) return &kept.value;
    return nullptr;
  }
  template <class Fits>
  std::size_t count_if(Fits fits, Instant now) {
    std::size_t count = 0;
    for (const auto& [key, kept] : kept_) count += kept.until > now && fits(kept.value) ? 1 : 0;
    return count;
  }

 private:
  struct Kept {
    Value value;
    Instant until;
  };
  void forget_old(Instant now) {
    std::erase_if(kept_, [now](const auto& entry) { return entry.second.until <= now; });
  }

  Duration lifetime_;
  std::size_t most_;
  std::map<std::string, Kept> kept_;
};

}  // namespace ym::login
