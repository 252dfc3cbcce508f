#include "executor/kubernetes/kubernetes_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "executor/kubernetes/api/connection.h"
#include "executor/kubernetes/api/kubeconfig.h"
#include "executor/kubernetes/executor_impl.h"
#include "executor/kubernetes/pods/pod_log.h"

namespace ym {
namespace kubernetes {
namespace {

constexpr std::size_t kWatches = 3;

BookRules rules_of(const KubernetesOptions& options) {
  return {.pod = options.pod,
          .cannot_start = options.cannot_start,
          .bind = options.bind,
          .start = options.start,
          .node_contact = options.node_contact,
          .keep_finished = options.keep_finished};
}

// The reader of the configuration finds these mistakes first, and says where they are. Options have no position.
std::string what_is_wrong(const KubernetesOptions& options) {
  if (options.cluster.empty()) return "the cluster needs a name";
  if (options.pod.instance.empty() || label_value(options.pod.instance) != options.pod.instance)
    return "the instance must be letters, digits, '.', '_' and '-', at most 63";
  if (!options.pod.kueue_queue.empty() && options.pod.node_choice != NodeChoice::delegated)
    return "a queue of Kueue needs placement: delegated, since Kueue chooses when pods start";
  for (const auto& volume : options.pod.volumes) {
    const int sources = !volume.claim.empty() + !volume.config_map.empty() + !volume.host_path.empty();
    if (sources != 1) return fmt::format("the volume at '{}' needs one source", volume.mount_path);
    if (!volume.mount_path.starts_with('/'))
      return fmt::format("the volume at '{}' needs a path that begins with a slash", volume.mount_path);
  }
  return {};
}

// Tasks of a gang that pull their image are later than tasks with the image.
remote::RegistryOptions registry_options(const KubernetesOptions& options) {
  auto registry = options.registry;
  registry.start_timeout = std::max(registry.start_timeout, options.start);
  return registry;
}

}  // namespace

ExecutorImpl::ExecutorImpl(KubernetesOptions options, std::unique_ptr<net::HttpClient> http, const Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      client_(std::move(http)),
      registry_(clock, registry_options(options_)),
      logs_(options_.log_dir, options_.registry.log_cap),
      view_(options_.nodes),
      book_(rules_of(options_), [this](const std::string& node) { return view_.contact(node); }),
      placeholders_(options_.pod),
      pool_(options_.writers),
      saver_(logs_, client_, clock, options_.log_readers) {
  view_.set_unplaced([this](const PodView& pod) { return book_.is_left_alone(pod); });
}

ExecutorImpl::~ExecutorImpl() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  has_reports_.notify_all();
  client_.close();
  saver_.stop();
  pool_.stop();
  for (auto& thread : threads_) thread.join();
}

void ExecutorImpl::begin_epoch(std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  book_.begin_epoch(epoch);
}

Result<void> ExecutorImpl::start(ObservationSink sink, std::span<const LiveAttempt> live) {
  started_ = clock_.now();
  {
    const std::lock_guard lock(mutex_);
    for (const auto& attempt : live) book_.restore(attempt);
  }
  registry_.start(with_ends_noted(accepted_.before(std::move(sink))), live);
  pool_.submit([this] { sweep_logs(); });
  threads_.emplace_back([this] { run_reports(); });
  threads_.emplace_back([this] { watch_nodes(); });
  threads_.emplace_back([this] { watch_own_pods(); });
  if (options_.count_foreign_pods) threads_.emplace_back([this] { watch_foreign_pods(); });
  return {};
}

// Until the watches have the nodes, they are requested once.
Result<std::vector<Node>> ExecutorImpl::inventory() {
  {
    const std::lock_guard lock(mutex_);
    if (nodes_listed_ && (foreign_listed_ || !options_.count_foreign_pods)) return view_.model();
  }
  const auto list = client_.get("/api/v1/nodes");
  if (!list) return std::unexpected(as_error(list.error()));
  std::vector<Node> nodes;
  for (const auto& item : list_at(*list, "/items"))
    if (const auto node = read_node(item); node && is_ours(*node, options_.nodes))
      nodes.push_back(as_model(*node, {}, options_.nodes));
  return nodes;
}

void ExecutorImpl::launch(LaunchRequest request) {
  if (!registry_.launch(request)) return;
  with_book([&](PodBook& book) { return book.launch(std::move(request), clock_.now()); });
}

void ExecutorImpl::open_barrier(const Token& token, std::span<const TaskClaim> claims) {
  registry_.open_barrier(token, claims);
  const std::lock_guard lock(mutex_);
  book_.let_in(token, claims);
}

void ExecutorImpl::stop(const Token& token, StopRequest request) {
  if (registry_.stop(token, request)) return;
  with_book([&](PodBook& book) { return book.close(token, clock_.now()); });
}

void ExecutorImpl::release(const Token& token) {
  registry_.release(token);
  accepted_.forget(token);
  with_book([&](PodBook& book) { return book.release(token, clock_.now()); });
}

void ExecutorImpl::provision(const Flavor& flavor) {
  const std::lock_guard lock(mutex_);
  placeholders_.want(flavor);
}

std::map<std::string, std::string> ExecutorImpl::enforcement() const {
  return {{"cpu limit", "kubelet"},
          {"memory limit", "kubelet"},
          {"gpu isolation", "device plugin"},
          {"time limit", "task agent, and activeDeadlineSeconds"},
          {"privileges", "no privilege escalation, no capabilities, seccomp RuntimeDefault"}};
}

Result<LogChunk> ExecutorImpl::read_log(const LogQuery& query) {
  std::string pod;
  LogLength length{.final = false, .bytes = registry_.log_bytes({query.attempt, query.task})};
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, view] : view_.own().all()) {
      const auto owner = owner_of(view.meta.name, view.labels, options_.pod.instance);
      if (!owner || owner->token.key() != query.attempt || owner->task != query.task) continue;
      pod = pod_target(view.meta.name_space, view.meta.name);
      length.final = view.is_over();
    }
  }
  if (!pod.empty()) {
    auto chunk = read_pod_log(client_, pod, query, length);
    if (chunk || chunk.error().code != ErrorCode::not_found) return chunk;
  }
  auto kept = logs_.read(query);
  // The task still writes, so this is a part of the log.
  if (kept && !pod.empty() && !length.final && !length.bytes) kept->complete = false;
  return kept;
}

}  // namespace kubernetes

Result<std::unique_ptr<KubernetesExecutor>> make_kubernetes_executor(KubernetesOptions options, const Clock& clock) {
  if (auto wrong = kubernetes::what_is_wrong(options); !wrong.empty())
    return fail(ErrorCode::invalid, std::move(wrong));
  auto access = kubernetes::find_access(options.kubeconfig, options.context);
  if (!access) return std::unexpected(access.error());
  if (options.name_space.empty()) options.name_space = access->name_space;
  options.identity = fmt::format("namespace '{}' at {}", options.name_space, access->server);
  options.pod.name_space = options.name_space;
  options.pod.node_selector = options.nodes.select;
  options.nodes.cluster = options.cluster;
  options.nodes.gpu_resources = options.pod.gpu_resources;
  options.nodes.tolerations = options.pod.tolerations;
  // The kubelet's deadline starts before the image is pulled.
  const auto barrier = kubernetes::registry_options(options).start_timeout;
  options.pod.start_margin = std::max(options.pod.start_margin, options.start + barrier);
  const auto connections = static_cast<std::size_t>(options.writers + options.log_readers) + kubernetes::kWatches + 4;
  auto http = kubernetes::connect(*access, clock, connections);
  if (!http) return std::unexpected(http.error());
  return std::make_unique<kubernetes::ExecutorImpl>(std::move(options), std::move(*http), clock);
}

}  // namespace ym
