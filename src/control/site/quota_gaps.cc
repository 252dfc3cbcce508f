#include "control/site/quota_gaps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace ym {
namespace {

class Tree {
 public:
  explicit Tree(const std::vector<Queue>& queues) {
    for (const auto& queue : queues) by_name_.emplace(queue.name, &queue);
    for (const auto& queue : queues) parents_.insert(queue.parent);
    for (const auto& queue : queues)
      if (queue.quota) with_quota_.insert(root_of(queue));
  }

  bool has_quota() const { return !with_quota_.empty(); }
  bool shares_quota(const Queue& queue) const { return with_quota_.contains(root_of(queue)); }

  // The children of a cohort use its quota as theirs.
  bool is_gap(const Queue& queue) const {
    if (!queue.accepts_jobs || parents_.contains(queue.name)) return false;
    for (const auto* at = &queue; at != nullptr; at = above(*at))
      if (at->quota) return false;
    return true;
  }

 private:
  const Queue* above(const Queue& queue) const {
    const auto found = by_name_.find(queue.parent);
    return found == by_name_.end() ? nullptr : found->second;
  }

  std::string root_of(const Queue& queue) const {
    const auto* parent = above(queue);
    return parent == nullptr ? queue.name : root_of(*parent);
  }

  std::map<std::string, const Queue*> by_name_;
  std::set<std::string> parents_, with_quota_;
};

std::string named(const std::vector<std::string>& queues) {
  constexpr std::size_t kNamed = 10;
  const auto some = std::min(queues.size(), kNamed);
  const auto more = queues.size() > some ? fmt::format(" and {} more", queues.size() - some) : "";
  return fmt::format("queue{} '{}'{}", queues.size() == 1 ? "" : "s",
                     fmt::join(queues.begin(), queues.begin() + static_cast<std::ptrdiff_t>(some), "', '"), more);
}

}  // namespace

std::vector<std::string> quota_gaps(const std::vector<Queue>& queues) {
  const Tree tree(queues);
  if (!tree.has_quota()) return {};
  std::vector<std::string> borrowing, unlimited, gaps;
  for (const auto& queue : queues)
    if (tree.is_gap(queue)) (tree.shares_quota(queue) ? borrowing : unlimited).push_back(queue.name);
  if (!borrowing.empty())
    gaps.push_back(
        fmt::format("no quota for {}: their jobs start only with idle quota that other queues of the tree "
                    "lend; write `quota` if they are to have some of their own",
                    named(borrowing)));
  if (!unlimited.empty())
    gaps.push_back(
        fmt::format("no quota for {}: only the machines limit their jobs, whatever quota other trees have; "
                    "write `quota`, or put them into a tree that has some",
                    named(unlimited)));
  return gaps;
}

}  // namespace ym
