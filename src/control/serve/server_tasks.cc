// ControlServer: logs, notices and links of attempts.
#include <fmt/format.h>

#include <algorithm>

#include "control/commands/command_rights.h"
#include "control/serve/server.h"

namespace ym {

Result<std::string> ControlServer::cluster_of(const Caller& caller, const LogQuery& query) {
  const auto view = reads_.job(caller, query.attempt.job);
  if (!view) return std::unexpected(view.error());
  if (auto may = require_on_job(reads_.access_of(caller), Permission::jobs_logs, view->job); !may)
    return std::unexpected(may.error());
  const Attempt* attempt = view->attempt(query.attempt.number);
  if (!attempt) return no_such_attempt(query.attempt);
  if (query.task < 0 || static_cast<std::size_t>(query.task) >= attempt->tasks.size()) {
    return fail(ErrorCode::not_found,
                fmt::format("attempt {} has the ranks 0 to {}", query.attempt.number, attempt->tasks.size() - 1));
  }
  return attempt->cluster;
}

// The cluster may be gone except for its logs, or it may have another name now and its executor has the logs. So all
// executors are tried, and an error of one does not end the search.
Result<LogChunk> ControlServer::read_left_log(const std::string& cluster, const LogQuery& query) {
  Error nowhere{
      .code = ErrorCode::not_found,
      .message = fmt::format(
          "it ran on the cluster '{}', which is not connected any more, and its log is not kept here", cluster)};
  const auto note = [&](Error error) {
    if (error.code != ErrorCode::not_found) nowhere = std::move(error);
  };
  if (const auto& left = loop_.options().left_logs) {
    auto chunk = left(cluster, query);
    if (chunk) return chunk;
    note(std::move(chunk.error()));
  }
  for (const auto& [name, executor] : executors_) {
    auto chunk = executor->read_log(query);
    if (chunk) return chunk;
    note(std::move(chunk.error()));
  }
  return std::unexpected(std::move(nowhere));
}

void ControlServer::read_log(const Caller& caller, LogQuery query, LogReply reply) {
  auto cluster = cluster_of(caller, query);
  if (!cluster) return reply(std::unexpected(std::move(cluster.error())));
  if (const auto readers = log_readers_.find(*cluster); readers != log_readers_.end()) {
    auto* executor = executors_.at(*cluster);
    return readers->second.read([executor](const LogQuery& q) { return executor->read_log(q); }, std::move(query),
                                std::move(reply));
  }
  left_log_readers_.read([this, name = std::move(*cluster)](const LogQuery& q) { return read_left_log(name, q); },
                         std::move(query), std::move(reply));
}

Result<std::optional<Notice>> ControlServer::notice(const Caller& caller, AttemptKey attempt) {
  return notice_of(reads_.job(caller, attempt.job), attempt);
}

bool ControlServer::end_log_reading(std::chrono::milliseconds timeout) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  const auto end = [&](LogReaders& readers) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    return readers.end(std::max(left, std::chrono::milliseconds(0)));
  };
  bool all_ended = end(left_log_readers_);
  for (auto& [cluster, readers] : log_readers_) all_ended = end(readers) && all_ended;
  return all_ended;
}

// The attempt may belong to a launch that the state lost when it was set back. Any task registry can tell by the task's
// report. But only a leading server may answer that it is unknown.
Result<TaskLink*> ControlServer::link_of_unknown(AttemptKey attempt) {
  Error word = final_error(std::move(no_such_attempt(attempt).error()));
  if (word.code != ErrorCode::not_found || task_links_.empty()) return std::unexpected(std::move(word));
  return &task_links_.begin()->second;
}

Result<TaskLink*> ControlServer::task_link(const Caller&, AttemptKey attempt) {
  const auto over = [this](std::unexpected<Error> error) {
    return std::unexpected(final_error(std::move(error.error())));
  };
  const auto job = read_model_.job(attempt.job);
  if (!job) return link_of_unknown(attempt);
  const Attempt* found = job->attempt(attempt.number);
  if (!found) return link_of_unknown(attempt);
  if (found->state == AttemptState::ended)
    return over(fail(ErrorCode::not_found,
                     fmt::format("attempt {} of job {} has ended", attempt.number, to_string(attempt.job))));
  const auto link = task_links_.find(found->cluster);
  if (link == task_links_.end())
    return over(
        fail(ErrorCode::not_found, fmt::format("the tasks of cluster '{}' report in another way", found->cluster)));
  return &link->second;
}

// Another server may have taken over without this one knowing, and may run attempts that this one does not know. The
// new server stores that it leads before it starts anything. So this server leads if it has published all that is
// stored. The clock cannot tell: for a machine that was suspended, no time has passed.
Error ControlServer::final_error(Error error) {
  if (error.code != ErrorCode::not_found && error.code != ErrorCode::conflict) return error;
  const auto doubt = [](const std::string& why) {
    return Error{.code = ErrorCode::unavailable,
                 .message = fmt::format("whether this server still leads is not certain ({}); try again", why),
                 .retryable = true};
  };
  if (const auto problem = not_ready()) return doubt(*problem);
  const auto newer = reads_.stored_events({.after = read_model_.last_seq()}, 1);
  if (!newer) return doubt(newer.error().message);
  return newer->empty() ? std::move(error) : doubt("the store has newer changes than this server knows");
}

}  // namespace ym
