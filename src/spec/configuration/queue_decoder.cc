#include "spec/queue_decoder.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "spec/quantities.h"
#include "spec/queue_default.h"
#include "spec/queue_limits.h"

namespace ym::spec {
namespace {

constexpr std::size_t kMaxQueues = 10'000;
constexpr std::size_t kMaxServiceLevels = 16;
constexpr std::int64_t kMaxAgeBoost = 100;
constexpr std::int64_t kMostReservations = 1'000'000;
// All nominal quotas and borrowing limits of a flavor and kind together: the engine
// adds them up along the tree.
constexpr std::int64_t kMaxQuotaSum = std::int64_t{1} << 60;

class QueueReader {
 public:
  explicit QueueReader(QueueList& out) : out_(out) {}

  void list(const Field& field, const std::string& parent) {
    const auto items = read_list(field, "queues");
    if (!items) return;
    for (const auto& item : *items) queue(item, parent);
  }

 private:
  void queue(const Field& field, const std::string& parent) {
    MapReader map(field);
    if (field.value->kind != Value::Kind::map) return;
    Queue queue{.name = {}, .parent = parent, .quota = {}, .age_cap_ms = {}};
    if (auto name = map.require("name", "give the queue a name")) queue.name = read_name(*name).value_or("");
    if (!queue.name.empty() && !names_.insert(queue.name).second)
      field.child("name", *field.value).wrong(fmt::format("there are two queues named '{}'", queue.name));
    const auto children = map.find("children");
    inner_ = children && children->value->kind == Value::Kind::list && !children->value->items.empty();
    if (auto found = map.find("quota")) queue.quota = quota(*found);
    if (auto policy = map.find("policy")) read_policy(*policy, queue);
    if (auto cap = map.find("age_cap"))
      if (auto read = read_duration(*cap, seconds(1), hours(365 * 24))) queue.age_cap_ms = read->ms;
    if (auto whose = map.find("default_for")) defaults_.read(*whose, queue, inner_);
    map.finish();
    if (out_.queues.size() >= kMaxQueues) return field.wrong(fmt::format("more than {} queues", kMaxQueues));
    const std::string name = queue.name;
    out_.queues.push_back(std::move(queue));
    out_.pointers.push_back(field.pointer);
    if (children) list(*children, name);
  }

  // A word of a closed set; `wrong` says what is to be written instead.
  template <class Choice>
  static void read_choice(const Field& field, Choice& choice, std::optional<Choice> (*parse)(std::string_view),
                          std::string_view wrong) {
    const auto text = read_string(field);
    if (!text) return;
    if (const auto found = parse(*text)) choice = *found;
    else field.wrong(fmt::format("{} {}", quoted(*text), wrong));
  }

  void read_policy(const Field& field, Queue& queue) {
    constexpr std::string_view kRules = "is no rule; write never, lower-priority or any";
    constexpr std::string_view kSearches = "is neither stop nor try-next";
    MapReader map(field);
    if (auto order = map.find("order"))
      read_choice(*order, queue.order, parse_job_order,
                  "is no order; write fifo, shortest-first, least-attained-service or deadline");
    if (auto levels = map.find("service_levels")) queue.service_levels = read_levels(*levels, queue.order);
    if (auto boost = map.find("age_boost")) read_age_boost(*boost, queue.age_boost);
    if (auto fair = map.find("fair_users")) queue.fair_users = read_flag(*fair).value_or(queue.fair_users);
    if (auto strict = map.find("strict")) queue.strict = read_flag(*strict).value_or(queue.strict);
    if (auto stop = map.find("stop")) {
      read_choice(*stop, queue.stop, parse_stop_policy, "is none of none, hold and hold-and-drain");
      out_.says_stop.insert(queue.name);
    }
    if (auto most = map.find("reservations"))
      queue.reservations = read_reservations(*most).value_or(queue.reservations);
    read_queue_limits(map, queue);
    if (auto preempt = map.find("preempt")) read_choice(*preempt, queue.preempt, parse_preempt_rule, kRules);
    if (auto reclaim = map.find("reclaim")) read_choice(*reclaim, queue.reclaim, parse_preempt_rule, kRules);
    if (auto borrow = map.find("preempt_to_borrow")) read_preempt_to_borrow(*borrow, queue);
    if (auto least = map.find("min_runtime")) read_min_runtime(*least, queue.min_runtime);
    if (auto fence = map.find("fence")) queue.fence = read_flag(*fence).value_or(queue.fence);
    if (auto search = map.find("when_can_borrow"))
      read_choice(*search, queue.when_can_borrow, parse_flavor_search, kSearches);
    if (auto search = map.find("when_can_preempt"))
      read_choice(*search, queue.when_can_preempt, parse_flavor_search, kSearches);
    if (auto weight = map.find("weight")) queue.weight_milli = read_cpus(*weight).value_or(queue.weight_milli);
    map.finish();
  }

  static std::vector<Duration> read_levels(const Field& field, JobOrder order) {
    std::vector<Duration> levels;
    if (order != JobOrder::least_attained_service)
      field.wrong("is for `order: least-attained-service`; leave it out, or write that order");
    const auto items = read_list(field, "service levels");
    for (const auto& item : items.value_or(std::vector<Field>())) {
      const auto level = read_duration(item, seconds(1), hours(365 * 24 * 1000));
      if (level && !levels.empty() && *level <= levels.back()) item.wrong("must be more than the level before it");
      if (level) levels.push_back(*level);
    }
    if (levels.size() > kMaxServiceLevels) field.wrong(fmt::format("more than {} levels", kMaxServiceLevels));
    return levels;
  }

  static void read_age_boost(const Field& field, AgeBoost& boost) {
    MapReader map(field);
    if (auto every = map.require("every", "write how long a job waits for each point, for example 1h"))
      boost.every = read_duration(*every, seconds(1), hours(365 * 24)).value_or(boost.every);
    if (auto most = map.require("most", "write how many points it may get, for example 10"))
      boost.most = static_cast<std::int32_t>(read_whole_number(*most, 0, kMaxAgeBoost).value_or(boost.most));
    map.finish();
  }

  static std::optional<std::int32_t> read_reservations(const Field& field) {
    if (field.value->kind == Value::Kind::string) {
      if (field.value->text == "all") return kAllReserve;
      field.wrong(fmt::format("{} is no number; write a whole number from 0 to {}, or all", quoted(field.value->text),
                              kMostReservations));
      return std::nullopt;
    }
    const auto most = read_whole_number(field, 0, kMostReservations);
    return most ? std::optional(static_cast<std::int32_t>(*most)) : std::nullopt;
  }

  static void read_preempt_to_borrow(const Field& field, Queue& queue) {
    if (queue.reclaim == PreemptRule::never)
      field.wrong("is of no use with `reclaim: never`: nobody of another queue is stopped then; leave one of them out");
    MapReader map(field);
    if (auto most =
            map.require("max_priority", "write the highest priority of jobs that may be stopped, for example 30"))
      if (const auto priority = read_whole_number(*most, 0, kHighestPriority))
        queue.preempt_to_borrow = static_cast<std::int32_t>(*priority);
    map.finish();
  }

  static void read_min_runtime(const Field& field, MinRuntime& least) {
    constexpr Duration kLongest = hours(365 * 24);
    MapReader map(field);
    if (auto time = map.find("priority")) least.priority = read_duration(*time, {}, kLongest).value_or(least.priority);
    if (auto time = map.find("reclaim")) least.reclaim = read_duration(*time, {}, kLongest).value_or(least.reclaim);
    map.finish();
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
    if (auto nominal = map.require("nominal", "write the amount that is the queue's own"))
      quota.nominal = amount(*nominal, kind).value_or(0);
    if (auto borrow = map.find("borrow")) quota.borrowing_limit = amount(*borrow, kind);
    if (auto lend = map.find("lend")) {
      quota.lending_limit = amount(*lend, kind);
      // What an inner queue can lend comes from those below it too.
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
  std::set<std::string> names_;
  DefaultsReader defaults_;
  std::map<std::pair<std::string, std::size_t>, std::int64_t> sums_;
};

}  // namespace

QueueList read_queues(const Field& field) {
  QueueList list;
  QueueReader(list).list(field, "");
  return list;
}

}  // namespace ym::spec
