#include "control/serve/log_readers.h"

#include <chrono>
#include <utility>

namespace ym {
namespace {

std::unexpected<Error> refusal(const char* why) {
  return std::unexpected(Error{.code = ErrorCode::unavailable, .message = why, .retryable = true});
}

}  // namespace

LogReaders::LogReaders() {
  for (std::size_t i = 0; i < kThreads; ++i) threads_.emplace_back([this] { run(); });
}

LogReaders::~LogReaders() { end({}); }

void LogReaders::read(Read read, LogQuery query, LogReply reply) {
  {
    const std::lock_guard lock(mutex_);
    if (!ending_ && waiting_.size() < kMostWaiting) {
      waiting_.push_back({std::move(read), std::move(query), std::move(reply)});
      changed_.notify_one();
      return;
    }
  }
  reply(refusal("too many requests wait for logs of this cluster; try again"));
}

bool LogReaders::end(std::chrono::milliseconds timeout) {
  std::deque<Question> refused;
  bool all_ended = false;
  {
    std::unique_lock lock(mutex_);
    ending_ = true;
    refused.swap(waiting_);
    changed_.notify_all();
    all_ended = changed_.wait_for(lock, timeout, [this] { return reading_ == 0; });
  }
  for (auto& question : refused) question.reply(refusal("the server is stopping; try again"));
  return all_ended;
}

void LogReaders::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    Question question = std::move(waiting_.front());
    waiting_.pop_front();
    ++reading_;
    lock.unlock();
    if (question.query.stop.stop_requested()) question.reply(refusal("the caller no longer waits for the log"));
    else question.reply(question.read(question.query));
    question.reply = {};
    lock.lock();
    --reading_;
    if (ending_) changed_.notify_all();
  }
}

}  // namespace ym
