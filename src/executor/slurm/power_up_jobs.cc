#include "executor/slurm/power_up_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/whole_number.h"
#include "executor/slurm/client/job_text.h"
#include "executor/slurm/jobs/job_states.h"
#include "executor/slurm/jobs/part_comment.h"

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
Duration power_up_timeout(const Flavor& flavor) {
  return flavor.elastic->provisioning + flavor.elastic->provisioning + minutes(10);
}

}  // namespace

struct PowerUpJobs::Sight {
  std::map<std::string, const Node*> nodes;
  // By flavor: number of nodes that do not exist, and of those without a boot under way.
  std::map<std::string, std::int64_t> absent, missing;
  const std::set<std::string>& busy;
  Instant now;
  Work work{};
};

std::string power_up_job_name(const std::string& node, const std::string& instance) {
  return fmt::format("{}node-{}-{}", kNamePrefix, node, instance);
}

std::optional<std::string> woken_node(const JobRow& row, const std::string& instance) {
  const std::string start = fmt::format("{}node-", kNamePrefix), end = "-" + instance;
  if (!is_ours(row.comment, instance) || row.name.size() <= start.size() + end.size()) return std::nullopt;
  if (!row.name.starts_with(start) || !row.name.ends_with(end)) return std::nullopt;
  return row.name.substr(start.size(), row.name.size() - start.size() - end.size());
}

std::uint64_t epoch_of_power_up_job(const JobRow& row, const std::string& instance) {
  const auto at = row.comment.rfind(kOfEpoch);
  if (at == std::string::npos || !woken_node(row, instance)) return 0;
  return whole_number<std::uint64_t>(std::string_view(row.comment).substr(at + kOfEpoch.size())).value_or(0);
}

void PowerUpJobs::want(const Flavor& flavor) {
  if (flavor.elastic) flavors_.insert_or_assign(flavor.name, flavor);
  else flavors_.erase(flavor.name);
}

const Flavor* PowerUpJobs::flavor_of(const Node& node) const {
  const auto found = std::ranges::find_if(flavors_, [&](const auto& one) { return one.second.matches(node); });
  return found == flavors_.end() ? nullptr : &found->second;
}

void PowerUpJobs::withhold(std::vector<Node>& nodes) const {
  for (Node& node : nodes) {
    const auto power = node.labels.find("slurm-power");
    if (node.withheld.empty() && power != node.labels.end() && flavor_of(node) != nullptr)
      node.withheld = power->second == "down" ? kOff : kStarting;
  }
}

std::set<std::string> PowerUpJobs::nodes() const {
  std::set<std::string> names;
  for (const auto& [node, power_up_job] : power_up_jobs_) names.insert(node);
  return names;
}

void PowerUpJobs::see_jobs(const std::vector<JobRow>& rows, Instant asked) {
  jobs_seen_ = true;
  std::set<std::string, std::less<>> live;
  for (const JobRow& row : rows) {
    const auto node = woken_node(row, instance_);
    if (!node || phase_of(row.state) == Phase::over || phase_of(row.state) == Phase::node_failed) continue;
    live.insert(*node);
    PowerUpJob& power_up_job =
        power_up_jobs_.try_emplace(*node, PowerUpJob{.name = row.name, .since = asked}).first->second;
    power_up_job.id = row.id;
    power_up_job.over = false;
  }
  for (auto& [node, power_up_job] : power_up_jobs_)
    if (!power_up_job.trying && !live.contains(node) && asked - power_up_job.since >= kConfirm)
      power_up_job.over = true;
}

PowerUpJobs::Work PowerUpJobs::pass(const std::vector<Node>& nodes, const std::set<std::string>& busy, Instant now) {
  if (!jobs_seen_) return {};
  Sight sight = look(nodes, busy, now);
  std::erase_if(left_alone_, [&](const auto& one) { return one.second <= now; });
  // Power-up jobs of nodes that do not boot yet are removed first.
  for (const bool starting : {false, true})
    for (auto& [name, power_up_job] : power_up_jobs_) {
      const auto node = sight.nodes.find(name);
      if ((node != sight.nodes.end() && node->second->withheld == kStarting) == starting)
        review(name, power_up_job, sight);
    }
  std::erase_if(power_up_jobs_, [](const auto& one) { return one.second.over; });
  for (const auto& [name, flavor] : flavors_) wake(flavor, sight);
  return std::move(sight.work);
}

// A booting node will be there soon, whatever caused its boot.
PowerUpJobs::Sight PowerUpJobs::look(const std::vector<Node>& nodes, const std::set<std::string>& busy,
                                     Instant now) const {
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

void PowerUpJobs::review(const std::string& name, PowerUpJob& power_up_job, Sight& sight) {
  const auto node = sight.nodes.find(name);
  const Flavor* flavor = node == sight.nodes.end() ? nullptr : flavor_of(*node->second);
  const bool there = flavor != nullptr && node->second->is_there();
  if (power_up_job.over) {
    if (!there && !power_up_job.cancelled_at && flavor != nullptr) give_up(name, sight);
    return;
  }
  if (flavor == nullptr && sight.now - power_up_job.since < kSaid) return;
  if (flavor == nullptr || sight.busy.contains(name)) return cancel(power_up_job, sight);
  if (sight.absent.at(flavor->name) <= 0 || power_up_job.cancelled_at) return cancel(power_up_job, sight);
  if (there) return;
  if (sight.now - power_up_job.since >= power_up_timeout(*flavor)) {
    give_up(name, sight);
    return cancel(power_up_job, sight);
  }
  std::int64_t& missing = sight.missing.at(flavor->name);
  if (node->second->withheld == kStarting) {
    if (missing >= 0) return;
    ++missing;
    return cancel(power_up_job, sight);
  }
  if (missing <= 0) return cancel(power_up_job, sight);
  --missing;
}

void PowerUpJobs::give_up(const std::string& node, Sight& sight) {
  if (left_alone_.emplace(node, sight.now + kLeftAlone).second)
    sight.work.said.push_back(fmt::format("node {} does not start; another one is tried", node));
}

void PowerUpJobs::cancel(PowerUpJob& power_up_job, Sight& sight) {
  if (power_up_job.id == 0 || (power_up_job.cancelled_at && sight.now - *power_up_job.cancelled_at < kCancelAgain))
    return;
  power_up_job.cancelled_at = sight.now;
  sight.work.cancel.push_back(power_up_job.id);
}

void PowerUpJobs::wake(const Flavor& flavor, Sight& sight) {
  std::int64_t& missing = sight.missing.at(flavor.name);
  for (const auto& [name, node] : sight.nodes) {
    if (missing <= 0) return;
    const bool is_free = !power_up_jobs_.contains(name) && !left_alone_.contains(name) && !sight.busy.contains(name);
    if (!is_free || flavor_of(*node) != &flavor || node->withheld != kOff) continue;
    --missing;
    power_up_jobs_.emplace(name,
                           PowerUpJob{.name = power_up_job_name(name, instance_), .since = sight.now, .trying = true});
    sight.work.submit.push_back({.name = power_up_job_name(name, instance_),
                                 .comment = comment_of(instance_, name, epoch_),
                                 .cpus_per_task = kPowerUpCpus,
                                 .memory_mib = kPowerUpMemoryMib,
                                 .node_list = {name},
                                 .minutes = (power_up_timeout(flavor) + power_up_timeout(flavor)).ms / minutes(1).ms,
                                 .script = "#!/bin/sh\nexec sleep 100000000\n"});
  }
}

std::string PowerUpJobs::submitted(const std::string& name, const std::expected<std::int64_t, SubmitError>& id,
                                   Instant now) {
  const auto power_up_job = std::ranges::find(power_up_jobs_, name, [](const auto& one) { return one.second.name; });
  if (power_up_job == power_up_jobs_.end()) return {};
  power_up_job->second.trying = false;
  power_up_job->second.since = now;
  if (id) power_up_job->second.id = *id;
  // A list will show whether there is one.
  if (id || id.error().kind == SubmitError::Kind::unclear) return {};
  const std::string node = power_up_job->first;
  power_up_jobs_.erase(power_up_job);
  const bool is_news = left_alone_.emplace(node, now + kLeftAlone).second;
  return is_news ? fmt::format("Slurm does not start node {}: {}", node, id.error().message) : "";
}

}  // namespace ym::slurm
