#include "executor/testing/recorded_responses/recorded_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "net/testing/server.h"

namespace ym::recorded {
namespace {

using Way = RecordedResponse::Way;

std::string head_of(const RecordedResponse& response, std::optional<std::uint64_t> length) {
  auto head = fmt::format("HTTP/1.1 {} X\r\n", response.status);
  for (const auto& [name, value] : response.headers) head += fmt::format("{}: {}\r\n", name, value);
  if (!response.headers.contains("Content-Type")) head += "Content-Type: application/json\r\n";
  return head + (length ? fmt::format("Content-Length: {}\r\n\r\n", *length) : "Transfer-Encoding: chunked\r\n\r\n");
}

Asked read_asked(const std::string& request) {
  const auto line = request.substr(0, request.find("\r\n"));
  const auto body = request.find("\r\n\r\n");
  return {.phase = {}, .question = line.substr(0, line.rfind(' ')), .body = request.substr(body + 4)};
}

}  // namespace

class RecordedServer::Impl {
 public:
  Impl(Recording recording, std::string unix_path, std::function<void(const std::string&)> on_phase)
      : recording_(std::move(recording)),
        on_phase_(std::move(on_phase)),
        played_(recording_.exchanges.size()),
        server_(std::make_unique<net::TestServer>([this](net::Peer& peer) { serve(peer); }, std::move(unix_path))) {}
  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    server_.reset();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::string url() const { return server_->url(); }
  void enter(const std::string& phase) {
    {
      const std::lock_guard lock(mutex_);
      if (!recording_.has_phase(phase)) throw std::logic_error("no recording has the phase " + phase);
      phase_ = phase;
    }
    changed_.notify_all();
  }
  std::vector<Asked> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  std::uint64_t wait_for_filled() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return most_filled_.has_value(); });
    return *most_filled_;
  }

 private:
  struct Turn {
    std::string question;
    std::size_t at = 0;
    RecordedResponse response;
  };

  void serve(net::Peer& peer) {
    while (const auto request = peer.read_request()) {
      const auto turn = next(*request);
      if (!turn) peer.write("HTTP/1.1 501 X\r\nContent-Length: 0\r\n\r\n");
      else if (!play(peer, *turn)) return;
    }
  }

  std::optional<Turn> next(const std::string& request) {
    std::unique_lock lock(mutex_);
    auto& asked = asked_.emplace_back(read_asked(request));
    asked.phase = phase_;
    const auto at = recording_.find(phase_, asked.question);
    asked.is_recorded = at.has_value();
    if (!at) return std::nullopt;
    const auto& responses = recording_.exchanges[*at].responses;
    Turn turn{
        .question = asked.question, .at = *at, .response = responses[std::min(played_[*at]++, responses.size() - 1)]};
    lock.unlock();
    if (!turn.response.then.empty() && on_phase_) on_phase_(turn.response.then);
    if (!turn.response.then.empty()) enter(turn.response.then);
    return turn;
  }

  // Returns whether the connection may be used again.
  bool play(net::Peer& peer, const Turn& turn) {
    if (!pause(turn.response.delay)) return false;
    switch (turn.response.way) {
      case Way::never: peer.wait_for_end(); return false;
      case Way::stream:
      case Way::ended: return play_stream(peer, turn);
      case Way::whole: break;
    }
    return play_whole(peer, turn.response);
  }

  bool play_whole(net::Peer& peer, const RecordedResponse& response) {
    const auto size = response.body.size() + response.fill;
    const auto claimed = response.length.value_or(size);
    peer.write(head_of(response, claimed) + response.body.substr(0, response.cut.value_or(response.body.size())));
    if (response.fill > 0) fill(peer, response.fill);
    return !response.cut && claimed == size;
  }

  void fill(net::Peer& peer, std::uint64_t size) {
    const std::string block(std::size_t{1} << 16U, ' ');
    std::uint64_t taken = 0;
    while (taken < size && peer.write(block)) taken += block.size();
    {
      const std::lock_guard lock(mutex_);
      most_filled_ = std::max(most_filled_.value_or(0), taken);
    }
    changed_.notify_all();
  }

  bool play_stream(net::Peer& peer, const Turn& turn) {
    peer.write(head_of(turn.response, std::nullopt));
    std::string_view rest = turn.response.body;
    while (!rest.empty()) {
      const auto end = rest.find('\n') + 1;
      peer.write_chunk(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    if (turn.response.fill > 0) {
      peer.write(fmt::format("{:x}\r\n", turn.response.fill));
      fill(peer, turn.response.fill);
      return false;
    }
    if (turn.response.way == Way::stream && !hold(turn)) return false;
    peer.write("0\r\n\r\n");
    return true;
  }

  // Waits until the request would have another answer. False: the server stops.
  bool hold(const Turn& turn) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return over_ || recording_.find(phase_, turn.question) != turn.at; });
    return !over_;
  }

  bool pause(Duration d) {
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, std::chrono::milliseconds(d.ms), [this] { return over_; });
  }

  const Recording recording_;
  const std::function<void(const std::string&)> on_phase_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool over_ = false;  // under mutex_, as all below
  std::string phase_;
  std::vector<std::size_t> played_;
  std::vector<Asked> asked_;
  std::optional<std::uint64_t> most_filled_;
  std::unique_ptr<net::TestServer> server_;
};

RecordedServer::RecordedServer(Recording recording, std::string unix_path,
                               std::function<void(const std::string&)> on_phase)
    : impl_(std::make_unique<Impl>(std::move(recording), std::move(unix_path), std::move(on_phase))) {}
RecordedServer::~RecordedServer() = default;

std::string RecordedServer::url() const { return impl_->url(); }
void RecordedServer::enter(const std::string& phase) { impl_->enter(phase); }
std::vector<Asked> RecordedServer::asked() const { return impl_->asked(); }
std::uint64_t RecordedServer::wait_for_filled() const { return impl_->wait_for_filled(); }

}  // namespace ym::recorded
