// SlurmExecutor: submits, cancels, and acts on timeouts.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "executor/slurm/executor_impl.h"
#include "executor/slurm/jobs/part_comment.h"
#include "executor/slurm/jobs/script.h"

namespace ym::slurm {
namespace {

// The script creates missing folders on the nodes: a shared file system may be late, or not mounted here.
void make_log_folder(const std::string& log_dir, const AttemptKey& attempt) {
  for (const auto& folder : log_folders(log_dir, attempt)) ::mkdir(folder.c_str(), 0700);
}

std::string task_url(const std::string& server, const Token& token) {
  return fmt::format("{}/api/v1/jobs/{}/attempts/{}/tasks", server, to_string(token.job), token.attempt);
}

}  // namespace

void SlurmExecutor::follow_up() {
  Actions actions;
  {
    const std::lock_guard lock{mutex_};
    if (over_) return;
    actions = tracker_.take();
    wants_nodes_ = wants_nodes_ || actions.wants_nodes;
    ask_accounts_.insert(actions.ask_accounts.begin(), actions.ask_accounts.end());
  }
  carry_out(std::move(actions));
}

void SlurmExecutor::carry_out(Actions actions) {
  for (const auto& note : actions.notes) spdlog::info("{}: {}", options_.cluster, note);
  for (const auto& token : actions.accepted) registry_.say({token, LaunchAccepted{}});
  for (auto& [token, task, report] : actions.reports) registry_.cluster_says(token, task, std::move(report));
  for (const auto& token : actions.unknown) {
    {
      const std::lock_guard lock{told_mutex_};
      unaccepted_.erase(token);
    }
    registry_.cluster_knows_nothing(token);
  }
  for (auto& [token, why] : actions.refused) refuse(token, std::move(why));
  for (const auto& [token, why] : actions.give_up) {
    spdlog::info("{}: {}: {}", options_.cluster, to_string(token), why);
    if (registry_.stop(token, {.cause = StopCause::start_timeout, .grace = Duration{0}})) continue;
    const std::lock_guard lock{mutex_};
    tracker_.take_off(token);
  }
  if (!actions.give_up.empty()) follow_up();
  if (!pool_) return;
  if (!actions.cancel.empty()) pool_->submit_first([this, ids = std::move(actions.cancel)] { cancel(ids, false); });
  for (auto& name : actions.submit) pool_->submit([this, name = std::move(name)] { submit(name); });
}

Result<Submission> SlurmExecutor::submission_of(const std::string& name, const LaunchRequest& request,
                                                const Part& part) const {
  const bool placed = options_.placement == SlurmPlacement::ours;
  Facts facts;
  {
    const std::lock_guard lock{mutex_};
    facts = {.preempts = facts_.preempts, .kill_wait = facts_.kill_wait, .partitions = facts_.partitions};
  }
  const AgentContact contact{.task_url = task_url(options_.server_url, request.token),
                             .token = request.contact ? request.contact->token : Secret{},
                             .launch = request.token,
                             .ca_file = options_.ca_file,
                             .kill_wait = facts.kill_wait};
  const auto minutes = minutes_for(*request.spec, options_, facts);
  if (!minutes) return std::unexpected(minutes.error());
  Submission made{.name = name,
                  .comment = part_comment(options_.instance, request, part, placed),
                  .nodes = static_cast<std::int32_t>(part.nodes.size()),
                  .tasks_per_node = part.tasks_per_node,
                  .cpus_per_task = part.cpus,
                  .memory_mib = (part.memory_bytes * part.tasks_per_node + kMiB - 1) / kMiB,
                  .gpu_type = part.gpu_type,
                  .gpus_per_node = part.gpus * part.tasks_per_node,
                  .node_list = placed ? part.nodes : std::vector<std::string>{},
                  .minutes = *minutes,
                  .script = make_script(part, contact, options_, facts.preempts, placed)};
  // The limit of the partition ends the job, not a limit of its own: user code gets SIGTERM early enough.
  if (!request.spec->time_limit && *minutes) made.warn_seconds = request.spec->stop.grace.ms / 1000 + 60;
  return made;
}

void SlurmExecutor::submit(const std::string& name) {
  std::optional<std::pair<Token, Part>> what;
  {
    const std::lock_guard lock{mutex_};
    what = tracker_.sending(name, clock_.now());
  }
  if (!what) return follow_up();
  const auto request = registry_.request(what->first);
  const auto submission =
      request ? submission_of(name, *request, what->second) : fail(ErrorCode::not_found, "it is no longer wanted");
  if (submission && !options_.log_dir.empty()) make_log_folder(options_.log_dir, what->first.key());
  std::expected<std::int64_t, SubmitError> sent = std::unexpected(SubmitError{});
  if (submission) sent = client_->submit(*submission);
  else sent = std::unexpected(SubmitError{SubmitError::Kind::permanent, submission.error().message});
  {
    const std::lock_guard lock{mutex_};
    if (sent) tracker_.sent(name, *sent, clock_.now());
    else tracker_.submit_failed(name, sent.error(), clock_.now());
  }
  follow_up();
}

// A job that is still there after a while is on the next list, and is cancelled again.
void SlurmExecutor::cancel(std::vector<std::int64_t> ids, bool hard) {
  std::ranges::sort(ids);
  const auto twice = std::ranges::unique(ids);
  ids.erase(twice.begin(), twice.end());
  if (const auto done = client_->cancel(ids, hard); !done)
    spdlog::warn("{}: {}", options_.cluster, done.error().message);
}

void SlurmExecutor::update_power_up_jobs(const std::vector<Node>& nodes) {
  PowerUpJobs::Work work;
  {
    const std::lock_guard lock{mutex_};
    if (over_ || !tracker_.may_submit()) return;
    std::set<std::string> busy;
    for (const auto& [node, parts] : tracker_.holdings()) busy.insert(node);
    work = power_up_jobs_.pass(nodes, busy, clock_.now());
    for (auto& submission : work.submit)
      if (const auto most = most_minutes(options_, facts_)) submission.minutes = std::min(*submission.minutes, *most);
  }
  for (const auto& line : work.said) spdlog::warn("{}: {}", options_.cluster, line);
  if (!work.cancel.empty()) pool_->submit_first([this, ids = std::move(work.cancel)] { cancel(ids, false); });
  for (auto& one : work.submit) pool_->submit([this, submission = std::move(one)] { wake(submission); });
}

void SlurmExecutor::wake(const Submission& submission) {
  const auto id = client_->submit(submission);
  std::string said;
  {
    const std::lock_guard lock{mutex_};
    said = power_up_jobs_.submitted(submission.name, id, clock_.now());
  }
  if (!said.empty()) spdlog::warn("{}: {}", options_.cluster, said);
}

void SlurmExecutor::tick() {
  std::unique_lock lock{mutex_};
  while (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return over_; })) {
    lock.unlock();
    kill(registry_.due());
    leave_if_away();
    lock.lock();
  }
}

// A job that waits for Slurm's choice of nodes would lose its place in Slurm's queue.
void SlurmExecutor::leave_if_away() {
  if (options_.placement == SlurmPlacement::delegated) return;
  {
    const std::lock_guard lock{mutex_};
    if (!away_since_ || clock_.now() - *away_since_ < options_.leave_after) return;
  }
  registry_.leave_cluster(options_.cluster);
}

// Slurm sends SIGTERM and kills after its KillWait. If that does not help, this requests SIGKILL.
void SlurmExecutor::kill(const std::vector<remote::KillTask>& kills) {
  if (kills.empty()) return;
  std::vector<std::int64_t> ask, force;
  {
    const std::lock_guard lock{mutex_};
    std::set<std::int64_t> ids;
    for (const auto& [token, task] : kills) {
      const auto some = tracker_.ids(token, task);
      ids.insert(some.begin(), some.end());
      tracker_.take_off(token);
    }
    for (const auto id : ids) (++kills_[id] > 1 ? force : ask).push_back(id);
    if (kills_.size() > 10'000) kills_.clear();
  }
  if (!ask.empty()) pool_->submit_first([this, ask = std::move(ask)] { cancel(ask, false); });
  if (!force.empty()) pool_->submit_first([this, force = std::move(force)] { cancel(force, true); });
  follow_up();
}

}  // namespace ym::slurm
