#include "executor/slurm/wakers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/whole_number.h"
#include "executor/slurm/job_states.h"
#include "executor/slurm/job_text.h"
#include "executor/slurm/part_comment.h"

namespace ym::slurm {
namespace {

constexpr std::string_view kOff = "off in Slurm until it is needed", kStarting = "starting in Slurm";
// A list may be this much older than a missing job.
constexpr Duration kConfirm = seconds(6);
constexpr Duration kCancelAgain = seconds(30);
// After a restart, control has repeated all flavors by then.
constexpr Duration kSaid = seconds(30);
constexpr Duration kLeftAlone = minutes(5);

constexpr std::string_view kOfEpoch = " for epoch ";

std::string comment_of(const std::string& instance, const std::string& node, std::uint64_t epoch) {
  return fmt::format("yardmaster/{} wakes node {}{}{}", instance, node, kOfEpoch, epoch);
}

// A node that takes longer will not come.
Duration patience(const Flavor& flavor) {
  return flavor.elastic->provisioning + flavor.elastic->provisioning + minutes(10);
}

}  // namespace

struct Wakers::Sight {
  std::map<std::string, const Node*> nodes;
  // By flavor: number of nodes that do not exist, and of those without a boot under way.
  std::map<std::string, std::int64_t> absent, missing;
  const std::set<std::string>& busy;
  Instant now;
  Work work{};
};

std::string waker_name(const std::string& node, const std::string& instance) {
  return fmt::format("{}node-{}-{}", kNamePrefix, node, instance);
}

std::optional<std::string> woken_node(const JobRow& row, const std::string& instance) {
  const std::string start = fmt::format("{}node-", kNamePrefix), end = "-" + instance;
  if (!is_ours(row.comment, instance) || row.name.size() <= start.size() + end.size()) return std::nullopt;
  if (!row.name.starts_with(start) || !row.name.ends_with(end)) return std::nullopt;
  return row.name.substr(start.size(), row.name.size() - start.size() - end.size());
}

std::uint64_t epoch_of_waker(const JobRow& row, const std::string& instance) {
  const auto at = row.comment.rfind(kOfEpoch);
  if (at == std::string::npos || !woken_node(row, instance)) return 0;
  return whole_number<std::uint64_t>(std::string_view(row.comment).substr(at + kOfEpoch.size())).value_or(0);
}

void Wakers::want(const Flavor& flavor) {
  if (flavor.elastic) flavors_.insert_or_assign(flavor.name, flavor);
  else flavors_.erase(flavor.name);
}

const Flavor* Wakers::flavor_of(const Node& node) const {
  const auto found = std::ranges::find_if(flavors_, [&](const auto& one) { return one.second.matches(node); });
  return found == flavors_.end() ? nullptr : &found->second;
}

void Wakers::withhold(std::vector<Node>& nodes) const {
  for (Node& node : nodes) {
    const auto power = node.labels.find("slurm-power");
    if (node.withheld.empty() && power != node.labels.end() && flavor_of(node) != nullptr)
      node.withheld = power->second == "down" ? kOff : kStarting;
  }
}

std::set<std::string> Wakers::nodes() const {
  std::set<std::string> names;
  for (const auto& [node, waker] : wakers_) names.insert(node);
  return names;
}

void Wakers::see_jobs(const std::vector<JobRow>& rows, Instant asked) {
  jobs_seen_ = true;
  std::set<std::string, std::less<>> live;
  for (const JobRow& row : rows) {
    const auto node = woken_node(row, instance_);
    if (!node || phase_of(row.state) == Phase::over || phase_of(row.state) == Phase::node_failed) continue;
    live.insert(*node);
    Waker& waker = wakers_.try_emplace(*node, Waker{.name = row.name, .since = asked}).first->second;
    waker.id = row.id;
    waker.over = false;
  }
  for (auto& [node, waker] : wakers_)
    if (!waker.trying && !live.contains(node) && asked - waker.since >= kConfirm) waker.over = true;
}

Wakers::Work Wakers::pass(const std::vector<Node>& nodes, const std::set<std::string>& busy, Instant now) {
  if (!jobs_seen_) return {};
  Sight sight = look(nodes, busy, now);
  std::erase_if(left_alone_, [&](const auto& one) { return one.second <= now; });
  // Power-up jobs of nodes that do not boot yet are removed first.
  for (const bool starting : {false, true})
    for (auto& [name, waker] : wakers_) {
      const auto node = sight.nodes.find(name);
      if ((node != sight.nodes.end() && node->second->withheld == kStarting) == starting) review(name, waker, sight);
    }
  std::erase_if(wakers_, [](const auto& one) { return one.second.over; });
  for (const auto& [name, flavor] : flavors_) wake(flavor, sight);
  return std::move(sight.work);
}

// A booting node will be there soon, whatever caused its boot.
Wakers::Sight Wakers::look(const std::vector<Node>& nodes, const std::set<std::string>& busy, Instant now) const {
  Sight sight{.nodes = {}, .absent = {}, .missing = {}, .busy = busy, .now = now};
  for (const auto& [name, flavor] : flavors_) sight.absent[name] = sight.missing[name] = flavor.wanted.nodes;
  for (const Node& node : nodes) {
    sight.nodes.emplace(node.name, &node);
    const Flavor* flavor = flavor_of(node);
    if (flavor == nullptr) continue;
    if (node.is_there()) --sight.absent[flavor->name];
    if (node.is_there() || node.withheld == kStarting) --sight.missing[flavor->name];
  }
  return sight;
}

void Wakers::review(const std::string& name, Waker& waker, Sight& sight) {
  const auto node = sight.nodes.find(name);
  const Flavor* flavor = node == sight.nodes.end() ? nullptr : flavor_of(*node->second);
  const bool there = flavor != nullptr && node->second->is_there();
  if (waker.over) {
    if (!there && !waker.cancelled_at && flavor != nullptr) give_up(name, sight);
    return;
  }
  if (flavor == nullptr && sight.now - waker.since < kSaid) return;
  if (flavor == nullptr || sight.busy.contains(name)) return cancel(waker, sight);
  if (sight.absent.at(flavor->name) <= 0 || waker.cancelled_at) return cancel(waker, sight);
  if (there) return;
  if (sight.now - waker.since >= patience(*flavor)) {
    give_up(name, sight);
    return cancel(waker, sight);
  }
  std::int64_t& missing = sight.missing.at(flavor->name);
  if (node->second->withheld == kStarting) {
    if (missing >= 0) return;
    ++missing;
    return cancel(waker, sight);
  }
  if (missing <= 0) return cancel(waker, sight);
  --missing;
}

void Wakers::give_up(const std::string& node, Sight& sight) {
  if (left_alone_.emplace(node, sight.now + kLeftAlone).second)
    sight.work.said.push_back(fmt::format("node {} does not start; another one is tried", node));
}

void Wakers::cancel(Waker& waker, Sight& sight) {
  if (waker.id == 0 || (waker.cancelled_at && sight.now - *waker.cancelled_at < kCancelAgain)) return;
  waker.cancelled_at = sight.now;
  sight.work.cancel.push_back(waker.id);
}

void Wakers::wake(const Flavor& flavor, Sight& sight) {
  std::int64_t& missing = sight.missing.at(flavor.name);
  for (const auto& [name, node] : sight.nodes) {
    if (missing <= 0) return;
    const bool is_free = !wakers_.contains(name) && !left_alone_.contains(name) && !sight.busy.contains(name);
    if (!is_free || flavor_of(*node) != &flavor || node->withheld != kOff) continue;
    --missing;
    wakers_.emplace(name, Waker{.name = waker_name(name, instance_), .since = sight.now, .trying = true});
    sight.work.submit.push_back({.name = waker_name(name, instance_),
                                 .comment = comment_of(instance_, name, epoch_),
                                 .cpus_per_task = kWakerCpus,
                                 .memory_mib = kWakerMemoryMib,
                                 .node_list = {name},
                                 .minutes = (patience(flavor) + patience(flavor)).ms / minutes(1).ms,
                                 .script = "#!/bin/sh\nexec sleep 100000000\n"});
  }
}

std::string Wakers::submitted(const std::string& name, const std::expected<std::int64_t, SubmitTrouble>& id,
                              Instant now) {
  const auto waker = std::ranges::find(wakers_, name, [](const auto& one) { return one.second.name; });
  if (waker == wakers_.end()) return {};
  waker->second.trying = false;
  waker->second.since = now;
  if (id) waker->second.id = *id;
  // A list will show whether there is one.
  if (id || id.error().kind == SubmitTrouble::Kind::unclear) return {};
  const std::string node = waker->first;
  wakers_.erase(waker);
  const bool is_news = left_alone_.emplace(node, now + kLeftAlone).second;
  return is_news ? fmt::format("Slurm does not start node {}: {}", node, id.error().message) : "";
}

}  // namespace ym::slurm
