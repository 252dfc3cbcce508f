// FakeBackend: reports and orders of tasks; logs, and disks that hang.
#include <algorithm>

#include "api/testing/fake_backend.h"

namespace ym::testing {

std::string FakeBackend::job_token(AttemptKey attempt) {
  return "ymj." + to_string(Token{attempt.job, attempt.number, 1});
}

void FakeBackend::set_notice(AttemptKey attempt, Notice notice) {
  {
    const std::lock_guard lock(mutex_);
    notices_[attempt] = notice;
    record(AttemptStopping{.attempt = attempt, .cause = notice.cause, .stop_by = notice.deadline});
  }
  publish();
}

Result<std::optional<Notice>> FakeBackend::notice(const Caller&, AttemptKey attempt) {
  const std::lock_guard lock(mutex_);
  ++notices_asked_;
  if (!tables_.attempts.contains(attempt)) return no_such_attempt(attempt);
  const auto found = notices_.find(attempt);
  return found == notices_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t FakeBackend::notices_asked() const {
  const std::lock_guard lock(mutex_);
  return notices_asked_;
}

void FakeBackend::set_task_link(AttemptKey attempt, TaskLink& link) {
  const std::lock_guard lock(mutex_);
  link_ = &link;
  link_of_ = attempt;
}

Result<TaskLink*> FakeBackend::task_link(const Caller&, AttemptKey attempt) {
  const std::lock_guard lock(mutex_);
  if (link_ == nullptr || link_of_ != attempt) return fail(ErrorCode::not_found, "nothing of it runs elsewhere");
  return link_;
}

void FakeBackend::write_log(AttemptKey attempt, std::int32_t task, std::string_view text, bool complete) {
  const std::lock_guard lock(mutex_);
  Log& log = logs_[{attempt, task}];
  log.text += text;
  log.complete = complete;
}

void FakeBackend::hang_logs(bool hanging) {
  std::vector<HangingRead> free;
  {
    const std::lock_guard lock(mutex_);
    logs_hang_ = hanging;
    if (!hanging) free.swap(hanging_reads_);
  }
  for (auto& read : free) read.reply(log_piece(read.query));
}

std::size_t FakeBackend::log_readers() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(hanging_reads_, [](const auto& read) { return !read.query.stop.stop_requested(); }));
}

void FakeBackend::read_log(const Caller&, LogQuery query, LogReply reply) {
  {
    const std::lock_guard lock(mutex_);
    if (logs_hang_) return hanging_reads_.push_back({std::move(query), std::move(reply)});
  }
  reply(log_piece(query));
}

Result<LogChunk> FakeBackend::log_piece(const LogQuery& query) {
  const std::lock_guard lock(mutex_);
  const auto found = logs_.find({query.attempt, query.task});
  if (found == logs_.end()) return fail(ErrorCode::not_found, "there is no log yet");
  const std::string& text = found->second.text;
  std::size_t begin = std::min<std::size_t>(query.offset, text.size());
  if (query.last_lines) {
    begin = text.size();
    std::uint64_t lines = *query.last_lines;
    while (begin > 0 && lines > 0) {
      --begin;
      if (begin == 0 || text[begin - 1] == '\n') --lines;
    }
  }
  LogChunk chunk{.offset = begin, .data = text.substr(begin, query.max_bytes)};
  chunk.complete = found->second.complete && begin + chunk.data.size() == text.size();
  return chunk;
}

}  // namespace ym::testing
