#include "api/routes/log_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/problem.h"
#include "api/routes/log_reader.h"
#include "api/routes/route.h"
#include "api/user_guard.h"
#include "base/assert.h"

namespace ym::api {
namespace {

// Intervals between looks at a log: short after new text, longer while it is quiet.
constexpr Duration kShortest{50};
constexpr Duration kLongest{500};
// Each follower may hold two pieces: one that the client does not take, and the next.
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
constexpr Duration kUntilWoken = hours(1);

class LogStream final : public BodyStream {
 public:
  LogStream(BackendSwitch& backends, UserGuard& users, const Caller& caller, const LogRequest& request)
      : backends_(backends), users_(users), caller_(caller), request_(request), reader_(backends, caller) {}

  void start(std::function<void()> wake) override { reader_.set_wake(std::move(wake)); }

  Piece next() override {
    if (!backends_.current()->reads.is_valid(caller_)) return Piece{};
    if (first_) return *std::exchange(first_, std::nullopt);
    if (!request_.attempt && !find_attempt()) return gave_up_ ? Piece{} : quiet();
    if (!users_.may_read_log(caller_.principal)) return {.state = State::wait, .wait = kLongest};
    auto chunk = read();
    if (!chunk) return {.state = State::wait, .wait = kUntilWoken};
    if (*chunk) return take(std::move(**chunk));
    return chunk->error().retryable || may_come(chunk->error()) ? quiet() : Piece{};
  }

  // Reads the first piece before the answer begins, so that errors have a status. Nothing: it is not there yet. Else
  // the offset where the body begins, if there is a log already.
  using Opened = Result<std::optional<std::uint64_t>>;
  std::optional<Opened> open() {
    if (!request_.attempt) return Opened(std::nullopt);
    auto chunk = read();
    if (!chunk) return std::nullopt;
    if (!*chunk) return may_come(chunk->error()) ? Opened(std::nullopt) : std::unexpected(std::move(chunk->error()));
    const std::uint64_t offset = (*chunk)->offset;
    first_ = take(std::move(**chunk));
    return Opened(offset);
  }

 private:
  std::optional<Result<LogChunk>> read() {
    if (!reader_.has_asked()) ask();
    return reader_.take();
  }

  void ask() {
    reader_.ask({.attempt = {request_.job, *request_.attempt},
                 .task = request_.task,
                 .offset = request_.offset,
                 .max_bytes = kPieceBytes,
                 .last_lines = request_.last_lines});
  }

  Piece take(LogChunk chunk) {
    request_.offset = chunk.offset + chunk.data.size();
    request_.last_lines.reset();
    users_.note_log(caller_.principal, chunk.data.size());
    if (chunk.complete) return {std::move(chunk.data), State::end};
    if (!chunk.data.empty()) {
      pause_ = kShortest;
      if (chunk.data.size() == kPieceBytes) ask();  // read while this one is sent
      return {std::move(chunk.data), State::more};
    }
    return request_.follow ? quiet() : Piece{};
  }

  Piece quiet() {
    const Duration pause = pause_;
    pause_ = std::min(kLongest, pause_ + pause_);
    return {.state = State::wait, .wait = pause};
  }

  bool may_come(const Error& error) { return error.code == ErrorCode::not_found && request_.follow && !is_over(); }

  // Whether the attempt has ended: a log that is not there then never comes.
  bool is_over() {
    const auto view = backends_.current()->reads.job(caller_, request_.job);
    if (!view) return true;
    const Attempt* attempt = view->attempt(*request_.attempt);
    return !attempt || attempt->state == AttemptState::ended;
  }

  bool find_attempt() {
    const auto view = backends_.current()->reads.job(caller_, request_.job);
    gave_up_ = !view || (view->attempts.empty() && is_terminal(view->job->state));
    if (!view || view->attempts.empty()) return false;
    request_.attempt = view->attempts.front()->number;
    return true;
  }

  BackendSwitch& backends_;
  UserGuard& users_;
  const Caller caller_;
  LogRequest request_;
  LogReader reader_;
  std::optional<Piece> first_;
  Duration pause_ = kShortest;
  bool gave_up_ = false;
};

class LogOpening final : public LongPoll {
 public:
  LogOpening(BackendSwitch& backends, UserGuard& users, const Caller& caller, const LogRequest& request,
             Duration timeout)
      : stream_(std::make_unique<LogStream>(backends, users, caller, request)),
        timeout_(timeout),
        until_(Clock::now() + std::chrono::milliseconds(timeout.ms)) {}

  void start(std::function<void()> wake) override { stream_->start(std::move(wake)); }

  std::optional<Response> look() override {
    const auto opened = stream_->open();
    if (opened) return *opened ? begin(**opened) : to_response(opened->error());
    if (wait().ms > 0) return std::nullopt;
    return to_response(Error{
        .code = ErrorCode::unavailable,
        .message =
            fmt::format("the log was not read within {} s; its disk or network is slow or away", timeout_.ms / 1000),
        .retryable = true});
  }

  // Rounded up, so that the last look is not too early.
  Duration wait() const override {
    return Duration{std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now()).count()};
  }

 private:
  using Clock = std::chrono::steady_clock;

  Response begin(std::optional<std::uint64_t> offset) {
    Response response{.content_type = kText};
    if (offset) response.headers.push_back({"Log-Offset", std::to_string(*offset)});
    response.stream = std::move(stream_);
    return response;
  }

  std::unique_ptr<LogStream> stream_;
  const Duration timeout_;
  const Clock::time_point until_;
};

}  // namespace

std::unique_ptr<LongPoll> open_log(BackendSwitch& backends, UserGuard& users, const Caller& caller,
                                   const LogRequest& request, Duration timeout) {
  YM_ASSERT(request.attempt || request.follow);
  return std::make_unique<LogOpening>(backends, users, caller, request, timeout);
}

}  // namespace ym::api
