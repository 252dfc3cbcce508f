#include "executor/kubernetes/nodes/placeholders.h"

#include <fmt/format.h>

#include <algorithm>

#include "executor/kubernetes/pods/names.h"

namespace ym::kubernetes {
namespace {

// The scheduler may see a new node a moment before this server does.
constexpr Duration kStray = seconds(10);
constexpr Duration kUnseen = minutes(1);
constexpr Duration kFirstPause = seconds(4), kLongestPause = minutes(5);

// The nodes that a placeholder must avoid: all except nodes of the flavor that are not in service. Such a node may be
// the requested one, on its way. A full node exists.
std::vector<Node> not_for(const Flavor& flavor, const std::vector<Node>& nodes) {
  std::vector<Node> list;
  for (const auto& node : nodes)
    if (node.is_there() || !flavor.matches(node)) list.push_back(node);
  return list;
}

}  // namespace

void Placeholders::want(const Flavor& flavor) { wanted_.insert_or_assign(flavor.name, flavor); }

void Placeholders::seen(const PodView& pod) {
  const auto label = pod.labels.find(std::string(kPlaceholderLabel));
  if (label == pod.labels.end()) return;
  auto& known = pods_[pod.meta.name];
  if (known.uid != pod.meta.uid || known.node != pod.node) known.stray_since.reset();
  known.flavor = label->second;
  known.unseen_since.reset();
  known.uid = pod.meta.uid;
  known.node = pod.node;
  known.over = pod.is_over();
  known.deleting = pod.deleting;
}

void Placeholders::removed(const PodView& pod) {
  const auto known = pods_.find(pod.meta.name);
  if (known != pods_.end() && known->second.uid == pod.meta.uid) pods_.erase(known);
}

// The watch knows an existing pod; a missing one is wanted again.
void Placeholders::tried(const std::string& name) {
  const auto known = pods_.find(name);
  if (known == pods_.end()) return;
  known->second.busy = false;
  if (known->second.uid.empty()) pods_.erase(known);
}

std::string Placeholders::created(const std::string& name, const Api<std::string>& uid, Instant now) {
  const auto known = pods_.find(name);
  if (known == pods_.end()) return {};
  const auto flavor = known->second.flavor;
  // The watch may be late, or may have shown it already.
  if (uid && known->second.uid.empty()) {
    known->second.uid = *uid;
    known->second.unseen_since = now;
  }
  tried(name);
  if (uid)
    return problems_.erase(flavor) > 0 ? fmt::format("the cluster accepts placeholder pods of flavor {} again", flavor)
                                       : "";
  const auto before = problems_.find(flavor);
  const bool news = before == problems_.end() || before->second.kind != uid.error().kind;
  // Of several failures at once only one is reported.
  if (!news && now < before->second.again) return {};
  const Duration pause{news ? kFirstPause.ms : std::min(before->second.pause.ms * 2, kLongestPause.ms)};
  problems_.insert_or_assign(flavor, Problem{.kind = uid.error().kind, .pause = pause, .again = now + pause});
  if (!news) return {};
  return fmt::format("the cluster refuses placeholder pods of flavor {}, which request its nodes: {}", flavor,
                     as_error(uid.error()).message);
}

// It reserves nothing: its node does not count, or it has ended.
bool Placeholders::is_useless(const Pod& pod, Instant now) {
  return pod.over || (pod.stray_since && *pod.stray_since + kStray <= now);
}

// It was created and deleted between a watch and the list after it.
void Placeholders::forget_unseen(Instant now) {
  std::erase_if(pods_, [now](const auto& one) {
    return !one.second.busy && one.second.unseen_since && *one.second.unseen_since + kUnseen <= now;
  });
}

void Placeholders::look_for_unknown_placeholders(const Flavor& flavor, const std::vector<Node>& there, Instant now) {
  for (auto& [name, pod] : pods_) {
    if (pod.flavor != label_value(flavor.name)) continue;
    const bool counts = pod.node.empty() || std::ranges::find(there, pod.node, &Node::name) != there.end();
    if (counts) pod.stray_since.reset();
    else if (!pod.stray_since) pod.stray_since = now;
  }
}

// Placeholders on nodes come first: they have done their work.
std::vector<std::string> Placeholders::pods_of(const std::string& flavor, Instant now) const {
  std::vector<std::string> bound, waiting;
  for (const auto& [name, pod] : pods_) {
    if (pod.flavor != label_value(flavor) || pod.deleting || is_useless(pod, now)) continue;
    (pod.node.empty() ? waiting : bound).push_back(name);
  }
  bound.insert(bound.end(), waiting.rbegin(), waiting.rend());
  return bound;
}

void Placeholders::remove(const std::string& name, Pod& pod, Work& work) {
  if (pod.busy || pod.deleting || pod.uid.empty()) return;
  pod.busy = true;
  work.remove.emplace_back(name, pod.uid);
}

void Placeholders::remove_others(Instant now, bool all_wanted, Work& work) {
  std::set<std::string> labels;
  for (const auto& [name, flavor] : wanted_) labels.insert(label_value(name));
  for (auto& [name, pod] : pods_)
    if (is_useless(pod, now) || (all_wanted && !labels.contains(pod.flavor))) remove(name, pod, work);
}

// New nodes may be smaller than the configuration says: a placeholder that asks for more would wait forever.
Node Placeholders::shape_of(const Flavor& flavor, const std::vector<Node>& there, Work& work) {
  const auto& configured = flavor.elastic->node;
  auto shape = bounded_by(configured, there);
  const bool less =
      shape.devices.size() < configured.devices.size() || (configured.devices.empty() && shape.cpus < configured.cpus);
  if (!less) {
    too_large_.erase(flavor.name);
  } else if (too_large_.insert(flavor.name).second) {
    work.notes.push_back(
        fmt::format("the nodes of flavor {} are smaller than its `node` says: at most {} GPUs and {}m of processors. "
                    "Placeholder pods request no more. Correct `node`: otherwise larger jobs cause new nodes that they "
                    "cannot use",
                    flavor.name, shape.devices.size(), shape.cpus));
  }
  return shape;
}

void Placeholders::create(const Flavor& flavor, std::int64_t count, const std::vector<Node>& there,
                          const std::vector<Node>& nodes, Work& work) {
  const auto shape = shape_of(flavor, there, work);
  const auto others = not_for(flavor, nodes);
  for (std::int64_t number = 1; count > 0; ++number) {
    const auto name = placeholder_name(options_.instance, flavor.name, number);
    if (pods_.contains(name)) continue;
    pods_[name] = {.flavor = label_value(flavor.name), .uid = {}, .node = {}, .busy = true};
    work.create.emplace_back(name, render_placeholder(flavor, shape, name, others, options_));
    --count;
  }
}

Placeholders::Work Placeholders::pass(const std::vector<Node>& nodes, Instant now, bool all_wanted) {
  Work work;
  forget_unseen(now);
  for (const auto& [name, flavor] : wanted_) {
    std::vector<Node> there;
    for (const auto& node : nodes)
      if (flavor.matches(node) && node.is_there()) there.push_back(node);
    look_for_unknown_placeholders(flavor, there, now);
    const std::int64_t missing =
        flavor.elastic ? std::max<std::int64_t>(flavor.wanted.nodes - std::ssize(there), 0) : 0;
    const auto pods = pods_of(name, now);
    const std::int64_t more = missing - std::ssize(pods);
    const auto problem = problems_.find(label_value(name));
    const bool waits = problem != problems_.end() && now < problem->second.again;
    if (more > 0 && !waits) create(flavor, more, there, nodes, work);
    for (std::int64_t i = 0; i < -more; ++i)
      remove(pods[static_cast<std::size_t>(i)], pods_.at(pods[static_cast<std::size_t>(i)]), work);
  }
  remove_others(now, all_wanted, work);
  const auto has_pods = [this](const std::string& flavor) {
    return std::ranges::any_of(pods_, [&](const auto& one) { return one.second.flavor == label_value(flavor); });
  };
  std::erase_if(wanted_, [&](const auto& one) { return !one.second.elastic && !has_pods(one.first); });
  return work;
}

}  // namespace ym::kubernetes
