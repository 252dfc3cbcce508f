// KubernetesExecutor: what is said to the desk, and what is done at the API server.
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "executor/kubernetes/executor_impl.h"
#include "executor/kubernetes/pod_log.h"

namespace ym::kubernetes {
namespace {

constexpr Duration kSteady = seconds(1);
constexpr Duration kRemoveAgain = seconds(5);
constexpr Duration kPlaceholderPause = seconds(2);  // so that what is refused is not asked for all the time

}  // namespace

void ExecutorImpl::with_book(const std::function<Effects(PodBook&)>& change) {
  const std::lock_guard lock(mutex_);
  carry_out(change(book_));
}

void ExecutorImpl::carry_out(Effects effects) {
  for (auto& each : effects.observations) said_.emplace_back(std::move(each));
  for (auto& each : effects.words) said_.emplace_back(std::move(each));
  for (auto& each : effects.unknown) said_.emplace_back(each);
  if (!said_.empty()) said_something_.notify_all();
  for (const auto& key : effects.create) pool_.submit([this, key] { create_pod(key); });
  for (const auto& key : effects.look_up) pool_.submit([this, key] { look_up(key, false); });
  for (auto& each : effects.remove) pool_.submit([this, each = std::move(each)] { remove_pod(each); });
}

void ExecutorImpl::speak() {
  using Steady = std::chrono::steady_clock;
  auto next = Steady::now();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    said_something_.wait_until(lock, next, [this] { return stopping_ || !said_.empty(); });
    auto said = std::exchange(said_, {});
    lock.unlock();
    say_all(std::move(said));
    if (Steady::now() >= next) {
      tick();
      next = Steady::now() + std::chrono::seconds(1);
    }
    lock.lock();
  }
}

void ExecutorImpl::say_all(std::deque<Said> said) {
  for (auto& each : said) {
    if (auto* observation = std::get_if<Observation>(&each)) desk_.say(std::move(*observation));
    else if (auto* word = std::get_if<Word>(&each))
      desk_.cluster_says(word->key.token, word->key.task, std::move(word->word));
    else desk_.cluster_knows_nothing(std::get<Token>(each));
  }
}

void ExecutorImpl::tick() {
  const auto kills = desk_.due();
  with_book([&](PodBook& book) {
    auto effects = book.tick(clock_.now());
    for (const auto& kill : kills) effects.add(book.kill({kill.token, kill.task}));
    return effects;
  });
  keep_placeholders();
  tell_cluster();
}

// A server that answers now and then is not said to be back each time.
void ExecutorImpl::tell_cluster() {
  std::optional<ClusterIsSeen> seen;
  std::optional<std::vector<Node>> nodes;
  {
    const auto now = clock_.now();
    const std::lock_guard lock(mutex_);
    if (good_since_ && *good_since_ + kSteady <= now && available_told_ != true)
      seen = ClusterIsSeen{.cluster = options_.cluster, .available = true, .message = {}};
    else if (bad_since_ && *bad_since_ + options_.unavailable <= now && available_told_ != false)
      seen = ClusterIsSeen{.cluster = options_.cluster, .available = false, .message = bad_why_};
    if (seen) available_told_ = seen->available;
    const bool listed = nodes_listed_ && (foreign_listed_ || !options_.count_foreign_pods);
    if (listed && view_.take_changed()) nodes = view_.model();
    if (nodes && nodes == nodes_told_) nodes.reset();
    if (nodes) nodes_told_ = nodes;
  }
  if (nodes) desk_.say({.token = {}, .what = NodesAreSeen{.cluster = options_.cluster, .nodes = std::move(*nodes)}});
  if (seen) desk_.say({.token = {}, .what = std::move(*seen)});
}

void ExecutorImpl::keep_placeholders() {
  const std::lock_guard lock(mutex_);
  if (!own_listed_ || !nodes_listed_ || !placeholders_.any()) return;
  if (clock_.now() < placeholders_kept_ + kPlaceholderPause) return;
  placeholders_kept_ = clock_.now();
  auto work = placeholders_.pass(view_.model());
  const auto done = [this](const std::string& tried) {
    const std::lock_guard again(mutex_);
    placeholders_.tried(tried);
  };
  // What fails is wanted again at the next look.
  for (auto& one : work.create)
    pool_.submit([this, done, pod = std::move(one)] {
      (void)client_.create(pods_target(options_.name_space), pod.second);
      done(pod.first);
    });
  for (auto& one : work.remove)
    pool_.submit([this, done, pod = std::move(one)] {
      (void)client_.remove(pod_target(options_.name_space, pod.first), pod.second, {});
      done(pod.first);
    });
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
  using Kind = ApiError::Kind;
  if (made.error().kind == Kind::already_exists) return look_up(key, true);
  // It may exist all the same, which is found out before it is asked for again.
  if (made.error().kind == Kind::unreachable || made.error().kind == Kind::timeout) {
    const auto there = client_.get(pod_target(options_.name_space, pod_name(key)));
    if (there) return look_up(key, true);
  }
  with_book([&](PodBook& book) { return book.failed(key, made.error(), clock_.now()); });
}

void ExecutorImpl::look_up(const PodKey& key, bool exists) {
  auto there = client_.get(pod_target(options_.name_space, pod_name(key)));
  if (!there) {
    // It was there a moment ago, and its name is free now.
    if (exists && there.error().kind == ApiError::Kind::not_found) there.error().kind = ApiError::Kind::trouble;
    if (exists || there.error().kind != ApiError::Kind::not_found)
      return with_book([&](PodBook& book) { return book.failed(key, there.error(), clock_.now()); });
    return with_book([&](PodBook& book) { return book.absent(key, clock_.now()); });
  }
  const auto pod = read_pod(*there);
  with_book([&](PodBook& book) -> Effects {
    if (!pod) return {};
    const auto owner = owner_of(pod->meta.name, pod->labels, options_.pod.instance);
    return owner == key ? book.created(key, pod->meta.uid, clock_.now()) : book.foreign(key, pod->meta.uid);
  });
}

void ExecutorImpl::remove_pod(const Removal& removal) {
  if (removal.keep_log) save_log(removal.key);
  const auto done = client_.remove(pod_target(options_.name_space, pod_name(removal.key)), removal.uid, removal.grace);
  if (!done) pool_.submit([this, removal] { remove_pod(removal); }, kRemoveAgain);
}

void ExecutorImpl::save_log(const PodKey& key) {
  const auto file = log_file(key.token.key(), key.task);
  if (file.empty()) return;
  // A log that cannot be had does not keep the pod.
  (void)save_pod_log(client_, pod_target(options_.name_space, pod_name(key)), file, options_.desk.log_cap);
}

}  // namespace ym::kubernetes
