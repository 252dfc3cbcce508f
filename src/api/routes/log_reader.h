// LogReader: requests pieces of a log from the server, one at a time, and wakes its owner when a piece is there.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

#include "control/serve/backend_switch.h"

namespace ym::api {

// Not thread-safe, except for its callback, which the server calls. The destructor cancels the request.
class LogReader {
 public:
  LogReader(BackendSwitch& backends, Caller caller) : backends_(backends), caller_(std::move(caller)) {}
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;
  ~LogReader() { gone_.request_stop(); }

  // `wake` is called on any thread when the piece is there, also after this object was destroyed.
  void set_wake(std::function<void()> wake) {
    const std::lock_guard lock(answer_->mutex);
    answer_->wake = std::move(wake);
  }

  bool has_asked() const { return has_asked_; }

  // Precondition: no request is pending.
  void ask(LogQuery query) {
    has_asked_ = true;
    query.stop = gone_.get_token();
    backends_.current()->tasks.read_log(caller_, std::move(query), [answer = answer_](Result<LogChunk> chunk) {
      std::function<void()> wake;
      {
        const std::lock_guard lock(answer->mutex);
        answer->chunk = std::move(chunk);
        wake = answer->wake;
      }
      if (wake) wake();
    });
  }

  // The requested piece; nothing: it is not there yet.
  std::optional<Result<LogChunk>> take() {
    const std::lock_guard lock(answer_->mutex);
    if (answer_->chunk) has_asked_ = false;
    return std::exchange(answer_->chunk, std::nullopt);
  }

 private:
  struct Answer {
    std::mutex mutex;
    std::optional<Result<LogChunk>> chunk;
    std::function<void()> wake;
  };

  BackendSwitch& backends_;
  const Caller caller_;
  const std::shared_ptr<Answer> answer_ = std::make_shared<Answer>();
  std::stop_source gone_;
  bool has_asked_ = false;
};

}  // namespace ym::api
