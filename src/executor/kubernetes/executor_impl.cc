// KubernetesExecutor: events of the watches.
#include <algorithm>

#include <spdlog/spdlog.h>
#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "executor/kubernetes/executor_impl.h"
#include "executor/kubernetes/pods/lost_pods.h"

namespace ym::kubernetes {
namespace {

// A pod that ends leaves the selection; the server reports that as a deletion.
std::string foreign_selector(const std::string& instance) {
  return "labelSelector=" + net::percent_encoded(std::string(kManagedBy) + "!=" + instance) +
         "&fieldSelector=" + net::percent_encoded("status.phase!=Succeeded,status.phase!=Failed");
}

constexpr Duration kPlaceholderPause = seconds(2);  // so that refused requests are not repeated all the time
constexpr Duration kAllWanted = seconds(30);        // after the start: then control has made its provision() calls

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
  if (all && bad_since_) view_.restart_contact(now);  // the state of nodes may have changed meanwhile
  if (!all) good_since_.reset();
  else if (!good_since_) good_since_ = now;
  if (all || good) {
    if (all) bad_since_.reset();
  } else if (!bad_since_) {
    bad_since_ = now;
  }
}

void ExecutorImpl::keep_placeholders() {
  const std::lock_guard lock(mutex_);
  const auto now = clock_.now();
  if (book_.is_replaced() || !own_listed_ || !nodes_listed_ || !placeholders_.any() ||
      now < placeholders_kept_ + kPlaceholderPause)
    return;
  placeholders_kept_ = now;
  auto work = placeholders_.pass(view_.whole(), now, now >= started_ + kAllWanted);
  for (const auto& sentence : work.notes) spdlog::warn("{}: {}", options_.cluster, sentence);
  for (auto& one : work.create)
    pool_.submit(
        [this, pod = std::move(one)] { placeholder_created(pod.first, make_placeholder(pod.first, pod.second)); });
  for (auto& one : work.remove)
    pool_.submit([this, pod = std::move(one)] {
      (void)client_.remove(pod_target(options_.name_space, pod.first), pod.second, {});
      const std::lock_guard again(mutex_);
      placeholders_.tried(pod.first);
    });
}

// Returns its uid. An existing pod of this server counts too: it was made before, and the answer was lost, or no watch
// has shown it yet.
Api<std::string> ExecutorImpl::make_placeholder(const std::string& name, const json::value& body) {
  const auto made = client_.create(pods_target(options_.name_space), body);
  if (made) return text_at(*made, "/metadata/uid");
  if (made.error().kind != ApiError::Kind::already_exists) return std::unexpected(made.error());
  const auto there = client_.get(pod_target(options_.name_space, name));
  if (!there) return std::unexpected(there.error());
  const auto pod = read_pod(*there);
  if (!pod || !is_placeholder(*pod, options_.pod.instance)) return std::unexpected(made.error());
  return pod->meta.uid;
}

// A failed creation is wanted again later.
void ExecutorImpl::placeholder_created(const std::string& name, const Api<std::string>& uid) {
  const std::lock_guard lock(mutex_);
  const auto sentence = placeholders_.created(name, uid, clock_.now());
  if (!sentence.empty()) spdlog::warn("{}: {}", options_.cluster, sentence);
}

ObservationSink ExecutorImpl::with_ends_noted(ObservationSink sink) {
  return [this, sink = std::move(sink)](Observation observation) {
    if (const auto* end = std::get_if<TaskHasEnded>(&observation.what))
      with_book([&](PodBook& book) { return book.ended({observation.token, end->task}); });
    sink(std::move(observation));
  };
}

void ExecutorImpl::know_lost(IsLost is_lost) {
  lost_.know(is_lost);
  registry_.know_lost(std::move(is_lost));
  const std::lock_guard lock(mutex_);
  book_.know_lost([this](const Token& token) { return lost_.known(token); });
}

// Asks without holding `mutex_`.
void ExecutorImpl::ask_whether_lost(const PodView& pod) {
  std::optional<Token> unknown;
  {
    const std::lock_guard lock(mutex_);
    unknown = book_.active_unknown(pod);
  }
  if (unknown) static_cast<void>(lost_.is_lost(*unknown, clock_.now()));
}

Result<std::vector<LostLaunch>> ExecutorImpl::lost_launches() {
  ApiWatchSource source(client_, pods_target(options_.name_space), own_selector(options_.pod.instance));
  std::vector<ListedPod> pods;
  std::string next;
  do {
    const auto page = source.page(next);
    if (!page) return fail(ErrorCode::unavailable, page.error().message);
    for (const auto& item : list_at(*page, "/items"))
      if (auto pod = read_pod(item)) pods.push_back({std::move(*pod), tasks_of_attempt(item)});
    next = text_at(*page, "/metadata/continue");
  } while (!next.empty());
  return lost_among(pods, options_.pod.instance,
                    [this](const Token& token) { return lost_.is_lost(token, clock_.now()); });
}

LogSaver::Order ExecutorImpl::order_of(const PodKey& key, const std::string& node, Duration wait) const {
  return {
      .key = key, .pod = pod_target(options_.name_space, pod_name(key)), .node = node, .until = clock_.now() + wait};
}

void ExecutorImpl::save_log(const LogToSave& log) {
  saver_.save(order_of(log.key, log.node, options_.log_wait), [this, log](bool saved) {
    if (!saved || !log.whole) return;
    const std::lock_guard lock(mutex_);
    book_.log_saved(log.key);
  });
}

void ExecutorImpl::take_away(const Removal& removal) {
  if (removal.keep_log && logs_.keeps()) return remove_when_read(removal);
  pool_.submit([this, removal] { remove_pod(removal); });
}

// A log that cannot be read, or not in time, does not delay the removal of its pod.
void ExecutorImpl::remove_when_read(const Removal& removal) {
  const auto wait = removal.is_kill ? options_.kill_log_wait : options_.log_wait;
  const auto gone_on = std::make_shared<std::atomic_bool>(false);
  const auto go_on = [this, removal, gone_on] {
    if (!gone_on->exchange(true)) remove_pod(removal);
  };
  auto order = order_of(removal.key, removal.node, wait);
  order.is_first = removal.is_kill;
  saver_.save(std::move(order), [this, go_on](bool) { pool_.submit(go_on); });
  pool_.submit(go_on, wait);
}

void ExecutorImpl::sweep_logs() {
  std::set<AttemptKey> live;
  for (const auto& token : registry_.live()) live.insert(token.key());
  if (const auto gone = logs_.sweep(options_.log_retention, live, clock_.now()); gone > 0)
    spdlog::info("{}: the logs of {} attempts were removed by retention", options_.cluster, gone);
  pool_.submit([this] { sweep_logs(); }, options_.log_retention.every);
}

}  // namespace ym::kubernetes
