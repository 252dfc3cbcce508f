// ControlServer: the threads around the ControlLoop, and the server's backend for the API.
//
// The control thread takes the items of its inbox, stages them, commits once (group commit) and starts over. The engine
// runs beside it on a thread of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "control/access/access_book.h"
#include "control/control_loop.h"
#include "control/engine_host/engine_thread.h"
#include "control/serve/backend.h"
#include "control/serve/event_listeners.h"
#include "control/serve/fenced_task_link.h"
#include "control/serve/log_readers.h"
#include "control/serve/read_model.h"
#include "control/serve/sealer.h"

namespace ym {

class ControlServer final : public Commands, public Advice, public Tasks {
 public:
  // Opens the state and starts the threads. The store, executors and clock must outlive it. Errors: those of
  // Controller::open, and the executors'; `invalid` if the job token key is not one.
  static Result<std::unique_ptr<ControlServer>> start(Store& store, Controller::Executors executors, const Clock& clock,
                                                      ControlOptions options, const DesiredState& desired);
  ~ControlServer() override;

  // Like execute, for the server itself; returns after the change is stored. `agent`: what asks for it, in the audit
  // log; empty: it has no record. Thread-safe; not from the control thread.
  Result<CommandReply> execute_now(Command command, std::string_view agent = {});
  // Loads a new configuration (SIGHUP). The log says whether it is accepted. The control thread calls `in_force` when
  // it is in force, and never if it is refused. Thread-safe.
  void reconfigure(DesiredState desired, const PolicySettings& settings, engine::Policy base = {},
                   std::function<void()> in_force = {});
  // Deletes events up to this one from the store, at most `limit`, and the jobs that end with them. Precondition: a
  // stored segment of the history has them. Thread-safe; not from the control thread. Errors: those of Store::prune.
  Result<Pruned> prune(std::uint64_t to, std::size_t limit);
  // In order of their events. Thread-safe.
  std::vector<HistorySegment> history_segments() const { return read_model_.history_segments(); }
  std::vector<Erasure> erasures() const { return read_model_.erasures(); }
  // Once an hour it stores when tokens were last used, and removes tokens and bindings that expired a week ago. Call it
  // each minute or more often, from one thread.
  void tend_tokens();
  // Starts no log read from now on. False: a read does not end in time because its disk or network hangs. Then this
  // server must not be destroyed before the read ends.
  bool end_log_reading(std::chrono::milliseconds timeout);
  // Decides, changes and stores nothing from now on. A second call does nothing.
  void stop();
  // Jobs that have not ended.
  std::size_t live_jobs() const { return read_model_.live_jobs(); }

  const Reads& reads() const { return reads_; }
  const Backend& backend() const { return backend_; }

  void execute(Caller caller, Command command, Reply reply) override;
  void note(AuditRecord record) override;
  Result<Explanation> why(const Caller& caller, JobId id) override;
  void compare(const Caller& caller, engine::PolicyChange change, CompareReply reply) override;
  Result<TaskLink*> task_link(const Caller& caller, AttemptKey attempt) override;
  Result<std::optional<Notice>> notice(const Caller& caller, AttemptKey attempt) override;
  void read_log(const Caller& caller, LogQuery query, LogReply reply) override;

 private:
  ControlServer(Store& store, Controller::Executors executors, const Clock& clock, ControlOptions options);

  // Executors outlive the server: it drops what they report after its end.
  struct SinkTarget {
    std::mutex mutex;
    ControlServer* server = nullptr;
  };
  ObservationSink make_sink();
  Reads::Sources make_sources();

  void post(ControlItem item);
  void run();
  // How long the store has not answered, if that is long.
  std::optional<std::chrono::seconds> stuck_for() const;
  std::optional<std::vector<ControlItem>> wait_for_batch();
  void published(const Committed& committed, const Tables& tables);
  void start_sealer();
  Reply telling_of_rotation(const Command& command, Reply reply) const;
  Reads::Usage usage() const;
  Reads::Enforcement enforcement() const;
  void add_counts(Counters& counters) const;
  std::optional<std::string> not_ready() const;
  std::vector<std::string> reasons_to_run(const JobView& view);
  static void show_ahead(const Access& access, const Job& job, Explanation& explanation);
  void name_blockers(const Access& access, Explanation& explanation) const;
  void look_ahead(Explanation& explanation, const Job& job);
  Error final_error(Error error);
  Result<TaskLink*> link_of_unknown(AttemptKey attempt);
  // The cluster of the attempt. Errors: `not_found`: there is no such attempt, or no such task.
  Result<std::string> cluster_of(const Caller& caller, const LogQuery& query);
  Result<LogChunk> read_left_log(const std::string& cluster, const LogQuery& query);
  std::shared_ptr<const JobView> ended_job_of(const Command& command);

  Store& store_;
  Controller::Executors executors_;
  const Clock& clock_;
  ReadModel read_model_;
  AccessBook access_book_;
  EventListeners listeners_;
  AuditIntake audit_;
  const Reads reads_;
  const Backend backend_{.reads = reads_, .commands = *this, .advice = *this, .tasks = *this};
  std::map<std::string, FencedTaskLink> task_links_;  // by cluster
  ControlLoop loop_;
  std::unique_ptr<EngineThread> engine_;
  Instant expired_removed_at_;
  std::unique_ptr<Sealer> sealer_;  // null: events get no seals

  const std::shared_ptr<SinkTarget> sink_target_ = std::make_shared<SinkTarget>();

  std::mutex inbox_mutex_;
  std::condition_variable inbox_filled_;
  std::vector<ControlItem> inbox_;
  bool stopping_ = false;
  // Start of its batch; zero: it waits for one.
  std::atomic<std::chrono::steady_clock::duration> busy_since_{};
  std::thread thread_;

  // Declared last, so that they end before the objects that they use.
  std::map<std::string, LogReaders> log_readers_;  // by cluster
  LogReaders left_log_readers_;                    // of clusters that are no longer connected
};

}  // namespace ym
