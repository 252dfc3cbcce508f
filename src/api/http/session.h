// Session: one connection, one request at a time. Only listener.cc and session*.cc include this header, because it
// needs Asio.
#pragma once

#include <atomic>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <condition_variable>
#include <map>
#include <mutex>

#include "api/http/budget.h"
#include "api/http/handler.h"
#include "api/http/options.h"
#include "api/http/proxies.h"
#include "api/http/stream.h"
#include "api/http/tls.h"
#include "api/http/wire.h"

namespace ym::api {

using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

class Session;

// The other end of a connection.
struct Peer {
  std::string address;                     // as limits and the audit log know it
  std::optional<std::uint32_t> account{};  // at the Unix socket: the user that runs the program
};

// One thread, and the connections that it serves from beginning to end. So no connection needs a lock, and no request
// moves between threads.
struct Loop {
  asio::io_context context{1};
  std::atomic<std::size_t> sessions = 0;
};

// A parsed head, as routes see it.
Request read_head(const boost::beast::http::request_header<>& head);

// What all connections of a listener share. Thread-safe where stated.
struct Connections {
  Connections(const HttpLimits& bounds, std::unique_ptr<ServerTls> certificate, TrustedProxies trusted)
      : limits(bounds),
        tls(std::move(certificate)),
        proxies(std::move(trusted)),
        bytes(bounds.bytes_in_flight),
        streams(bounds.streams) {}

  // Interval at which deadlines are checked: a tenth of the shortest deadline.
  std::chrono::milliseconds tick() const {
    const auto shortest = std::min({limits.header_time, limits.body_time, limits.idle_time, limits.write_time});
    return std::chrono::milliseconds(std::clamp<std::int64_t>(shortest.ms / 10, 10, 1000));
  }

  const HttpLimits limits;
  const std::unique_ptr<ServerTls> tls;  // null: plain HTTP
  const TrustedProxies proxies;
  Handler* handler = nullptr;  // set before the first connection
  Budget bytes;
  Budget streams;

  std::atomic<bool> stopping = false;  // set under the mutex; answers that are written look at it, too

  std::mutex mutex;  // guards the members below
  std::condition_variable none_left;
  std::size_t open = 0;
  std::uint64_t accepted = 0;
  std::map<Session*, std::weak_ptr<Session>> sessions;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  // Takes over the socket, which belongs to `loop`. False, and the socket is unchanged, if the limit of connections is
  // reached or the listener stops. Any thread may call it.
  static bool start(const std::shared_ptr<Connections>& all, Loop& loop, Socket& socket, Peer peer);
  ~Session();

  // Any thread may call these. `drain`: finish the request in progress, end a stream, close.
  void drain();
  void abort();

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using Clock = std::chrono::steady_clock;

  // Made before all other members and destroyed after them: when the last lease is gone, no socket needs its loop.
  class Lease {
   public:
    Lease(std::shared_ptr<Connections> all, Loop& loop) : all_(std::move(all)), loop_(loop) { ++loop_.sessions; }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

   private:
    std::shared_ptr<Connections> all_;
    Loop& loop_;
  };
  struct Key {};
  static constexpr std::size_t kReadBytes = 4096;

 public:
  Session(Key, std::shared_ptr<Connections> all, Loop& loop, Socket socket, Peer peer);

 private:
  Task<void> run();
  Task<bool> shake_hands();
  Task<void> part();
  Task<bool> serve_one();
  Task<bool> first_byte();
  Task<bool> serve_admitted(Parser& parser, Request request, Admitted admitted);
  Task<bool> read_body(Parser& parser, const Request& request, std::string_view route);
  Task<Response> answer(Request request, Admitted& admitted);
  Task<bool> reply(Response response, std::string_view route);
  Task<bool> refuse(Response response, std::string_view route);
  Task<bool> refuse(boost::system::error_code error, std::string_view route);
  Task<bool> write(std::string_view head, std::string_view body);
  Task<bool> write_stream(BodyStream& stream, bool chunked);
  Task<bool> write_pieces(BodyStream& stream, bool chunked);
  Task<std::optional<Response>> wait_for(LongPoll& poll);
  Task<void> pause(Duration time);
  Task<void> linger();

  void begin_exchange(const Parser& parser, const Request& request);
  void accept_answer(std::uint64_t ticket, Responder::Make make);
  Responder make_responder();
  void wake();
  std::function<void()> waker();
  void watch_deadline();
  void watch_peer();
  Task<void> stop_watching();
  void set_deadline(Duration time);
  void close();

  Lease lease_;
  std::shared_ptr<Connections> all_;
  PeerStream stream_;
  Timer ticker_;  // checks deadline_ at intervals: cheaper than a timer for each read
  Timer wake_;    // a coroutine that waits for an answer or an event waits on it
  boost::beast::flat_buffer buffer_;
  const Peer peer_;
  std::string client_;  // address of the client that sent the request in progress
  std::optional<ClientCertificate> certificate_;
  Clock::time_point deadline_ = Clock::time_point::max();

  // The request in progress.
  Clock::time_point started_;
  Method method_ = Method::other;
  Caller caller_;                // of the request in progress
  std::string_view permission_;  // that its route asks for
  bool http_1_0_ = false;
  bool keep_alive_ = false;
  std::uint64_t ticket_ = 0;  // distinguishes its answer from a late answer to an earlier request
  std::optional<Response> response_;

  bool first_ = true;  // no request was served yet
  bool idle_ = true;   // between two requests
  bool woken_ = false;
  bool timed_out_ = false;
  bool unread_ = false;    // part of the request was not read: linger before closing
  bool watching_ = false;  // a read waits, only to see whether the client closes the connection
  bool peer_gone_ = false;
  bool draining_ = false;
  bool aborted_ = false;
};

}  // namespace ym::api
