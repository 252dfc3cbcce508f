// KubernetesExecutor: reports to the task registry, and requests to the API server.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "executor/kubernetes/executor_impl.h"

namespace ym::kubernetes {
namespace {

constexpr Duration kSteady = seconds(1);
constexpr Duration kRemoveAgain = seconds(5);

}  // namespace

void ExecutorImpl::with_book(const std::function<Effects(PodBook&)>& change) {
  const std::lock_guard lock(mutex_);
  carry_out(change(book_));
}

void ExecutorImpl::carry_out(Effects effects) {
  for (auto& each : effects.observations) reports_.emplace_back(std::move(each));
  for (auto& each : effects.reports) reports_.emplace_back(std::move(each));
  for (const auto& each : effects.unknown) reports_.emplace_back(UnknownToCluster{each});
  for (const auto& each : effects.close_barrier) reports_.emplace_back(BarrierToClose{each});
  if (!reports_.empty()) has_reports_.notify_all();
  for (const auto& sentence : effects.notes) spdlog::warn("{}: {}", options_.cluster, sentence);
  for (const auto& key : effects.create) pool_.submit([this, key] { create_pod(key); });
  for (const auto& key : effects.look_up) pool_.submit([this, key] { look_up(key, false); });
  for (const auto& each : effects.save_log) save_log(each);
  for (const auto& each : effects.remove) take_away(each);
}

void ExecutorImpl::run_reports() {
  using SteadyClock = std::chrono::steady_clock;
  auto next = SteadyClock::now();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    has_reports_.wait_until(lock, next, [this] { return stopping_ || !reports_.empty(); });
    auto reported = std::exchange(reports_, {});
    lock.unlock();
    report_all(std::move(reported));
    if (SteadyClock::now() >= next) {
      tick();
      next = SteadyClock::now() + std::chrono::seconds(1);
    }
    lock.lock();
  }
}

void ExecutorImpl::report_all(std::deque<Report> reported) {
  for (auto& each : reported) std::visit([this](auto& what) { report(std::move(what)); }, each);
}

void ExecutorImpl::report(const BarrierToClose& of) {
  if (registry_.close_barrier(of.token)) with_book([&](PodBook& book) { return book.close(of.token, clock_.now()); });
}

// Closes gangs that were not let in and will not be: their tasks without a pod need none.
void ExecutorImpl::tick() {
  const auto kills = registry_.due();
  std::set<Token> never_let_in;
  for (const auto& kill : kills)
    if (registry_.knows(kill.token) && !registry_.barrier_is_open(kill.token)) never_let_in.insert(kill.token);
  with_book([&](PodBook& book) {
    auto effects = book.tick(clock_.now());
    for (const auto& kill : kills) effects.add(book.kill({kill.token, kill.task}));
    for (const auto& token : never_let_in) effects.add(book.close(token, clock_.now()));
    if (!book.is_replaced()) std::ranges::move(std::exchange(held_, {}), std::back_inserter(effects.remove));
    return effects;
  });
  keep_placeholders();
  tell_cluster();
  leave_if_away();
}

// A job that waits for the cluster's choice of nodes would lose its place in the cluster's queue.
void ExecutorImpl::leave_if_away() {
  if (options_.pod.node_choice == NodeChoice::delegated) return;
  {
    const std::lock_guard lock(mutex_);
    const bool is_away = available_reported_ == false && bad_since_;
    if (!is_away || clock_.now() < *bad_since_ + options_.leave_after) return;
  }
  registry_.leave_cluster(options_.cluster);
}

// A server that answers only sometimes is not reported as back each time.
void ExecutorImpl::tell_cluster() {
  std::optional<ClusterIsSeen> seen;
  std::optional<std::vector<Node>> nodes;
  {
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    if (good_since_ && *good_since_ + kSteady <= now && available_reported_ != true)
      seen = ClusterIsSeen{.cluster = options_.cluster, .available = true, .message = {}};
    else if (bad_since_ && *bad_since_ + options_.unavailable <= now && available_reported_ != false)
      seen = ClusterIsSeen{.cluster = options_.cluster, .available = false, .message = bad_why_};
    if (seen) available_reported_ = seen->available;
    const bool listed = nodes_listed_ && (foreign_listed_ || !options_.count_foreign_pods);
    if (listed && view_.take_changed()) nodes = view_.model();
    if (nodes && nodes == nodes_reported_) nodes.reset();
    if (nodes) nodes_reported_ = nodes;
  }
  if (nodes)
    registry_.say({.token = {}, .what = NodesAreSeen{.cluster = options_.cluster, .nodes = std::move(*nodes)}});
  if (seen) registry_.say({.token = {}, .what = std::move(*seen)});
}

TaskAddress ExecutorImpl::address_of(const LaunchRequest& request) const {
  const auto path = fmt::format("/v1/jobs/{}/attempts/{}/tasks", to_string(request.token.job), request.token.attempt);
  auto token = request.contact ? request.contact->token : Secret();
  if (!options_.server_url.empty()) return {options_.server_url + "/api" + path, std::move(token)};
  if (!request.contact) return {};
  const auto& url = request.contact->progress_url;
  return {url.substr(0, url.find("/v1/jobs/")) + path, std::move(token)};
}

void ExecutorImpl::create_pod(const PodKey& key) {
  std::shared_ptr<const LaunchRequest> request;
  {
    const std::lock_guard lock(mutex_);
    request = book_.begin(key);
  }
  if (!request) return;
  const auto pod = render_pod(*request, key.task, address_of(*request), options_.pod);
  if (!pod) {
    const ApiError error{
        .kind = ApiError::Kind::refused, .status = 0, .message = pod.error().message, .retry_after = {}};
    return with_book([&](PodBook& book) { return book.failed(key, error, clock_.now()); });
  }
  const auto made = client_.create(pods_target(options_.name_space), *pod);
  if (made)
    return with_book([&](PodBook& book) { return book.created(key, text_at(*made, "/metadata/uid"), clock_.now()); });
  using ErrorKind = ApiError::Kind;
  if (made.error().kind == ErrorKind::already_exists) return look_up(key, true);
  // The pod may exist all the same. That is checked before the next creation.
  if (made.error().kind == ErrorKind::unreachable || made.error().kind == ErrorKind::timeout) {
    const auto there = client_.get(pod_target(options_.name_space, pod_name(key)));
    if (there) return look_up(key, true);
  }
  with_book([&](PodBook& book) { return book.failed(key, made.error(), clock_.now()); });
}

void ExecutorImpl::look_up(const PodKey& key, bool exists) {
  auto there = client_.get(pod_target(options_.name_space, pod_name(key)));
  if (!there) {
    // It existed a moment ago, and its name is free now.
    if (exists && there.error().kind == ApiError::Kind::not_found) there.error().kind = ApiError::Kind::server_error;
    if (exists || there.error().kind != ApiError::Kind::not_found)
      return with_book([&](PodBook& book) { return book.not_looked_up(key, there.error(), clock_.now()); });
    return with_book([&](PodBook& book) { return book.absent(key, clock_.now()); });
  }
  const auto pod = read_pod(*there);
  with_book([&](PodBook& book) -> Effects {
    if (!pod) return book.not_looked_up(key, {.message = pod.error().message, .retry_after = {}}, clock_.now());
    const auto owner = owner_of(pod->meta.name, pod->labels, options_.pod.instance);
    return owner == key ? book.created(key, pod->meta.uid, clock_.now())
                        : book.foreign(key, pod->meta.uid, clock_.now());
  });
}

// While another server leads, this server cannot tell which pods are its own.
bool ExecutorImpl::hold(const Removal& removal) {
  const std::lock_guard lock(mutex_);
  if (book_.is_replaced()) held_.push_back(removal);
  return book_.is_replaced();
}

void ExecutorImpl::remove_pod(const Removal& removal) {
  if (hold(removal)) return;
  const auto done = client_.remove(pod_target(options_.name_space, pod_name(removal.key)), removal.uid, removal.grace);
  if (!done) pool_.submit([this, removal] { take_away(removal); }, kRemoveAgain);
}

}  // namespace ym::kubernetes
