// ControlServer: what the executors of attempts answer.
#include <fmt/format.h>

#include <algorithm>

#include "control/server.h"

namespace ym {

Result<LogReaders*> ControlServer::log_readers_of(const LogQuery& query) {
  const auto view = job(query.attempt.job);
  if (!view) return std::unexpected(view.error());
  const auto attempt = std::ranges::find(view->attempts, query.attempt.number, &Attempt::number);
  if (attempt == view->attempts.end()) return no_such_attempt(query.attempt);
  if (query.task < 0 || static_cast<std::size_t>(query.task) >= attempt->tasks.size()) {
    return fail(ErrorCode::not_found,
                fmt::format("attempt {} has the ranks 0 to {}", query.attempt.number, attempt->tasks.size() - 1));
  }
  const auto readers = log_readers_.find(attempt->cluster);
  if (readers == log_readers_.end()) {
    return fail(ErrorCode::not_found, fmt::format("cluster '{}' is not connected", attempt->cluster));
  }
  return &readers->second;
}

void ControlServer::read_log(LogQuery query, LogReply reply) {
  const auto readers = log_readers_of(query);
  if (!readers) return reply(std::unexpected(readers.error()));
  (*readers)->read(std::move(query), std::move(reply));
}

bool ControlServer::end_log_reading(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  bool all_ended = true;
  for (auto& [cluster, readers] : log_readers_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    all_ended = readers.end(std::max(left, std::chrono::milliseconds(0))) && all_ended;
  }
  return all_ended;
}

Result<TaskLink*> ControlServer::task_link(AttemptKey attempt) {
  const auto over = [this](std::unexpected<Error> error) {
    return std::unexpected(last_word(std::move(error.error())));
  };
  const auto job = read_model_.job(attempt.job);
  if (!job) return over(no_such_attempt(attempt));
  const auto found = std::ranges::find(job->attempts, attempt.number, &Attempt::number);
  if (found == job->attempts.end()) return over(no_such_attempt(attempt));
  if (found->state == AttemptState::ended)
    return over(fail(ErrorCode::not_found,
                     fmt::format("attempt {} of job {} has ended", attempt.number, to_string(attempt.job))));
  const auto link = task_links_.find(found->cluster);
  if (link == task_links_.end())
    return over(
        fail(ErrorCode::not_found, fmt::format("the tasks of cluster '{}' report in another way", found->cluster)));
  return &link->second;
}

// A server that was taken over from, and has not heard of it, does not know what the newer one runs. That stores that
// it leads before it begins anything: while all that is stored was published here, this one leads. The clock would not
// tell: to a machine that was stopped as a whole no time has passed.
Error ControlServer::last_word(Error error) {
  if (error.code != ErrorCode::not_found && error.code != ErrorCode::conflict) return error;
  const auto doubt = [](const std::string& why) {
    return Error{.code = ErrorCode::unavailable,
                 .message = fmt::format("whether this server still leads is not certain ({}); try again", why),
                 .retryable = true};
  };
  if (const auto trouble = not_ready()) return doubt(*trouble);
  const auto newer = reads_.events({.after = read_model_.last_seq()}, 1);
  if (!newer) return doubt(newer.error().message);
  return newer->items.empty() ? std::move(error) : doubt("there are newer changes than those that it knows");
}

}  // namespace ym
