// ObjectTable: the objects of one kind, from a list and the events after it.
//
// Pure. Events may be repeated, late or out of order, and may be about an earlier object with the same name. An event
// that is older than the known state changes nothing. Versions are compared as numbers, as the API guarantees; an event
// with another version is applied as it comes. A list replaces everything: objects that it does not name were deleted.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/whole_number.h"
#include "executor/kubernetes/pods/pod_view.h"

namespace ym::kubernetes {

// Whether version `a` is certainly not newer than `b`.
inline bool not_newer(const std::string& a, const std::string& b) {
  const auto x = whole_number<std::uint64_t>(a), y = whole_number<std::uint64_t>(b);
  return x && y && *x <= *y;
}

// View: a value with a member `ObjectMeta meta`.
template <class View>
class ObjectTable {
 public:
  struct Delta {
    std::vector<View> removed;  // their last known state
    std::vector<View> present;  // new or changed
  };

  Delta put(View view) {
    Delta delta;
    put_into(std::move(view), delta);
    return delta;
  }

  // `last`: the state of the object at its deletion.
  Delta remove(View last) {
    Delta delta;
    const auto key = key_of(last.meta);
    remember_deleted(key, last.meta.version);
    const auto found = objects_.find(key);
    if (found == objects_.end()) return delta;
    const auto& known = found->second.meta;
    const bool same = known.uid == last.meta.uid;
    // The event is about a predecessor with the same name.
    if (!same && not_newer(last.meta.version, known.version)) return delta;
    // If the event is late, the known state may be newer than the event's.
    const bool later = same && !not_newer(last.meta.version, known.version);
    delta.removed.push_back(later ? std::move(last) : std::move(found->second));
    objects_.erase(found);
    return delta;
  }

  void begin_list() { listed_.clear(); }
  Delta list(View view) {
    listed_.insert(key_of(view.meta));
    return put(std::move(view));
  }
  Delta end_list() {
    Delta delta;
    for (auto it = objects_.begin(); it != objects_.end();) {
      if (listed_.contains(it->first)) {
        ++it;
        continue;
      }
      delta.removed.push_back(std::move(it->second));
      it = objects_.erase(it);
    }
    listed_.clear();
    return delta;
  }

  // Null: it does not exist.
  const View* find(const std::string& name_space, const std::string& name) const {
    const auto found = objects_.find({name_space, name});
    return found == objects_.end() ? nullptr : &found->second;
  }
  const std::map<std::pair<std::string, std::string>, View>& all() const { return objects_; }

 private:
  using Key = std::pair<std::string, std::string>;
  static constexpr std::size_t kRemembered = 8192;

  static Key key_of(const ObjectMeta& meta) { return {meta.name_space, meta.name}; }

  void put_into(View view, Delta& delta) {
    const auto key = key_of(view.meta);
    const auto deleted = deleted_.find(key);
    if (deleted != deleted_.end() && not_newer(view.meta.version, deleted->second)) return;
    const auto found = objects_.find(key);
    if (found != objects_.end()) {
      if (not_newer(view.meta.version, found->second.meta.version)) return;
      if (found->second.meta.uid != view.meta.uid) delta.removed.push_back(std::move(found->second));
    }
    delta.present.push_back(view);
    objects_.insert_or_assign(key, std::move(view));
  }

  // So that a late event about a deleted object does not bring it back.
  void remember_deleted(const Key& key, const std::string& version) {
    auto [at, fresh] = deleted_.try_emplace(key, version);
    if (!fresh && not_newer(at->second, version)) at->second = version;
    if (fresh) order_.push_back(key);
    if (order_.size() <= kRemembered) return;
    deleted_.erase(order_.front());
    order_.pop_front();
  }

  std::map<Key, View> objects_;
  std::set<Key> listed_;
  std::map<Key, std::string> deleted_;
  std::deque<Key> order_;
};

}  // namespace ym::kubernetes
