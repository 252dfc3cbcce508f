#include "executor/remote/testing/task_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/whole_number.h"
#include "executor/remote/testing/fronted_executor.h"
#include "executor/remote/testing/task_routes.h"

namespace ym::remote::testing {
namespace {

// A whole request with a small head, as Yardmaster's own client writes it: header names in lower case or as given.
std::optional<std::string> next_request(int socket, std::string& received) {
  std::array<char, 16384> block{};
  for (;;) {
    if (auto request = cut_request(received)) return request;
    const auto n = ::recv(socket, block.data(), block.size(), 0);
    if (n <= 0) return std::nullopt;
    received.append(block.data(), static_cast<std::size_t>(n));
  }
}

Answer not_found() { return {.status = 404, .body = "nothing here", .type = "text/plain"}; }

bool send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool is_closed(int socket) {
  char one = 0;
  return ::recv(socket, &one, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

}  // namespace

class TaskServer::Impl {
 public:
  explicit Impl(const std::string& address);
  ~Impl();

  std::string url() const { return fmt::format("http://{}:{}", address_, port_); }
  void serve(TaskLink* link);
  void go_away(bool away);
  void deny(const std::string& bearer) {
    const std::lock_guard lock{mutex_};
    denied_.insert(bearer);
  }
  int requests() const { return requests_; }
  std::set<std::string> bearers() const {
    const std::lock_guard lock{mutex_};
    return bearers_;
  }

 private:
  void accept();
  void run(int socket);
  void cut_all();
  // Empty: the connection must be closed.
  std::optional<Answer> answer_to(const std::string& request, int socket);
  std::optional<Answer> orders(TaskLink& link, const TaskQuestion& question, int socket);
  bool is_silent() const { return away_ || over_; }

  const std::string address_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> away_ = false, over_ = false;
  std::atomic<int> requests_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  TaskLink* link_ = nullptr;  // under mutex_, as all below
  int in_use_ = 0;
  std::set<std::string> bearers_, denied_;
  std::set<int> open_;
  std::vector<std::thread> threads_;  // only the acceptor adds to it
  std::thread acceptor_;
};

TaskServer::Impl::Impl(const std::string& address) : address_(address) {
  sockaddr_in here{.sin_family = AF_INET};
  socklen_t size = sizeof here;
  void* const raw = &here;
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::inet_pton(AF_INET, address.c_str(), &here.sin_addr) != 1 ||
      ::bind(listener_, static_cast<sockaddr*>(raw), size) != 0 || ::listen(listener_, 1024) != 0 ||
      ::getsockname(listener_, static_cast<sockaddr*>(raw), &size) != 0)
    throw std::runtime_error("no server for tasks can listen on " + address);
  port_ = ntohs(here.sin_port);
  acceptor_ = std::thread([this] { accept(); });
}

TaskServer::Impl::~Impl() {
  over_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  cut_all();
  for (auto& thread : threads_) thread.join();
  ::close(listener_);
}

void TaskServer::Impl::serve(TaskLink* link) {
  std::unique_lock lock{mutex_};
  link_ = link;
  changed_.notify_all();
  changed_.wait(lock, [this] { return in_use_ == 0; });
}

void TaskServer::Impl::go_away(bool away) {
  away_ = away;
  if (away) cut_all();
}

void TaskServer::Impl::accept() {
  for (int socket = 0; (socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
    const std::lock_guard lock{mutex_};
    open_.insert(socket);
    threads_.emplace_back([this, socket] { run(socket); });
  }
}

void TaskServer::Impl::cut_all() {
  const std::lock_guard lock{mutex_};
  for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
  changed_.notify_all();
}

void TaskServer::Impl::run(int socket) {
  std::string received;
  while (const auto request = next_request(socket, received)) {
    if (is_silent()) break;
    ++requests_;
    const auto answer = answer_to(*request, socket);
    if (!answer || is_silent() || !send_all(socket, to_http(*answer))) break;
  }
  const std::lock_guard lock{mutex_};
  open_.erase(socket);
  ::close(socket);
}

std::optional<Answer> TaskServer::Impl::answer_to(const std::string& request, int socket) {
  const auto question = read_question(request);
  if (!question) return not_found();
  std::unique_lock lock{mutex_};
  bearers_.insert(question->bearer);
  if (denied_.contains(question->bearer)) return to_answer(fail(ErrorCode::unauthenticated, "the token is over"));
  auto* const link = link_;
  if (link == nullptr) return not_found();
  ++in_use_;
  lock.unlock();
  auto answer =
      question->is_report ? to_answer(link->report(question->task, question->body)) : orders(*link, *question, socket);
  lock.lock();
  --in_use_;
  changed_.notify_all();
  return answer;
}

std::optional<Answer> TaskServer::Impl::orders(TaskLink& link, const TaskQuestion& question, int socket) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds{question.wait.ms};
  const auto handle = link.watch(question.task.attempt, [this] { changed_.notify_all(); });
  // Stops if the client has closed.
  while (std::chrono::steady_clock::now() < end && !is_closed(socket)) {
    const auto found = link.orders(question.task, question.nonce, question.version);
    if (!found) return to_answer(std::unexpected(found.error()));
    if (*found) return Answer{.body = **found};
    std::unique_lock lock{mutex_};
    if (is_silent() || link_ != &link) return std::nullopt;
    // In short steps: the other side changes the state without this lock.
    changed_.wait_for(lock, std::chrono::milliseconds{100});
  }
  return Answer{.status = 204};
}

TaskServer::TaskServer(const std::string& address) : impl_(std::make_unique<Impl>(address)) {}
TaskServer::~TaskServer() = default;

std::string TaskServer::url() const { return impl_->url(); }

JobContact TaskServer::contact(const Token& token) const {
  const auto base = fmt::format("{}/api/v1/jobs/{}/attempts/{}", impl_->url(), to_string(token.job), token.attempt);
  return {
      .progress_url = base + "/progress", .notice_url = base + "/notice", .token = Secret{"of " + to_string(token)}};
}

std::unique_ptr<Executor> TaskServer::front(std::unique_ptr<Executor> executor) {
  return std::make_unique<FrontedExecutor>(*this, std::move(executor));
}

void TaskServer::serve(TaskLink* link) { impl_->serve(link); }
void TaskServer::go_away(bool away) { impl_->go_away(away); }
void TaskServer::deny(const std::string& bearer) { impl_->deny(bearer); }
int TaskServer::requests() const { return impl_->requests(); }
std::set<std::string> TaskServer::bearers() const { return impl_->bearers(); }

}  // namespace ym::remote::testing
