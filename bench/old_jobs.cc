// old_jobs: a state on SQLite with jobs that ended long ago, written by the store itself. For figures/prune.py.
//
//     old_jobs --state DIR --jobs 1000000
//
// They come at 10,000 a day, and the last one ended 30 days ago. Each has the events of a job that ran once, and seals
// cover them. Prints one JSON object: the number of events, and the last one that a seal covers.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/random.h"
#include "control/audit/seal.h"
#include "control/audit/verification.h"
#include "model/resources.h"
#include "store/sqlite/sqlite_store.h"

namespace ym {
namespace {

// A batch with the seal of the batch before it is no more than a seal may cover.
constexpr std::int64_t kJobsOfABatch = 90;
constexpr Duration kDaysAgo = hours(30 * 24), kBetweenEvents{860};
constexpr std::int64_t kEventsOfAJob = 10;

[[noreturn]] void die(const Error& error) {
  fmt::print(stderr, "old_jobs: {}\n", error.message);
  std::exit(1);
}

template <class T>
T must(Result<T> result) {
  if (!result) die(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

Instant wall_clock() {
  using namespace std::chrono;
  return {duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()};
}

class OldJobs {
 public:
  OldJobs(Store& store, std::int64_t jobs)
      : store_(store),
        reader_(must(store.reader())),
        left_(jobs),
        now_(wall_clock() - kDaysAgo - Duration{jobs * kEventsOfAJob * kBetweenEvents.ms}) {}

  // The last event that a seal covers.
  std::uint64_t write() {
    configure();
    while (left_ > 0) {
      for (std::int64_t i = 0; i < kJobsOfABatch && left_ > 0; ++i, --left_) run_one_job();
      commit();
      seal();
    }
    commit();  // the last seal
    return sealed_.to;
  }

 private:
  void add(EventPayload payload, std::string actor, std::string reason = {}) {
    now_ = now_ + kBetweenEvents;
    Event event{.seq = tables_.last_seq + 1,
                .time = now_,
                .actor = std::move(actor),
                .reason = std::move(reason),
                .payload = std::move(payload)};
    apply(tables_, event, &touched_);
    events_.push_back(std::move(event));
  }

  void commit() {
    must(store_.commit(make_commit(tables_, std::exchange(touched_, {}), std::exchange(events_, {}))));
    for (const JobId job : std::exchange(ended_, {})) forget(tables_, job);
  }

  void seal() {
    LogSealed seal = make_seal(sealed_, must(read_leaves(*reader_, sealed_.to, kMostSealed)));
    sealed_ = {.to = seal.to, .chain = seal.chain};
    add(std::move(seal), "server", "sealed");
  }

  void configure() {
    add(ServerStarted{1, "bench", 0}, "server", "a server started");
    add(ClusterSet{{.name = "lab", .executor = "local"}}, "config");
    Node node{.name = "n1", .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli, .memory_bytes = 256 * kGiB};
    for (const char* id : {"0", "1", "2", "3"}) node.devices.push_back({.id = id, .healthy = true, .physical = ""});
    add(NodeSet{std::move(node)}, "config");
    add(FlavorSet{{.name = "t4", .gpu_type = "t4"}}, "config");
    add(QueueSet{{.name = "default"}}, "config");
  }

  Job next_job() {
    JobSpec spec{.name = fmt::format("train-{}", random_.below(200))};
    spec.run = {.form = Program::Form::argv,
                .words = {"python3", "train.py", "--config", fmt::format("configs/{}.yaml", random_.below(1000)),
                          fmt::format("--seed={}", random_.next())}};
    spec.workdir = fmt::format("/home/user{}/projects/vision", random_.below(20));
    spec.env = {{"OMP_NUM_THREADS", "8"}, {"RUN_ID", std::to_string(random_.next())}};
    spec.time_limit = hours(4);
    spec.resources.gpus = kMilli;
    spec.resources.gpu_type = "t4";
    spec.resources.cpus = 8 * kMilli;
    spec.resources.memory_bytes = 32 * kGiB;
    Job job{.id = JobId{tables_.last_id + 2}, .spec_id = SpecId{tables_.last_id + 1}, .name = spec.name};
    job.spec = std::make_shared<const JobSpec>(std::move(spec));
    job.project = fmt::format("project{}", random_.below(10));
    job.owner = fmt::format("user{}", random_.below(20));
    job.queue = "default";
    job.pending = ReasonCode::pending_evaluation;
    job.submitted_at = now_ + kBetweenEvents;
    return job;
  }

  Attempt attempt_of(const Job& job) const {
    Attempt attempt{.job = job.id, .number = 1, .epoch = tables_.epoch, .cluster = "lab"};
    attempt.queue = job.queue;
    attempt.flavor = "t4";
    attempt.prices_micros = prices_of(attempt.flavor, tables_.flavors);
    attempt.admitted_at = now_ + kBetweenEvents;
    attempt.placement.push_back({0, "n1", {std::to_string(job.id.value % 4)}});
    attempt.tasks.resize(1);
    return attempt;
  }

  void run_one_job() {
    const Job job = next_job();
    add(JobSubmitted{job}, job.owner, "submitted");
    add(RequestAudited{.verb = "jobs.submit",
                       .object = "job:" + to_string(job.id),
                       .from = tables_.last_seq,
                       .source = "10.0.0.1",
                       .agent = "ym/1.0"},
        job.owner, "recorded");
    const Attempt attempt = attempt_of(job);
    const AttemptKey key = attempt.key();
    add(AttemptAdmitted{attempt}, "scheduler", "admitted to flavor t4");
    add(AttemptSubmitted{key}, "executor:lab", "the executor has it");
    add(AttemptStarting{key}, "executor:lab", "its tasks prepare to start");
    add(TaskStarted{key, 0}, "executor:lab", "task 0 runs");
    add(AttemptStarted{key}, "executor:lab", "every task runs");
    add(TaskEnded{key, 0, {.exit_code = 0, .at = now_}}, "executor:lab", "task 0 ended");
    add(AttemptEnded{key, EndedBy::exit, 0, {}, ""}, "executor:lab", "it exited with 0");
    add(JobFinished{job.id, JobState::succeeded, ""}, "server", "it exited with 0");
    ended_.push_back(job.id);
  }

  Store& store_;
  const std::unique_ptr<StoreReader> reader_;
  Random random_{1};
  std::int64_t left_;
  Instant now_;
  Tables tables_;
  Touched touched_;
  std::vector<Event> events_;
  std::vector<JobId> ended_;  // of this batch
  SealHead sealed_;
};

}  // namespace
}  // namespace ym

int main(int argc, char** argv) {
  using namespace ym;
  std::string state;
  std::int64_t jobs = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string key = argv[i];
    if (key == "--state") state = argv[i + 1];
    if (key == "--jobs") jobs = std::atoll(argv[i + 1]);
  }
  if (state.empty() || jobs <= 0) die({.code = ErrorCode::invalid, .message = "--state DIR --jobs N"});
  const auto store = must(open_sqlite_store(state));
  (void)must(store->load());
  const std::uint64_t sealed = OldJobs(*store, jobs).write();
  fmt::print("{{\"jobs\": {}, \"events\": {}, \"sealed\": {}}}\n", jobs, sealed + 1, sealed);
  return 0;
}
