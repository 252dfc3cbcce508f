// ControlServer: the threads around the Controller, and the Service that the API sees.
//
// The control thread takes what has arrived, stages all of it, commits once (group
// commit) and starts over. The engine runs beside it on a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "control/commit_pause.h"
#include "control/controller.h"
#include "control/engine_thread.h"
#include "control/read_model.h"
#include "control/service.h"
#include "control/tokens.h"

namespace ym {

struct ControlOptions {
  ControllerOptions controller;
  engine::Policy policy;
  // How user code reaches the server's API, "http://127.0.0.1:8470/api", and the key of the
  // tokens by which it is known (make_job_token_key). Empty: it reports by its output and its
  // marker file only.
  std::string api_url{};
  Secret job_token_key{};
  // Another server has taken the state over: this one must not act any more. Called once,
  // from the control thread. Nothing: the process ends at once.
  std::function<void(const Error&)> on_replaced;
};

class ControlServer final : public Service {
 public:
  // Opens the state and starts the threads. The store, executors and clock must
  // outlive it. Errors: those of Store::load, and the executors'; `invalid` if the key is none.
  static Result<std::unique_ptr<ControlServer>> start(Store& store, Controller::Executors executors, const Clock& clock,
                                                      ControlOptions options, const DesiredState& desired);
  ~ControlServer() override;

  // Makes a token for `principal`; stored before it returns. Thread-safe.
  Result<Secret> add_token(const std::string& principal, const std::string& role);
  bool has_tokens() const { return !token_book_.empty(); }
  // A new configuration (SIGHUP); whether it can be had is said in the log. Thread-safe.
  void reconfigure(DesiredState desired, engine::Policy policy);
  // Jobs that have not ended.
  std::size_t live_jobs() const { return read_model_.live_jobs(); }

  void execute(Caller caller, Command command, Reply reply) override;
  Result<Caller> authenticate(const Secret& token) override;
  Result<JobId> resolve(const Caller& caller, std::string_view id_or_name) override;
  Result<GroupId> resolve_group(const Caller& caller, std::string_view id_or_name) override;
  Result<JobView> job(JobId id) override;
  Result<JobPage> jobs(const JobFilter& filter, std::size_t limit) override;
  Result<Explanation> why(JobId id) override;
  void compare(engine::PolicyChange change, CompareReply reply) override {
    engine_->compare(std::move(change), std::move(reply));
  }
  Result<EventPage> events(const EventFilter& filter, std::size_t limit) override;
  Result<std::optional<Notice>> notice(AttemptKey attempt) override;
  std::vector<QueueView> queues() override;
  std::vector<NodeView> nodes() override;
  std::vector<AdvanceReservation> reservations() override { return read_model_.reservations(); }
  Result<LogChunk> log(const LogQuery& query) override;
  std::shared_ptr<void> listen(EventListener listener) override;
  std::uint64_t last_seq() override { return read_model_.last_seq(); }
  Counters counters() override;
  std::optional<std::string> not_ready() override;
  Instant now() override { return clock_.now(); }

 private:
  struct CommandItem {
    Caller caller;
    Command command;
    Reply reply;
    std::shared_ptr<const JobView> ended{};  // that it is about
  };
  using PlanItem = std::shared_ptr<const EngineReport>;
  struct ConfigurationItem {
    DesiredState desired;
    engine::Policy policy;
  };
  struct TokenItem {
    TokenRecord record;
    std::promise<Result<void>> stored;
  };
  using Item = std::variant<CommandItem, Observation, PlanItem, ConfigurationItem, TokenItem>;
  // What of a batch matters after its commit.
  struct Staged {
    bool plan = false;
    std::optional<ConfigurationItem> configuration;
  };

  ControlServer(Store& store, Controller::Executors executors, const Clock& clock, ControlOptions options);

  // Executors outlive the server: what they report after its end goes nowhere.
  struct SinkGate {
    std::mutex mutex;
    ControlServer* server = nullptr;
  };
  ObservationSink make_sink();

  void post(Item item);
  void run();
  std::optional<std::vector<Item>> wait_for_batch();
  std::optional<std::chrono::steady_clock::time_point> idle_until() const;
  void store_progress();
  bool has_work_kept() const;
  bool may_wait(const std::vector<Item>& batch) const;
  void set_aside(std::vector<Item>& batch);
  void work(std::vector<Item>& batch);
  void stage(Item& item, Staged& staged);
  void commit_stored(const Staged& staged);
  void commit_failed(const Error& error, Staged staged);
  void published(const Committed& committed, const Tables& tables);
  std::vector<std::string> reasons_to_run(const JobView& view);
  void look_ahead(Explanation& explanation, JobId id);
  std::shared_ptr<const JobView> ended_job_of(const Command& command);
  Result<JobView> stored_job(JobId id);
  Result<std::optional<JobId>> newest_ended(const Caller& caller, const std::string& name);
  struct HistoryPage {
    std::vector<JobView> views;   // newest first
    std::optional<JobId> cut_at;  // the last one, if there are more: large rows make short pages
  };
  Result<HistoryPage> history_page(const JobFilter& filter, std::size_t limit);
  static Result<std::optional<JobId>> cut_of(StoreReader& reader, JobFilter filter, const std::vector<Job>& page,
                                             std::size_t limit);

  // Readers are made on demand and used by one thread at a time.
  class ReaderLease;
  Result<ReaderLease> lease_reader();

  Store& store_;
  Controller::Executors executors_;
  const Clock& clock_;
  ControlOptions options_;
  ReadModel read_model_;
  TokenBook token_book_;
  Controller controller_;
  std::unique_ptr<EngineThread> engine_;

  const std::shared_ptr<SinkGate> sink_gate_ = std::make_shared<SinkGate>();

  std::mutex readers_mutex_;
  std::vector<std::unique_ptr<StoreReader>> idle_readers_;

  std::mutex listeners_mutex_;
  std::list<std::weak_ptr<EventListener>> listeners_;

  std::mutex inbox_mutex_;
  std::condition_variable inbox_filled_;
  std::vector<Item> inbox_;
  bool stopping_ = false;
  std::atomic<std::int64_t> failed_commits_ = 0;
  std::atomic<bool> pausing_ = false;

  // A plan that only says why jobs wait: it is stored with the next change, or a moment
  // later, so that it does not cost a flush of its own for each submit.
  PlanItem waiting_plan_;
  std::chrono::steady_clock::time_point waiting_until_;

  // What was committed and the engine was not told yet: those who wait for a reply come first.
  EngineThread::Events news_;

  // Of the control thread, after a commit that failed: until when nothing is tried, what
  // is answered meanwhile, and what has to be tried again.
  CommitPause pause_;
  Error trouble_;
  std::vector<Item> kept_;
  bool plan_lost_ = false;
  bool replaced_ = false;
  std::thread thread_;
};

}  // namespace ym
