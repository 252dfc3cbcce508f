// A server for tests of the client. For each connection it runs a function of the test.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "net/http_client.h"

namespace ym::net {

// The server's side of a connection.
class Peer {
 public:
  explicit Peer(int socket, SSL* tls = nullptr) : socket_(socket), tls_(tls) {}

  // Head and body; nothing if the client has closed the connection.
  std::optional<std::string> read_request() {
    std::size_t end = 0;
    while ((end = received_.find("\r\n\r\n")) == received_.npos)
      if (!receive()) return std::nullopt;
    const auto length = received_.find("content-length: ");
    std::size_t size = end + 4;
    if (length < end) size += std::stoul(received_.substr(length + 16));
    while (received_.size() < size)
      if (!receive()) return std::nullopt;
    auto request = received_.substr(0, size);
    received_.erase(0, size);
    return request;
  }

  // False: the client has gone, or the server ends.
  bool write(std::string_view text) const {
    if (tls_) return SSL_write(tls_, text.data(), static_cast<int>(text.size())) > 0;
    while (!text.empty()) {
      const auto n = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  void write_chunk(std::string_view text) const { write(fmt::format("{:x}\r\n{}\r\n", text.size(), text)); }
  void reply(std::string_view body) const {
    write(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", body.size(), body));
  }
  // The client sees the end at once.
  void close() const { ::shutdown(socket_, SHUT_RDWR); }
  // All that the client sends before it says that nothing more comes.
  std::string read_to_end() {
    wait_for_end();
    return std::move(received_);
  }
  // Blocks until the client closes.
  void wait_for_end() {
    while (receive()) {
    }
  }

 private:
  bool receive() {
    std::array<char, 4096> block{};
    const auto n = tls_ ? SSL_read(tls_, block.data(), block.size()) : ::recv(socket_, block.data(), block.size(), 0);
    if (n <= 0) return false;
    received_.append(block.data(), static_cast<std::size_t>(n));
    return true;
  }

  int socket_;
  SSL* tls_;
  std::string received_;
};

class TestServer {
 public:
  using Serve = std::function<void(Peer&)>;

  // `unix_path`: replaces the TCP port. `tls`: makes a handshake first; it must outlive the server.
  explicit TestServer(Serve serve, std::string unix_path = {}, SSL_CTX* tls = nullptr)
      : serve_(std::move(serve)), path_(std::move(unix_path)), tls_(tls) {
    listen();
    acceptor_ = std::thread([this] { accept(); });
  }
  ~TestServer() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
    }
    for (auto& thread : threads_) thread.join();
    ::close(listener_);
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  int connections() const { return connections_; }
  std::uint16_t port() const { return port_; }
  std::string url() const {
    if (!path_.empty()) return "unix:" + path_;
    return fmt::format("{}://127.0.0.1:{}", tls_ ? "https" : "http", port_);
  }
  std::unique_ptr<HttpClient> client() const {
    auto made = HttpClient::make({.url = url()});
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

 private:
  void listen() {
    sockaddr_storage address{};
    socklen_t length = sizeof(sockaddr_in);
    void* const raw = &address;
    if (path_.empty()) {
      auto* in = static_cast<sockaddr_in*>(raw);
      in->sin_family = AF_INET;
      in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
      auto* un = static_cast<sockaddr_un*>(raw);
      un->sun_family = AF_UNIX;
      path_.copy(un->sun_path, sizeof un->sun_path - 1);
      length = sizeof(sockaddr_un);
    }
    listener_ = ::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::bind(listener_, static_cast<sockaddr*>(raw), length), 0);
    ASSERT_EQ(::listen(listener_, 64), 0);
    if (!path_.empty()) return;
    ::getsockname(listener_, static_cast<sockaddr*>(raw), &length);
    port_ = ntohs(static_cast<sockaddr_in*>(raw)->sin_port);
  }

  void accept() {
    for (;;) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) return;
      ++connections_;
      const std::lock_guard lock(mutex_);
      open_.insert(socket);
      threads_.emplace_back([this, socket] { run(socket); });
    }
  }

  void run(int socket) {
    // OpenSSL writes to clients that are gone.
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
    SSL* const tls = tls_ ? SSL_new(tls_) : nullptr;
    if (tls) SSL_set_fd(tls, socket);
    if (!tls || SSL_accept(tls) == 1) {
      Peer peer(socket, tls);
      serve_(peer);
    }
    SSL_free(tls);
    const std::lock_guard lock(mutex_);
    open_.erase(socket);
    ::close(socket);
  }

  Serve serve_;
  std::string path_;
  SSL_CTX* tls_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;  // guards the members below
  std::set<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

// Sends the same reply to every request.
inline TestServer::Serve always(std::string reply) {
  return [reply = std::move(reply)](Peer& peer) {
    while (peer.read_request()) peer.write(reply);
  };
}

// Replies with the request itself.
inline TestServer::Serve echo() {
  return [](Peer& peer) {
    while (const auto request = peer.read_request()) peer.reply(*request);
  };
}

}  // namespace ym::net
