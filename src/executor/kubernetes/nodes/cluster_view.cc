#include "executor/kubernetes/nodes/cluster_view.h"

namespace ym::kubernetes {

std::vector<std::string> ClusterView::apply(const ObjectTable<NodeView>::Delta& delta, Instant now) {
  std::vector<std::string> names;
  for (const auto& node : delta.removed) {
    if (contact_.erase(node.meta.name) > 0) names.push_back(node.meta.name);
    changed_ = true;
  }
  for (const auto& node : delta.present) {
    const auto contact = contact_of(node);
    const auto [at, fresh] = contact_.try_emplace(node.meta.name, ContactSince{contact, now});
    if (fresh || at->second.contact != contact) {
      at->second = {contact, now};
      names.push_back(node.meta.name);
    }
    changed_ = true;
  }
  return names;
}

void ClusterView::apply(const ObjectTable<PodView>::Delta& delta) {
  if (!delta.removed.empty() || !delta.present.empty()) changed_ = true;
}

ContactSince ClusterView::contact(const std::string& node) const {
  const auto found = contact_.find(node);
  return found == contact_.end() ? ContactSince{} : found->second;
}

void ClusterView::restart_contact(Instant now) {
  for (auto& [name, contact] : contact_) contact.since = now;
}

// Devices of this server's pods are accounted for by the engine; for the kubelet they are pods like all others.
std::map<std::string, Taken> ClusterView::taken() const {
  std::map<std::string, Taken> taken;
  const auto is_on_node = [](const PodView& pod) { return !pod.node.empty() && !pod.is_over(); };
  for (const auto& [key, pod] : foreign_.all())
    if (is_on_node(pod)) taken[pod.node].add(pod);
  for (const auto& [key, pod] : own_.all()) {
    if (!is_on_node(pod)) continue;
    if (is_unplaced_(pod)) taken[pod.node].add(pod);
    else ++taken[pod.node].pods;
  }
  return taken;
}

std::vector<Node> ClusterView::with(std::map<std::string, Taken> taken) const {
  std::vector<Node> list;
  for (const auto& [key, node] : nodes_.all())
    if (is_ours(node, options_)) list.push_back(as_model(node, taken[node.meta.name], options_));
  return list;
}

std::vector<Node> ClusterView::model() const { return with(taken()); }

std::vector<Node> ClusterView::whole() const {
  auto all = taken();
  for (auto& [node, taken] : all) taken = {.pods = taken.pods};
  return with(std::move(all));
}

}  // namespace ym::kubernetes
