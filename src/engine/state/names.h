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

// Names keep their index until they are released, even if the named thing is removed and comes back.
template <class I>
class Names {
 public:
  I intern(std::string_view name) {
    if (const auto it = indices_.find(name); it != indices_.end()) return it->second;
    I index = names_.end_index();
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
  // Another name may get the index.
  void release(I index) {
    const auto erased = indices_.erase(names_[index]);
    YM_ASSERT(erased == 1);
    names_[index].clear();
    unused_.push_back(index);
  }
  // kNone if the name was never seen.
  I find(std::string_view name) const {
    const auto it = indices_.find(name);
    return it == indices_.end() ? I(kNone) : it->second;
  }
  const std::string& operator[](I index) const { return names_[index]; }
  std::size_t size() const { return names_.size(); }  // unused indices included
  // In order of name.
  const std::map<std::string, I, std::less<>>& by_name() const { return indices_; }

 private:
  std::map<std::string, I, std::less<>> indices_;
  IndexedVector<I, std::string> names_;
  std::vector<I> unused_;
};

// Equal keys share an index while it has a user. After that another key may get it.
template <class Key, class I>
class Shared {
 public:
  struct Acquired {
    I index;
    bool fresh;  // no other user has it
  };

  Acquired acquire(const Key& key) {
    const auto [it, fresh] = indices_.try_emplace(key, kNone);
    if (fresh) it->second = place(key);
    users_[it->second] += 1;
    return {it->second, fresh};
  }
  // True if it has no user any more.
  bool release(I index) {
    YM_ASSERT(users_[index] > 0);
    if (--users_[index] > 0) return false;
    indices_.erase(keys_[index]);
    unused_.push_back(index);
    return true;
  }
  const Key& operator[](I index) const { return keys_[index]; }
  bool in_use(I index) const { return users_[index] > 0; }
  std::size_t size() const { return keys_.size(); }  // unused indices included

 private:
  I place(const Key& key) {
    if (unused_.empty()) {
      users_.push_back(0);
      return keys_.push_back(key);
    }
    const I index = unused_.back();
    unused_.pop_back();
    keys_[index] = key;
    return index;
  }

  std::map<Key, I> indices_;
  IndexedVector<I, Key> keys_;
  IndexedVector<I, std::uint32_t> users_;
  std::vector<I> unused_;
};

}  // namespace ym::engine
