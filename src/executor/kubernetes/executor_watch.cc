// KubernetesExecutor: events of the watches.
#include <algorithm>
#include <functional>

#include "executor/kubernetes/executor_impl.h"

namespace ym::kubernetes {
namespace {

// A pod that ends leaves the selection; the server reports that as a deletion.
std::string foreign_selector(const std::string& instance) {
  return "labelSelector=" + net::percent_encoded(std::string(kManagedBy) + "!=" + instance) +
         "&fieldSelector=" + net::percent_encoded("status.phase!=Succeeded,status.phase!=Failed");
}

}  // namespace

std::string own_selector(const std::string& instance) {
  return "labelSelector=" + net::percent_encoded(std::string(kManagedBy) + "=" + instance);
}

void ExecutorImpl::watch_nodes() {
  ApiWatchSource source(client_, "/api/v1/nodes", {});
  WatchSink sink;
  sink.begin_list = [this] {
    const std::lock_guard lock(mutex_);
    view_.nodes().begin_list();
  };
  sink.listed = [this](const json::value& object) { take_node(object, true); };
  sink.changed = [this](const json::value& object) { take_node(object, false); };
  sink.deleted = [this](const json::value& object) {
    auto node = read_node(object);
    const std::lock_guard lock(mutex_);
    if (node) apply_nodes(view_.nodes().remove(std::move(*node)));
  };
  sink.end_list = [this] {
    const std::lock_guard lock(mutex_);
    apply_nodes(view_.nodes().end_list());
    nodes_listed_ = true;
  };
  sink.contact = [this](bool good, const std::string& why) { on_contact(Watched::nodes, good, why); };
  Watch(source, std::move(sink), 1).run();
}

void ExecutorImpl::take_node(const json::value& object, bool is_list) {
  auto node = read_node(object);
  if (!node) return;
  const std::lock_guard lock(mutex_);
  apply_nodes(is_list ? view_.nodes().list(std::move(*node)) : view_.nodes().put(std::move(*node)));
}

void ExecutorImpl::apply_nodes(const ObjectTable<NodeView>::Delta& delta) {
  const auto now = clock_.now();
  for (const auto& name : view_.apply(delta, now)) carry_out(book_.node_changed(name, now));
}

void ExecutorImpl::watch_own_pods() {
  ApiWatchSource source(client_, pods_target(options_.name_space), own_selector(options_.pod.instance));
  WatchSink sink;
  sink.begin_list = [this] {
    const std::lock_guard lock(mutex_);
    view_.own().begin_list();
  };
  sink.listed = [this](const json::value& object) { take_own(object, true); };
  sink.changed = [this](const json::value& object) { take_own(object, false); };
  sink.deleted = [this](const json::value& object) {
    auto pod = read_pod(object);
    const std::lock_guard lock(mutex_);
    if (pod) apply_own(view_.own().remove(std::move(*pod)));
  };
  sink.end_list = [this] {
    const std::lock_guard lock(mutex_);
    apply_own(view_.own().end_list());
    carry_out(book_.all_listed(clock_.now()));
    own_listed_ = true;
  };
  sink.contact = [this](bool good, const std::string& why) { on_contact(Watched::pods, good, why); };
  Watch(source, std::move(sink), 2).run();
}

void ExecutorImpl::take_own(const json::value& object, bool is_list) {
  auto pod = read_pod(object);
  if (!pod) return;
  ask_whether_lost(*pod);
  const std::lock_guard lock(mutex_);
  auto& own = view_.own();
  apply_own(is_list ? own.list(std::move(*pod)) : own.put(std::move(*pod)));
}

void ExecutorImpl::apply_own(const ObjectTable<PodView>::Delta& delta) {
  const auto now = clock_.now();
  view_.apply(delta);
  for (const auto& pod : delta.removed) {
    placeholders_.removed(pod);
    carry_out(book_.removed(pod, now));
  }
  for (const auto& pod : delta.present) {
    placeholders_.seen(pod);
    carry_out(book_.seen(pod, now));
  }
}

void ExecutorImpl::watch_foreign_pods() {
  ApiWatchSource source(client_, "/api/v1/pods", foreign_selector(options_.pod.instance));
  WatchSink sink;
  const auto with_pod = [this](const json::value& object, auto change) {
    auto pod = read_pod(object);
    if (!pod) return;
    const std::lock_guard lock(mutex_);
    view_.apply((view_.foreign().*change)(std::move(*pod)));
  };
  using Table = ObjectTable<PodView>;
  sink.begin_list = [this] {
    const std::lock_guard lock(mutex_);
    view_.foreign().begin_list();
  };
  sink.listed = [=](const json::value& object) { with_pod(object, &Table::list); };
  sink.changed = [=](const json::value& object) { with_pod(object, &Table::put); };
  sink.deleted = [=](const json::value& object) { with_pod(object, &Table::remove); };
  sink.end_list = [this] {
    const std::lock_guard lock(mutex_);
    view_.apply(view_.foreign().end_list());
    foreign_listed_ = true;
  };
  Watch(source, std::move(sink), 3).run();
}

// The cluster answers if both collections that are necessary are up to date.
void ExecutorImpl::on_contact(Watched which, bool good, const std::string& why) {
  const auto now = clock_.now();
  const std::lock_guard lock(mutex_);
  contact_[which] = good;
  if (!good) bad_why_ = why;
  const bool all = contact_.size() == 2 && std::ranges::all_of(contact_, [](const auto& each) { return each.second; });
  if (all && bad_since_) view_.doubt(now);  // the state of nodes may have changed meanwhile
  if (!all) good_since_.reset();
  else if (!good_since_) good_since_ = now;
  if (all || good) {
    if (all) bad_since_.reset();
  } else if (!bad_since_) {
    bad_since_ = now;
  }
}

}  // namespace ym::kubernetes
