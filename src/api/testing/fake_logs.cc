// FakeService: logs, and disks that hang.
#include <algorithm>

#include "api/testing/fake_service.h"

namespace ym::testing {

void FakeService::hang_logs(bool hanging) {
  std::vector<HangingRead> free;
  {
    const std::lock_guard lock(mutex_);
    logs_hang_ = hanging;
    if (!hanging) free.swap(hanging_reads_);
  }
  for (auto& read : free) read.reply(log_piece(read.query));
}

std::size_t FakeService::log_readers() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(hanging_reads_, [](const auto& read) { return !read.query.stop.stop_requested(); }));
}

void FakeService::read_log(LogQuery query, LogReply reply) {
  {
    const std::lock_guard lock(mutex_);
    if (logs_hang_) return hanging_reads_.push_back({std::move(query), std::move(reply)});
  }
  reply(log_piece(query));
}

Result<LogChunk> FakeService::log_piece(const LogQuery& query) {
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
