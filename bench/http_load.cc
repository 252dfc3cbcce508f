// http_load: many keep-alive clients that repeat one request, each after the answer to the previous one. Prints one
// JSON object: the number of answers with the expected status, and the speed.
//
//     http_load --connect 127.0.0.1:8470|unix:/path --clients 64 --requests 20000
//               --target /api/v1/jobs --body FILE --header 'K: V'... [--unique HEADER]
//               [--method POST] [--script FILE] [--ca FILE]
//
// With --ca it speaks TLS, and trusts this authority.
//
// With a script, each of its lines is a request: its time in milliseconds from the beginning, a space, and the body.
//
// Blocking sockets and a thread for each client: a very simple client, and the same one for every server in a
// comparison.
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "load_script.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string connect, target = "/", method = "POST", body, unique, ca;
  std::vector<std::string> headers;
  std::vector<Line> script;
  int clients = 1;
  long requests = 1000;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string key = argv[i], value = argv[i + 1];
    if (key == "--connect") options.connect = value;
    else if (key == "--target") options.target = value;
    else if (key == "--method") options.method = value;
    else if (key == "--body") options.body = read_whole(value);
    else if (key == "--script") options.script = read_script(value);
    else if (key == "--header") options.headers.push_back(value);
    else if (key == "--unique") options.unique = value;
    else if (key == "--ca") options.ca = value;
    else if (key == "--clients") options.clients = std::stoi(value);
    else if (key == "--requests") options.requests = std::stol(value);
    else die("unknown option " + key);
  }
  if (options.connect.empty()) die("--connect is missing");
  if (!options.script.empty()) options.requests = static_cast<long>(options.script.size());
  return options;
}

int connect_unix(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  if (path.size() >= sizeof address.sun_path) die("the socket's path is too long");
  std::ranges::copy(path, address.sun_path);
  return ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? fd : -1;
}

int connect_tcp(const std::string& host, const std::string& port) {
  addrinfo* found = nullptr;
  const addrinfo hints{.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) die("no such address: " + host);
  const int fd = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int connected = ::connect(fd, found->ai_addr, found->ai_addrlen);
  ::freeaddrinfo(found);
  const int one = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return connected == 0 ? fd : -1;
}

int open_connection(const std::string& to) {
  if (to.starts_with("unix:")) return connect_unix(to.substr(5));
  const auto colon = to.rfind(':');
  if (colon == std::string::npos) die("--connect takes HOST:PORT or unix:PATH");
  return connect_tcp(to.substr(0, colon), to.substr(colon + 1));
}

using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;
using Tls = std::unique_ptr<SSL, decltype(&SSL_free)>;

// Null: plain.
Context make_context(const std::string& ca) {
  Context context(ca.empty() ? nullptr : SSL_CTX_new(TLS_client_method()), SSL_CTX_free);
  if (!context) return context;
  if (SSL_CTX_load_verify_file(context.get(), ca.c_str()) != 1) die("cannot read " + ca);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_read_ahead(context.get(), 1);  // one read a record, not two
  return context;
}

// One connection, opened again when the server closes it.
class Client {
 public:
  Client(const Options& options, SSL_CTX* context, int number) : options_(options), context_(context), number_(number) {
    head_ = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n", options.method, options.target);
    for (const auto& header : options.headers) head_ += header + "\r\n";
  }
  ~Client() { close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // The status of the answer; 0 if none came.
  int ask(const std::string& body) {
    std::string request = head_ + fmt::format("Content-Length: {}\r\n", body.size());
    if (!options_.unique.empty()) {
      request += fmt::format("{}: {}-{}-{}\r\n", options_.unique, ::getpid(), number_, ++asked_);
    }
    request += "\r\n" + body;
    for (int tries = 0; tries < 3; ++tries) {
      if ((fd_ >= 0 || open()) && send_all(request))
        if (const int status = read_answer(); status > 0) return status;
      close();
    }
    return 0;
  }

 private:
  bool open() {
    fd_ = open_connection(options_.connect);
    if (fd_ < 0 || context_ == nullptr) return fd_ >= 0;
    tls_.reset(SSL_new(context_));
    return tls_ && SSL_set_fd(tls_.get(), fd_) == 1 && SSL_connect(tls_.get()) == 1;
  }

  void close() {
    tls_.reset();
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    buffer_.clear();
  }

  bool send_all(std::string_view text) const {
    while (!text.empty()) {
      const auto n = tls_ ? SSL_write(tls_.get(), text.data(), static_cast<int>(text.size()))
                          : ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  bool receive() {
    char part[16384];
    const auto n = tls_ ? SSL_read(tls_.get(), part, sizeof part) : ::recv(fd_, part, sizeof part, 0);
    if (n <= 0) return false;
    buffer_.append(part, static_cast<std::size_t>(n));
    return true;
  }

  int read_answer() {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos)
      if (!receive()) return 0;
    std::string head = buffer_.substr(0, end);
    std::ranges::transform(head, head.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    int status = 0;
    std::from_chars(head.data() + 9, head.data() + 12, status);
    std::size_t length = 0;
    if (const auto at = head.find("content-length:"); at != std::string::npos) {
      length = static_cast<std::size_t>(std::strtoul(head.c_str() + at + 15, nullptr, 10));
    }
    while (buffer_.size() < end + 4 + length)
      if (!receive()) return 0;
    buffer_.erase(0, end + 4 + length);
    if (head.find("connection: close") != std::string::npos) close();
    return status;
  }

  const Options& options_;
  SSL_CTX* const context_;
  const int number_;
  std::string head_, buffer_;
  int fd_ = -1;
  Tls tls_{nullptr, SSL_free};
  long asked_ = 0;
};

struct Tally {
  std::vector<double> milliseconds;
  std::map<int, long> statuses;
};

double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return 0;
  const auto at = static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1));
  return sorted[at];
}

Tally run(const Options& options, double& seconds) {
  Tally all;
  std::mutex mutex;
  std::atomic<long> next = 0;
  const auto context = make_context(options.ca);
  const auto begin = Clock::now();
  const auto work = [&](int number) {
    Client client(options, context.get(), number);
    Tally mine;
    for (long i = next++; i < options.requests; i = next++) {
      const Line* line = options.script.empty() ? nullptr : &options.script[static_cast<std::size_t>(i)];
      if (line) std::this_thread::sleep_until(begin + line->due);
      const auto asked = Clock::now();
      mine.statuses[client.ask(line ? line->body : options.body)] += 1;
      mine.milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - asked).count());
    }
    const std::lock_guard lock(mutex);
    all.milliseconds.insert(all.milliseconds.end(), mine.milliseconds.begin(), mine.milliseconds.end());
    for (const auto& [status, count] : mine.statuses) all.statuses[status] += count;
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < options.clients; ++i) threads.emplace_back(work, i);
  }
  seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::ranges::sort(all.milliseconds);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  double seconds = 0;
  const Tally tally = run(options, seconds);
  std::string statuses;
  for (const auto& [status, count] : tally.statuses) {
    statuses += fmt::format("{}\"{}\": {}", statuses.empty() ? "" : ", ", status, count);
  }
  const auto& ms = tally.milliseconds;
  fmt::print(
      "{{\"requests\": {}, \"seconds\": {:.6f}, \"per_second\": {:.1f}, \"p50_ms\": {:.3f}, \"p99_ms\": {:.3f}, "
      "\"max_ms\": {:.3f}, \"statuses\": {{{}}}}}\n",
      ms.size(), seconds, static_cast<double>(ms.size()) / seconds, quantile(ms, 0.5), quantile(ms, 0.99),
      ms.empty() ? 0.0 : ms.back(), statuses);
  return 0;
}
