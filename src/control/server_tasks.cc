// ControlServer: what the executors of attempts answer.
#include <fmt/format.h>

#include <algorithm>

#include "control/server.h"

namespace ym {

Result<LogChunk> ControlServer::log(const LogQuery& query) {
  const auto view = job(query.attempt.job);
  if (!view) return std::unexpected(view.error());
  const auto attempt = std::ranges::find(view->attempts, query.attempt.number, &Attempt::number);
  if (attempt == view->attempts.end()) return no_such_attempt(query.attempt);
  if (query.task < 0 || static_cast<std::size_t>(query.task) >= attempt->tasks.size()) {
    return fail(ErrorCode::not_found,
                fmt::format("attempt {} has the ranks 0 to {}", query.attempt.number, attempt->tasks.size() - 1));
  }
  const auto executor = executors_.find(attempt->cluster);
  if (executor == executors_.end()) {
    return fail(ErrorCode::not_found, fmt::format("cluster '{}' is not connected", attempt->cluster));
  }
  return executor->second->read_log(query);
}

Result<TaskLink*> ControlServer::task_link(AttemptKey attempt) {
  const auto job = read_model_.job(attempt.job);
  if (!job) return no_such_attempt(attempt);
  const auto found = std::ranges::find(job->attempts, attempt.number, &Attempt::number);
  if (found == job->attempts.end()) return no_such_attempt(attempt);
  if (found->state == AttemptState::ended)
    return fail(ErrorCode::not_found,
                fmt::format("attempt {} of job {} has ended", attempt.number, to_string(attempt.job)));
  const auto executor = executors_.find(found->cluster);
  TaskLink* link = executor == executors_.end() ? nullptr : executor->second->task_link();
  if (link == nullptr)
    return fail(ErrorCode::not_found, fmt::format("the tasks of cluster '{}' report in another way", found->cluster));
  return link;
}

}  // namespace ym
