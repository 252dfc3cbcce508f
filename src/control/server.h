// ControlServer: the threads around the Controller, and the Service that the API sees.
//
// The control thread takes what has arrived, stages all of it, commits once (group
// commit) and starts over. The engine runs beside it on a thread of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "control/controller.h"
#include "control/engine_thread.h"
#include "control/read_model.h"
#include "control/service.h"
#include "control/tokens.h"

namespace ym {

struct ControlOptions {
  ControllerOptions controller;
  engine::Policy policy;
};

class ControlServer final : public Service {
 public:
  // Opens the state and starts the threads. The store, executors and clock must
  // outlive it. Errors: those of Store::load, and the executors'.
  static Result<std::unique_ptr<ControlServer>> start(Store& store, Controller::Executors executors, const Clock& clock,
                                                      ControlOptions options, const DesiredState& desired);
  ~ControlServer() override;

  // Makes a token for `principal`; stored before it returns. Call before serving.
  Result<Secret> add_token(const std::string& principal, const std::string& role);
  bool has_tokens() const { return !controller_.tokens().empty(); }
  // A new configuration (SIGHUP). Thread-safe.
  void reconfigure(DesiredState desired);
  // Jobs that have not ended.
  std::size_t live_jobs() const { return read_model_.live_jobs(); }

  void execute(Caller caller, Command command, Reply reply) override;
  Result<Caller> authenticate(const Secret& token) override { return token_book_.authenticate(token); }
  Result<JobId> resolve(const Caller& caller, std::string_view id_or_name) override;
  Result<JobView> job(JobId id) override;
  Result<JobPage> jobs(const JobFilter& filter, std::size_t limit) override;
  Result<Explanation> why(JobId id) override;
  Result<EventPage> events(const EventFilter& filter, std::size_t limit) override;
  std::vector<QueueView> queues() override { return read_model_.queues(engine_->report()->usage); }
  std::vector<NodeView> nodes() override { return read_model_.nodes(); }
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
  };
  using PlanItem = std::shared_ptr<const EngineReport>;
  using Item = std::variant<CommandItem, Observation, PlanItem, DesiredState>;

  ControlServer(Store& store, Controller::Executors executors, const Clock& clock, ControlOptions options);

  // Executors outlive the server: what they report after its end goes nowhere.
  struct SinkGate {
    std::mutex mutex;
    ControlServer* server = nullptr;
  };
  ObservationSink make_sink();

  void post(Item item);
  void run();
  void stage(Item& item, bool& plan_taken);
  void published(const Committed& committed, const Tables& tables);
  Result<JobId> newest_ended(const Caller& caller, std::string_view name);
  Result<std::vector<JobView>> history_page(const JobFilter& filter, std::size_t limit);

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
  std::atomic<bool> last_commit_failed_ = false;
  std::thread thread_;
};

}  // namespace ym
