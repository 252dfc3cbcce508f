// For tests: trees of queues with quota of GPUs in one flavor.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/quota/quota_tree.h"

namespace ym::engine::testing {

inline constexpr auto kGpus = ResourceKind::gpus;

struct Limits {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrow{}, lend{};
};

// Queues with quota of GPUs in flavor "f", or without quota.
class Tree {
 public:
  Tree& queue(const std::string& name, const std::string& parent, std::optional<Limits> limits) {
    Queue row{.name = name, .parent = parent, .quota = {}, .age_cap = {}};
    if (limits) {
      FlavorQuota quota;
      quota[static_cast<std::size_t>(kGpus)] =
          Quota{.nominal = limits->nominal, .borrowing_limit = limits->borrow, .lending_limit = limits->lend};
      row.quota = {{"f", quota}};
    }
    rows_[name] = row;
    tree_.rebuild(rows_, names_, flavors_);
    return *this;
  }
  void add(const std::string& name, std::int64_t amount) { tree_.add(names_.find(name), FlavorIndex{0}, gpus(amount)); }
  void remove(const std::string& name, std::int64_t amount) {
    tree_.remove(names_.find(name), FlavorIndex{0}, gpus(amount));
  }
  std::int64_t available(const std::string& name) {
    return tree_.available(names_.find(name), FlavorIndex{0}, kGpus).amount;
  }
  std::string limit(const std::string& name) {
    return names_[tree_.available(names_.find(name), FlavorIndex{0}, kGpus).queue];
  }
  std::int64_t potential(const std::string& name) {
    return tree_.potential(names_.find(name), FlavorIndex{0}, kGpus).amount;
  }
  std::int64_t usage(const std::string& name) { return tree_.usage(names_.find(name), FlavorIndex{0}, kGpus); }
  std::int64_t subtree(const std::string& name) { return tree_.subtree(names_.find(name), FlavorIndex{0}, kGpus); }
  bool limited(const std::string& name) { return tree_.limited(names_.find(name), FlavorIndex{0}, kGpus); }
  std::string highest_short(const std::string& name, std::int64_t needed) {
    const QueueIndex highest = tree_.highest_short(names_.find(name), FlavorIndex{0}, kGpus, needed);
    return highest == kNone ? "" : names_[highest];
  }
  bool short_by_right(const std::string& name, std::int64_t needed) {
    return tree_.is_short_by_right(names_.find(name), FlavorIndex{0}, kGpus, needed);
  }
  bool short_in_all(const std::string& name, std::int64_t needed) {
    return tree_.is_short_in_all(names_.find(name), FlavorIndex{0}, kGpus, needed);
  }
  QueueFault fault(const std::string& name) { return tree_.fault(names_.find(name)); }
  const QuotaTree& tree() const { return tree_; }

 private:
  static ResourceVector gpus(std::int64_t amount) {
    ResourceVector amounts;
    amounts[kGpus] = amount;
    return amounts;
  }

  std::map<std::string, Queue> rows_;
  Names<QueueIndex> names_;
  Names<FlavorIndex> flavors_;
  QuotaTree tree_;
};

inline Tree two_in_a_cohort(Limits a, Limits b) {
  return Tree().queue("org", "", std::nullopt).queue("a", "org", a).queue("b", "org", b);
}

}  // namespace ym::engine::testing
