#include "spec/configuration/queue_decoder.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "spec/configuration/queue_default.h"
#include "spec/keys/read_queue.h"
#include "spec/text/quantities.h"

namespace ym::spec {
namespace {

constexpr std::size_t kMaxQueues = 10'000;
// Sum of all nominal quotas and borrowing limits for one flavor and kind: the engine adds them up along the tree.
constexpr std::int64_t kMaxQuotaSum = std::int64_t{1} << 60;

class QueueReader {
 public:
  QueueReader(QueueList& out, QueuesRead what) : out_(out), what_(what) {}

  void list(const Field& field, const std::string& parent) {
    const auto items = read_list(field, "queues");
    if (!items) return;
    for (const auto& item : *items) queue(item, parent);
  }

 private:
  void queue(const Field& field, const std::string& parent) {
    MapReader map(field);
    if (field.value->kind != Value::Kind::map) return;
    Queue queue{.name = {}, .parent = parent};
    keys::read_keys(map, queue);
    if (!queue.name.empty() && !names_.insert(queue.name).second)
      field.child("name", *field.value).wrong(fmt::format("there are two queues named '{}'", queue.name));
    if (const auto above = map.find("parent")) read_parent(*above, parent, queue);
    const auto children = map.find("children");
    inner_ = children && children->value->kind == Value::Kind::list && !children->value->items.empty();
    if (auto found = map.find("quota")) queue.quota = quota(*found);
    if (auto policy = map.find("policy")) read_rest_of_policy(*policy, queue);
    if (auto default_for = map.find("default_for")) defaults_.read(*default_for, queue, inner_);
    map.finish();
    if (out_.queues.size() >= kMaxQueues) return field.wrong(fmt::format("more than {} queues", kMaxQueues));
    const std::string name = queue.name;
    out_.queues.push_back(std::move(queue));
    out_.pointers.push_back(field.pointer);
    if (children) list(*children, name);
  }

  void read_parent(const Field& field, const std::string& parent, Queue& queue) {
    if (!parent.empty()) return field.wrong(fmt::format("is '{}' already, by `children`; leave it out", parent));
    if (what_ == QueuesRead::whole_tree)
      return field.wrong("is for `ym queue apply`; write the queue under its parent's `children`");
    if (auto name = read_name(field)) queue.parent = std::move(*name);
  }

  // Checks across keys.
  void read_rest_of_policy(const Field& field, Queue& queue) {
    if (field.value->kind != Value::Kind::map) return;
    MapReader map(field);
    if (auto levels = map.find("service_levels")) queue.service_levels = read_levels(*levels, queue.order);
    if (map.find("stop")) out_.says_stop.insert(queue.name);
    const auto borrow = map.find("preempt_to_borrow");
    if (borrow && queue.reclaim == PreemptRule::never)
      borrow->wrong("has no effect with `reclaim: never`, which protects jobs of other queues; leave one of them out");
  }

  static std::vector<Duration> read_levels(const Field& field, JobOrder order) {
    if (order != JobOrder::least_attained_service)
      field.wrong("is for `order: least-attained-service`; leave it out, or write that order");
    std::vector<Duration> levels;
    keys::read_into(field, levels, keys::kServiceLevels);
    if (levels.size() != field.value->items.size()) return levels;
    for (std::size_t i = 1; i < levels.size(); ++i)
      if (levels[i] <= levels[i - 1])
        field.child(std::to_string(i), field.value->items[i]).wrong("must be more than the level before it");
    return levels;
  }

  std::optional<QuotaList> quota(const Field& field) {
    const auto entries = read_entries(field);
    if (!entries) return std::nullopt;
    QuotaList quota;
    for (const auto& [flavor, entry] : *entries) {
      if (!is_name(flavor)) entry.wrong(fmt::format("{} is not the name of a flavor", quoted(flavor)));
      out_.flavors.push_back({flavor, entry});
      quota[flavor] = flavor_quota(entry, flavor);
    }
    return quota;
  }

  FlavorQuota flavor_quota(const Field& field, const std::string& flavor) {
    FlavorQuota quota;
    MapReader map(field);
    for (std::size_t i = 0; i < kResourceKinds; ++i) {
      const auto kind = resource_kind(i);
      const auto found = map.find(to_string(kind));
      if (!found) continue;
      quota[i] = limits(*found, kind);
      const auto sum =
          static_cast<__int128>(sums_[{flavor, i}]) + quota[i]->nominal + quota[i]->borrowing_limit.value_or(0);
      if (sum > kMaxQuotaSum) found->wrong("the quotas of all queues together are more than can be counted");
      else sums_[{flavor, i}] = static_cast<std::int64_t>(sum);
    }
    map.finish();
    return quota;
  }

  // A bare number is the nominal quota.
  Quota limits(const Field& field, ResourceKind kind) {
    Quota quota;
    if (field.value->kind != Value::Kind::map) {
      quota.nominal = amount(field, kind).value_or(0);
      return quota;
    }
    MapReader map(field);
    if (auto nominal = map.require("nominal", "write the queue's own amount"))
      quota.nominal = amount(*nominal, kind).value_or(0);
    if (auto borrow = map.find("borrow")) quota.borrowing_limit = amount(*borrow, kind);
    if (auto lend = map.find("lend")) {
      quota.lending_limit = amount(*lend, kind);
      // A cohort can lend the quota of its children too.
      if (!inner_ && quota.lending_limit.value_or(0) > quota.nominal) lend->wrong("is more than the nominal quota");
    }
    map.finish();
    return quota;
  }

  static std::optional<std::int64_t> amount(const Field& field, ResourceKind kind) {
    return kind == ResourceKind::memory ? read_bytes(field) : read_cpus(field);
  }

  QueueList& out_;
  bool inner_ = false;  // the queue being read has children
  const QueuesRead what_;
  std::set<std::string> names_;
  DefaultsReader defaults_;
  std::map<std::pair<std::string, std::size_t>, std::int64_t> sums_;
};

}  // namespace

QueueList read_queues(const Field& field, QueuesRead what) {
  QueueList list;
  QueueReader(list, what).list(field, "");
  return list;
}

}  // namespace ym::spec
