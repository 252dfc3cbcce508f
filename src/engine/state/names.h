// Names and small keys as dense indices.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "engine/state/indices.h"

namespace ym::engine {

// Names that keep their index until they are released, also when what they name is removed
// and comes back.
class Names {
 public:
  Index intern(std::string_view name) {
    if (const auto it = indices_.find(name); it != indices_.end()) return it->second;
    Index index = size();
    if (unused_.empty()) {
      names_.emplace_back(name);
    } else {
      index = unused_.back();
      unused_.pop_back();
      names_[index] = name;
    }
    indices_.emplace(name, index);
    return index;
  }
  // The index is given to another name.
  void release(Index index) {
    const auto erased = indices_.erase(names_[index]);
    YM_ASSERT(erased == 1);
    names_[index].clear();
    unused_.push_back(index);
  }
  // kNone if the name was never seen.
  Index find(std::string_view name) const {
    const auto it = indices_.find(name);
    return it == indices_.end() ? kNone : it->second;
  }
  const std::string& operator[](Index index) const { return names_[index]; }
  Index size() const { return static_cast<Index>(names_.size()); }  // unused indices included
  // In order of name.
  const std::map<std::string, Index, std::less<>>& by_name() const { return indices_; }

 private:
  std::map<std::string, Index, std::less<>> indices_;
  std::vector<std::string> names_;
  std::vector<Index> unused_;
};

// Equal keys share an index for as long as somebody uses it; then it is given to others.
template <class Key>
class Shared {
 public:
  struct Acquired {
    Index index;
    bool fresh;  // nobody else uses it
  };

  Acquired acquire(const Key& key) {
    const auto [it, fresh] = indices_.try_emplace(key, kNone);
    if (fresh) it->second = place(key);
    users_[it->second] += 1;
    return {it->second, fresh};
  }
  // True if nobody uses it any more.
  bool release(Index index) {
    YM_ASSERT(users_[index] > 0);
    if (--users_[index] > 0) return false;
    indices_.erase(keys_[index]);
    unused_.push_back(index);
    return true;
  }
  const Key& operator[](Index index) const { return keys_[index]; }
  bool in_use(Index index) const { return users_[index] > 0; }
  Index size() const { return static_cast<Index>(keys_.size()); }  // unused indices included

 private:
  Index place(const Key& key) {
    if (unused_.empty()) {
      keys_.push_back(key);
      users_.push_back(0);
      return size() - 1;
    }
    const Index index = unused_.back();
    unused_.pop_back();
    keys_[index] = key;
    return index;
  }

  std::map<Key, Index> indices_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> users_;
  std::vector<Index> unused_;
};

}  // namespace ym::engine
