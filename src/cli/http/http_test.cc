#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "cli/http/sse.h"
#include "cli/http/transport.h"
#include "cli/http/url.h"

namespace ym::cli {
namespace {

TEST(Url, EncodesWhatUsersType) {
  EXPECT_EQ(job_target("../x?y", "logs"), "/api/v1/jobs/..%2Fx%3Fy/logs");
  EXPECT_EQ(target("/p", {{"a", "x y"}, {"b", ""}, {"c", "1,2"}}), "/p?a=x%20y&c=1%2C2");
}

TEST(Sse, ReadsEventsFromPieces) {
  std::vector<std::string> seen;
  SseReader reader([&](const ServerEvent& event) { seen.push_back(event.id + "|" + event.type + "|" + event.data); });
  for (const auto* piece : {"retry: 1000\n\n: alive\n\nid: 4\nev", "ent: job.finished\ndata: {\"a\":", "1}\r\n\r", "\n",
                            "id: 5\ndata: x\ndata: y\n\n", "data: never ended"})
    reader.feed(piece);
  EXPECT_THAT(seen, ::testing::ElementsAre("4|job.finished|{\"a\":1}", "5||x\ny"));
}

// Accepts connections one after another and answers each with prepared bytes; then with more, until no client takes it.
class RawServer {
 public:
  explicit RawServer(std::vector<std::string> answers, std::string more = {})
      : answers_(std::move(answers)), more_(std::move(more)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* raw = static_cast<sockaddr*>(static_cast<void*>(&address));
    socklen_t length = sizeof(address);
    EXPECT_EQ(::bind(listener_, raw, length), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    ::getsockname(listener_, raw, &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~RawServer() {
    thread_.join();
    ::close(listener_);
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<std::string> requests;  // read only after the server is gone, or between answers

 private:
  void serve() {
    for (const auto& answer : answers_) {
      const int peer = ::accept(listener_, nullptr, nullptr);
      std::string request;
      std::array<char, 4096> block{};
      while (request.find("\r\n\r\n") == std::string::npos) {
        const auto got = ::recv(peer, block.data(), block.size(), 0);
        if (got <= 0) break;
        request.append(block.data(), static_cast<std::size_t>(got));
      }
      requests.push_back(request);
      ::send(peer, answer.data(), answer.size(), MSG_NOSIGNAL);
      while (!more_.empty() && ::send(peer, more_.data(), more_.size(), MSG_NOSIGNAL) > 0) {
      }
      ::close(peer);
    }
  }

  std::vector<std::string> answers_;
  std::string more_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

TEST(HttpTransport, SendsTheTokenAndReadsTheReply) {
  std::optional<RawServer> server(
      std::in_place, std::vector<std::string>{
                         "HTTP/1.1 201 Created\r\nContent-Length: 2\r\nX-Thing: A\r\nConnection: close\r\n\r\n{}"});
  auto transport = make_http_transport({.url = server->url(), .token = Secret("abc")});
  ASSERT_TRUE(transport);
  const auto reply =
      (*transport)->send({.method = "POST", .target = "/x", .headers = {{"Idempotency-Key", "k"}}, .body = "hi"});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 201);
  EXPECT_EQ(reply->body, "{}");
  EXPECT_EQ(reply->headers.at("x-thing"), "A");
  ASSERT_EQ(server->requests.size(), 1u);
  EXPECT_THAT(server->requests[0], ::testing::StartsWith("POST /x HTTP/1.1\r\n"));
  EXPECT_THAT(server->requests[0], ::testing::HasSubstr("authorization: Bearer abc\r\n"));
  EXPECT_THAT(server->requests[0], ::testing::HasSubstr("idempotency-key: k\r\n"));
}

TEST(HttpTransport, AReadIsSentAgainWhenItsKeptConnectionWasClosed) {
  RawServer server({"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb"});
  auto transport = make_http_transport({.url = server.url(), .token = {}});
  EXPECT_EQ((*transport)->send({.target = "/"})->body, "a");
  EXPECT_EQ((*transport)->send({.target = "/"})->body, "b");
}

TEST(HttpTransport, ALostAnswerIsUnavailable) {
  RawServer server({"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"});
  auto transport = make_http_transport({.url = server.url(), .token = {}});
  const auto reply = (*transport)->send({.target = "/"});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::unavailable);
}

TEST(HttpTransport, RefusesWhatIsNotAnAddress) {
  for (const auto* bad : {"", "host:1", "ftp://x", "http://", "http://a/b", "https://a b"})
    EXPECT_EQ(make_http_transport({.url = bad, .token = {}}).error().code, ErrorCode::invalid) << bad;
  EXPECT_TRUE(make_http_transport({.url = "https://host", .token = {}}));
  for (const auto* bad : {"sha256:12", "md5:", "aa"})
    EXPECT_EQ(make_http_transport({.url = "https://host", .token = {}, .fingerprint = bad}).error().code,
              ErrorCode::invalid)
        << bad;
  EXPECT_EQ(make_http_transport({.url = "https://host", .token = {}, .ca_file = "/no/such.pem"}).error().code,
            ErrorCode::invalid);
}

TEST(HttpTransport, KnowsWhetherItSentAnything) {
  std::optional<RawServer> server(std::in_place, std::vector<std::string>{"HTTP/1.1 200 OK\r\nContent-Len"});
  const auto transport = make_http_transport({.url = server->url(), .token = {}}).value();
  EXPECT_FALSE(transport->send({.method = "POST", .target = "/"}));
  EXPECT_TRUE(transport->was_sent());
  server.reset();
  EXPECT_FALSE(transport->send({.method = "POST", .target = "/"}));
  EXPECT_FALSE(transport->was_sent());
}

TEST(HttpTransport, RefusedConnectionsAreUnavailable) {
  std::string url;
  {
    RawServer gone({});
    url = gone.url();
  }
  auto transport = make_http_transport({.url = url, .token = {}});
  const auto reply = (*transport)->send({.target = "/"});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::unavailable);
  EXPECT_THAT(reply.error().message, ::testing::HasSubstr("Connection refused"));
}

TEST(HttpTransport, StreamsChunksAndTellsABrokenEndFromAnOrdinaryOne) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nLog-Offset: 5\r\n\r\n";
  RawServer server({head + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", head + "3\r\nabc\r\n",
                    "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope"});
  auto transport = make_http_transport({.url = server.url(), .token = {}});
  std::string bytes, offset;
  const StreamCallbacks callbacks{.head = [&](const HttpReply& reply) { offset = reply.headers.at("log-offset"); },
                                  .bytes = [&](std::string_view piece) { bytes += piece; },
                                  .keep_going = [] { return true; }};
  EXPECT_TRUE((*transport)->stream({.target = "/"}, callbacks));
  EXPECT_EQ(bytes, "abcde");
  EXPECT_EQ(offset, "5");
  EXPECT_FALSE((*transport)->stream({.target = "/"}, callbacks));
  const auto missing = (*transport)->stream({.target = "/"}, callbacks);
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->status, 404);
  EXPECT_EQ(missing->body, "nope");
}

TEST(HttpTransport, AStreamEndsWhenItIsNotWantedAnyMore) {
  // The listener accepts in the kernel and never answers.
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* raw = static_cast<sockaddr*>(static_cast<void*>(&address));
  socklen_t length = sizeof(address);
  ASSERT_EQ(::bind(listener, raw, length), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ::getsockname(listener, raw, &length);
  auto transport =
      make_http_transport({.url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)), .token = {}});
  int asked = 0;
  const auto reply =
      (*transport)
          ->stream({.target = "/"},
                   {.head = {}, .bytes = [](std::string_view) {}, .keep_going = [&] { return ++asked < 2; }});
  EXPECT_TRUE(reply);
  ::close(listener);
}

// What has been read is not cancelled any more: the reads after it must be.
TEST(HttpTransport, AStreamThatIsNeverSilentEndsWhenItIsNotWantedAnyMore) {
  RawServer server({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"}, "3\r\nabc\r\n");
  auto transport = make_http_transport({.url = server.url(), .token = {}});
  bool any = false;
  EXPECT_TRUE(
      (*transport)
          ->stream({.target = "/"},
                   {.head = {}, .bytes = [&](std::string_view) { any = true; }, .keep_going = [&] { return !any; }}));
}

}  // namespace
}  // namespace ym::cli
