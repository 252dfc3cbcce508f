// ObjectTable: the objects of one kind as a list and the events after it say they are.
//
// Pure. Events may come twice, late or out of order, and be of an object of the same name that is no more: what is
// older than what is known changes nothing. Versions are compared as numbers, as the API promises that they
// can be; one that is no number is taken as it comes. A list replaces all: what it does not name any more was deleted.
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
    std::vector<View> removed;  // as they were last
    std::vector<View> present;  // new or changed
  };

  Delta put(View view) {
    Delta delta;
    put_into(std::move(view), delta);
    return delta;
  }

  // `last`: the object as it was when it was deleted.
  Delta remove(View last) {
    Delta delta;
    const auto key = key_of(last.meta);
    bury(key, last.meta.version);
    const auto found = objects_.find(key);
    if (found == objects_.end()) return delta;
    const auto& known = found->second.meta;
    const bool same = known.uid == last.meta.uid;
    // Of a predecessor of the same name.
    if (!same && not_newer(last.meta.version, known.version)) return delta;
    // What was seen last may be newer than what the event has, if that came late.
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

  // Null: there is none.
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
    const auto buried = buried_.find(key);
    if (buried != buried_.end() && not_newer(view.meta.version, buried->second)) return;
    const auto found = objects_.find(key);
    if (found != objects_.end()) {
      if (not_newer(view.meta.version, found->second.meta.version)) return;
      if (found->second.meta.uid != view.meta.uid) delta.removed.push_back(std::move(found->second));
    }
    delta.present.push_back(view);
    objects_.insert_or_assign(key, std::move(view));
  }

  // So that an event of its life that comes late does not bring it back.
  void bury(const Key& key, const std::string& version) {
    auto [at, fresh] = buried_.try_emplace(key, version);
    if (!fresh && not_newer(at->second, version)) at->second = version;
    if (fresh) order_.push_back(key);
    if (order_.size() <= kRemembered) return;
    buried_.erase(order_.front());
    order_.pop_front();
  }

  std::map<Key, View> objects_;
  std::set<Key> listed_;
  std::map<Key, std::string> buried_;
  std::deque<Key> order_;
};

}  // namespace ym::kubernetes
