#include "api/log_stream.h"

#include "base/assert.h"

namespace ym::api {
namespace {

// Logs are looked at again soon after there was something, less often when quiet.
constexpr Duration kShortest{50};
constexpr Duration kLongest{500};
// Every follower may hold one piece that its client does not take.
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

class LogStream final : public BodyStream {
 public:
  LogStream(Service& service, const LogRequest& request) : service_(service), request_(request) {}

  // The first piece, read before the answer begins so that what fails has a status.
  Result<std::optional<std::uint64_t>> open() {
    if (!request_.attempt) return std::nullopt;
    auto chunk = read();
    if (!chunk) {
      const bool may_come = chunk.error().code == ErrorCode::not_found && request_.follow && !is_over();
      if (may_come) return std::nullopt;
      return std::unexpected(chunk.error());
    }
    const std::uint64_t offset = chunk->offset;
    first_ = take(std::move(*chunk));
    return offset;
  }

  Piece next() override {
    if (first_) return *std::exchange(first_, std::nullopt);
    if (!request_.attempt && !find_attempt()) return gave_up_ ? Piece{} : quiet();
    auto chunk = read();
    if (chunk) return take(std::move(*chunk));
    const bool may_come = chunk.error().code == ErrorCode::not_found && request_.follow && !is_over();
    return may_come ? quiet() : Piece{};
  }

 private:
  Result<LogChunk> read() {
    return service_.log({.attempt = {request_.job, *request_.attempt},
                         .task = request_.task,
                         .offset = request_.offset,
                         .max_bytes = kPieceBytes,
                         .last_lines = request_.last_lines});
  }

  Piece take(LogChunk chunk) {
    request_.offset = chunk.offset + chunk.data.size();
    request_.last_lines.reset();
    if (chunk.complete) return {std::move(chunk.data), State::end};
    if (!chunk.data.empty()) {
      pause_ = kShortest;
      return {std::move(chunk.data), State::more};
    }
    return request_.follow ? quiet() : Piece{};
  }

  Piece quiet() {
    const Duration pause = pause_;
    pause_ = std::min(kLongest, pause_ + pause_);
    return {.state = State::wait, .wait = pause};
  }

  // Whether the attempt has ended: what is not there then never comes.
  bool is_over() {
    const auto view = service_.job(request_.job);
    if (!view) return true;
    const auto index = static_cast<std::size_t>(*request_.attempt) - 1;
    return index >= view->attempts.size() || view->attempts[index].state == AttemptState::ended;
  }

  bool find_attempt() {
    const auto view = service_.job(request_.job);
    gave_up_ = !view || (view->attempts.empty() && is_terminal(view->job.state));
    if (!view || view->attempts.empty()) return false;
    request_.attempt = view->attempts.front().number;
    return true;
  }

  Service& service_;
  LogRequest request_;
  std::optional<Piece> first_;
  Duration pause_ = kShortest;
  bool gave_up_ = false;
};

}  // namespace

Result<OpenLog> open_log(Service& service, const LogRequest& request) {
  YM_ASSERT(request.attempt || request.follow);
  auto stream = std::make_unique<LogStream>(service, request);
  const auto offset = stream->open();
  if (!offset) return std::unexpected(offset.error());
  return OpenLog{std::move(stream), *offset};
}

}  // namespace ym::api
