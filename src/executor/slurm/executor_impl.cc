#include "executor/slurm/executor_impl.h"

#include <fmt/format.h>
#include <pwd.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "executor/remote/acceptance.h"
#include "executor/slurm/client/cli_client.h"
#include "executor/slurm/client/hostlist.h"
#include "executor/slurm/client/rest_client.h"
#include "executor/slurm/cluster_name.h"
#include "executor/slurm/log_files.h"

namespace ym::slurm {

SlurmExecutor::SlurmExecutor(SlurmOptions options, std::unique_ptr<SlurmClient> client, const Clock& clock)
    : options_(std::move(options)),
      client_(std::move(client)),
      clock_(clock),
      registry_(clock, options_.registry),
      tracker_({}, [this](const Token& token) { return registry_.barrier_is_open(token); }),
      power_up_jobs_(options_.instance),
      budget_(options_.status_rpcs_a_minute, clock.now()) {
  tracker_.set_rules(rules());
}

SlurmExecutor::~SlurmExecutor() {
  {
    const std::lock_guard lock{mutex_};
    over_ = true;
  }
  changed_.notify_all();
  for (auto* thread : {&watcher_, &ticker_})
    if (thread->joinable()) thread->join();
  pool_.reset();
}

void SlurmExecutor::begin_epoch(std::uint64_t epoch) {
  const std::lock_guard lock{mutex_};
  tracker_.begin_epoch(epoch);
  power_up_jobs_.begin_epoch(epoch);
}

Result<void> SlurmExecutor::start(ObservationSink sink, std::span<const LiveAttempt> live) {
  registry_.start([this, sink = std::move(sink)](Observation seen) { pass_on(sink, std::move(seen)); }, live);
  for (const auto& attempt : live) adopt_live(attempt);
  pool_.emplace(options_.submitters);
  watcher_ = std::thread([this] { watch(); });
  ticker_ = std::thread([this] { tick(); });
  return {};
}

void SlurmExecutor::adopt_live(const LiveAttempt& attempt) {
  auto parts = plan_parts(attempt.request, options_.placement);
  // With the current configuration or version it would not have been submitted. With an earlier one it was, if it was
  // let in.
  if (!parts && was_let_in(attempt)) parts = std::vector{part_of_claims(attempt)};
  if (!parts) return registry_.cluster_knows_nothing(attempt.token());
  {
    const std::lock_guard lock{told_mutex_};
    unaccepted_.insert(attempt.token());
  }
  const std::lock_guard lock{mutex_};
  tracker_.recall(attempt, std::move(*parts), clock_.now());
}

// A claim of a task agent proves that Slurm has accepted the job, even if Slurm's own answer comes later.
// LaunchAccepted is reported once.
void SlurmExecutor::pass_on(const ObservationSink& sink, Observation observation) {
  bool accepted_before = false;
  const auto& token = observation.token;
  {
    const std::lock_guard lock{told_mutex_};
    const bool accepts = std::holds_alternative<LaunchAccepted>(observation.what);
    const bool proves = remote::proves_acceptance(observation.what);
    const bool was_unaccepted = (accepts || proves) && unaccepted_.erase(token) > 0;
    if (accepts && !was_unaccepted) return;
    accepted_before = proves && was_unaccepted;
    if (const auto* ended = std::get_if<TaskHasEnded>(&observation.what)) ended_.emplace(token.key(), ended->task);
  }
  if (accepted_before) sink({token, LaunchAccepted{}});
  sink(std::move(observation));
}

Result<std::vector<Node>> SlurmExecutor::inventory() {
  if (std::unique_lock lock{mutex_}; facts_.version.empty()) {
    lock.unlock();
    if (!look_at_facts()) return fail(ErrorCode::unavailable, "Slurm's configuration cannot be read");
  }
  const auto rows = client_->nodes();
  if (!rows) return std::unexpected(rows.error());
  const std::lock_guard lock{mutex_};
  return nodes_of(*rows);
}

Result<std::vector<Part>> SlurmExecutor::plan(const LaunchRequest& request) const {
  if (!request.contact)
    return fail(ErrorCode::invalid, "the tasks of a Slurm cluster need a server address that they can reach");
  auto parts = plan_parts(request, options_.placement);
  if (!parts) return parts;
  if (const auto minutes = minutes_for(*request.spec, options_, facts_); !minutes)
    return std::unexpected(minutes.error());
  return parts;
}

void SlurmExecutor::refuse(const Token& token, LaunchRefused why) { registry_.say({token, std::move(why)}); }

void SlurmExecutor::launch(LaunchRequest request) {
  const Token token = request.token;
  Result<std::vector<Part>> parts;
  {
    const std::lock_guard lock{mutex_};
    if (tracker_.knows(token)) return;
    parts = plan(request);
  }
  if (!parts) return refuse(token, {.message = parts.error().message, .permanent = true});
  if (!registry_.launch(request)) return;
  {
    const std::lock_guard lock{told_mutex_};
    unaccepted_.insert(token);
  }
  {
    const std::lock_guard lock{mutex_};
    tracker_.expect(request, std::move(*parts), clock_.now());
  }
  follow_up();
}

void SlurmExecutor::open_barrier(const Token& token, std::span<const TaskClaim> claims) {
  registry_.open_barrier(token, claims);
}

void SlurmExecutor::stop(const Token& token, StopRequest request) {
  if (registry_.stop(token, request)) return;
  {
    const std::lock_guard lock{mutex_};
    tracker_.take_off(token);
  }
  follow_up();
}

void SlurmExecutor::deliver(const Token& token, const Secret& job_token) { registry_.deliver(token, job_token); }

std::string SlurmExecutor::identity() const {
  const auto name = cluster_name(options_.conf);
  return name.empty() ? "" : "the Slurm cluster '" + name + "'";
}

Result<LogChunk> SlurmExecutor::read_log(const LogQuery& query) {
  const auto is_live = [&] {
    for (const auto& token : registry_.live())
      if (token.key() == query.attempt) return true;
    return false;
  };
  bool ended = false;
  {
    const std::lock_guard lock{told_mutex_};
    ended = ended_.contains({query.attempt, query.task});
  }
  return read_log_file(options_.log_dir, query, ended || !is_live());
}

void SlurmExecutor::provision(const Flavor& flavor) {
  const std::lock_guard lock{mutex_};
  power_up_jobs_.want(flavor);
  wants_nodes_ = true;
}

void SlurmExecutor::release(const Token& token) {
  registry_.release(token);
  {
    const std::lock_guard lock{told_mutex_};
    std::erase_if(ended_, [&](const auto& entry) { return entry.first == token.key(); });
    unaccepted_.erase(token);
  }
  {
    const std::lock_guard lock{mutex_};
    tracker_.release(token);
  }
  follow_up();
}

std::map<std::string, std::string> SlurmExecutor::enforcement() const {
  const std::string by_slurm = "as Slurm is configured (TaskPlugin, cgroup.conf)";
  return {{"cpu limit", by_slurm},
          {"memory limit", by_slurm},
          {"devices", by_slurm},
          {"time limit", "the task agent, and Slurm's --time in addition"}};
}

}  // namespace ym::slurm

namespace ym {
namespace {

std::string what_is_wrong(const SlurmOptions& options) {
  if (options.server_url.empty()) return "a Slurm cluster needs the address at which its nodes reach this server";
  if (options.wrapper.empty() || options.wrapper.front() != '/') return "the path of ym-task must be absolute";
  if (!options.log_dir.empty() && options.log_dir.front() != '/') return "log_dir must be an absolute path";
  if (!options.ca_file.empty() && options.ca_file.front() != '/') return "ca_file must be an absolute path";
  if (!options.ca_file.empty() && !options.server_url.starts_with("https://"))
    return fmt::format(
        "ca_file needs an https address of the server, but the nodes get {}: give ym serve "
        "--advertise-url https://HOST:PORT",
        options.server_url);
  if (options.log_dir.find_first_of("%\\\n") != std::string::npos) return "log_dir must not contain %, \\ or a newline";
  if (!slurm::is_plain_host(options.instance)) return "the instance must be letters, digits, '-', '_' and '.'";
  for (const auto* name : {&options.partition, &options.account, &options.qos, &options.reservation})
    if (!name->empty() && !slurm::is_plain_host(*name)) return fmt::format("\"{}\" is not a valid Slurm name", *name);
  return {};
}

}  // namespace

Result<std::unique_ptr<Executor>> make_slurm_executor(SlurmOptions options, const Clock& clock) {
  if (auto wrong = what_is_wrong(options); !wrong.empty()) return fail(ErrorCode::invalid, std::move(wrong));
  auto client = slurm::make_cli_client(options);
  if (!options.rest.url.empty()) {
    const auto* user = ::getpwuid(::geteuid());
    if (options.rest.user.empty() && user != nullptr) options.rest.user = user->pw_name;
    auto rest = slurm::make_rest_client(options, std::move(client));
    if (!rest) return std::unexpected(rest.error());
    client = std::move(*rest);
  }
  return std::make_unique<slurm::SlurmExecutor>(std::move(options), std::move(client), clock);
}

}  // namespace ym
