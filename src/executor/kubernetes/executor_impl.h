// The implementation of KubernetesExecutor: its threads and locks. Private to this library.
//
// One thread reports to the task registry (`desk_`), so that reports about a task stay in order. One thread watches
// each collection. A few threads make requests that change something, and others read logs, which may take long.
// `mutex_` guards the book and the view. It is never held during a request, or a call of the registry or the store.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "executor/kubernetes/api/api_client.h"
#include "executor/kubernetes/api/object_table.h"
#include "executor/kubernetes/api/watch.h"
#include "executor/kubernetes/kubernetes_executor.h"
#include "executor/kubernetes/nodes/cluster_view.h"
#include "executor/kubernetes/nodes/placeholders.h"
#include "executor/kubernetes/pods/accepted_first.h"
#include "executor/kubernetes/pods/kept_logs.h"
#include "executor/kubernetes/pods/log_saver.h"
#include "executor/kubernetes/pods/pod_book.h"
#include "executor/remote/lost_tokens.h"
#include "executor/remote/work_pool.h"

namespace ym::kubernetes {

// A query that selects the pods of an instance.
std::string own_selector(const std::string& instance);

class ExecutorImpl final : public KubernetesExecutor {
 public:
  ExecutorImpl(KubernetesOptions options, std::unique_ptr<net::HttpClient> http, const Clock& clock);
  ~ExecutorImpl() override;

  void begin_epoch(std::uint64_t epoch) override;
  void know_lost(IsLost is_lost) override;
  Result<std::vector<LostLaunch>> lost_launches() override;
  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override;
  Result<std::vector<Node>> inventory() override;
  std::string identity() const override { return options_.identity; }
  void launch(LaunchRequest request) override;
  TaskLink* task_link() override { return &registry_; }
  void open_barrier(const Token& token, std::span<const TaskClaim> claims) override;
  void stop(const Token& token, StopRequest request) override;
  void deliver(const Token& token, const Secret& job_token) override { registry_.deliver(token, job_token); }
  Result<LogChunk> read_log(const LogQuery& query) override;
  void release(const Token& token) override;
  void provision(const Flavor& flavor) override;
  std::map<std::string, std::string> enforcement() const override;
  std::map<std::string, std::uint64_t> requests() const override { return client_.requests(); }

 private:
  struct UnknownToCluster {
    Token token;
  };
  struct BarrierToClose {
    Token token;
  };
  using Report = std::variant<Observation, PodReport, UnknownToCluster, BarrierToClose>;

  enum class Watched : std::uint8_t { nodes, pods };

  // --- watches
  void watch_own_pods();
  void watch_foreign_pods();
  void watch_nodes();
  void on_contact(Watched which, bool good, const std::string& why);
  void take_own(const json::value& object, bool is_list);
  void ask_whether_lost(const PodView& pod);
  void apply_own(const ObjectTable<PodView>::Delta& delta);  // mutex_ is held
  void take_node(const json::value& object, bool is_list);
  void apply_nodes(const ObjectTable<NodeView>::Delta& delta);  // mutex_ is held

  // --- the reporting thread
  void run_reports();
  void report_all(std::deque<Report> reported);
  void report(Observation observation) { registry_.say(std::move(observation)); }
  void report(PodReport report) { registry_.cluster_says(report.key.token, report.key.task, std::move(report.report)); }
  void report(const UnknownToCluster& of) { registry_.cluster_knows_nothing(of.token); }
  void report(const BarrierToClose& of);
  void tick();
  void tell_cluster();
  void leave_if_away();

  // --- acting on effects
  void carry_out(Effects effects);  // mutex_ is held
  void with_book(const std::function<Effects(PodBook&)>& change);
  void create_pod(const PodKey& key);
  void look_up(const PodKey& key, bool exists);
  void remove_pod(const Removal& removal);
  bool hold(const Removal& removal);
  void keep_placeholders();
  Api<std::string> make_placeholder(const std::string& name, const json::value& body);
  void placeholder_created(const std::string& name, const Api<std::string>& uid);
  LogSaver::Order order_of(const PodKey& key, const std::string& node, Duration wait) const;
  void save_log(const LogToSave& log);
  void take_away(const Removal& removal);
  void remove_when_read(const Removal& removal);
  void sweep_logs();
  ObservationSink with_ends_noted(ObservationSink sink);
  TaskAddress address_of(const LaunchRequest& request) const;

  const KubernetesOptions options_;
  const Clock& clock_;
  ApiClient client_;
  remote::TaskRegistry registry_;
  remote::LostTokens lost_;
  AcceptedFirst accepted_;
  KeptLogs logs_;

  std::mutex mutex_;
  std::condition_variable has_reports_;
  bool stopping_ = false;
  ClusterView view_;  // under mutex_, as all members below
  PodBook book_;
  std::vector<Removal> held_;  // until no other server leads
  Placeholders placeholders_;
  Instant started_, placeholders_kept_;
  std::deque<Report> reports_;
  bool nodes_listed_ = false, foreign_listed_ = false, own_listed_ = false;
  std::map<Watched, bool> contact_;
  std::optional<Instant> good_since_, bad_since_;  // the server answers, or does not
  std::string bad_why_;
  std::optional<bool> available_reported_;
  std::optional<std::vector<Node>> nodes_reported_;

  remote::WorkPool pool_;
  LogSaver saver_;
  std::vector<std::thread> threads_;
};

}  // namespace ym::kubernetes
