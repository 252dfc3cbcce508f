#include "executor/remote/agent/server_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ym::remote {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr Duration kQuickAnswer =
    seconds(1);  // a server that answers a long poll sooner without news is not asked again at once
constexpr Duration kAnswerTime = seconds(15);  // for the answer, in addition to the poll

constexpr int kNotAuthorized = 401;

// Only the server itself ends a task: a proxy in between may answer 404 too.
bool is_problem(const net::Reply& reply) {
  const auto type = reply.headers.find("content-type");
  return type != reply.headers.end() && type->second.starts_with("application/problem+json");
}

}  // namespace

ServerLink::ServerLink(net::HttpClient& client, LinkOptions options, LinkListener listener)
    : client_(client),
      bearer_(options.token, options.token_file),
      options_(std::move(options)),
      listener_(std::move(listener)) {
  reporter_ = std::thread([this] { report_all(); });
  poller_ = std::thread([this] { poll_all(); });
}

ServerLink::~ServerLink() { stop(); }

void ServerLink::say(std::string report) { tell(std::move(report), false); }

void ServerLink::say_last(std::string report) { tell(std::move(report), true); }

void ServerLink::tell(std::string report, bool last) {
  const std::lock_guard lock{mutex_};
  report_ = std::move(report);
  last_ = last;
  ++number_;
  changed_.notify_all();
}

void ServerLink::stop() {
  {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    changed_.notify_all();
  }
  cancel_.cancel();
  if (reporter_.joinable()) reporter_.join();
  if (poller_.joinable()) poller_.join();
}

// Between half of it and all of it: tasks that lost the same server must not come back at once.
void ServerLink::pause(std::unique_lock<std::mutex>& lock, Duration& length) {
  const auto half = std::max<std::int64_t>(length.ms / 2, 1);
  const Milliseconds time{half + static_cast<std::int64_t>(jitter_()) % half};
  changed_.wait_for(lock, time, [this] { return stopped_; });
  length = std::min(Duration{2 * length.ms}, options_.longest_pause);
}

void ServerLink::report_all() {
  Duration length = options_.first_pause;
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return stopped_ || heard_ < number_; });
    if (stopped_) return;
    const auto number = number_;
    net::Request request{.method = "POST",
                         .target = options_.target + "/report",
                         .headers = {{"Content-Type", "application/json"}},
                         .body = report_,
                         .timeout = options_.report_timeout,
                         .most_bytes = kMaxOrdersBytes,
                         .repeatable = true};
    lock.unlock();
    const auto outcome = understand(send(std::move(request)));
    lock.lock();
    if (outcome == Outcome::failed || outcome == Outcome::nothing) {
      pause(lock, length);
      continue;
    }
    heard_ = std::max(heard_, number);
    known_ = true;
    length = options_.first_pause;
    changed_.notify_all();
  }
}

void ServerLink::poll_all() {
  Duration length = options_.first_pause;
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return stopped_ || known_; });
    if (stopped_ || over_) return;
    const auto before = version_;
    const auto began = std::chrono::steady_clock::now();
    lock.unlock();
    const auto outcome = poll_once();
    lock.lock();
    if (outcome == Outcome::failed && !stopped_) {
      // The next answer may be from another server, which does not have the report.
      known_ = false;
      ++number_;
      changed_.notify_all();
      pause(lock, length);
      continue;
    }
    length = options_.first_pause;
    const auto took = std::chrono::steady_clock::now() - began;
    if (version_ == before && took < Milliseconds{kQuickAnswer.ms})
      changed_.wait_for(lock, Milliseconds{kQuickAnswer.ms}, [this] { return stopped_; });
  }
}

ServerLink::Outcome ServerLink::poll_once() {
  std::uint64_t version = 0;
  {
    const std::lock_guard lock{mutex_};
    version = version_;
  }
  const auto target = fmt::format("{}/orders?nonce={}&version={}&wait={}s", options_.target,
                                  net::percent_encoded(options_.nonce), version, options_.poll.ms / 1000);
  return understand(send({.target = target, .timeout = options_.poll + kAnswerTime, .most_bytes = kMaxOrdersBytes}));
}

Result<net::Reply> ServerLink::send(net::Request request) {
  const auto shown = bearer_.now();
  if (!shown.empty()) request.headers["Authorization"] = "Bearer " + shown.reveal();
  auto reply = client_.send(request, cancel_);
  if (reply && reply->status == kNotAuthorized) bearer_.refused(shown);
  return reply;
}

ServerLink::Outcome ServerLink::understand(const Result<net::Reply>& reply) {
  {
    const std::lock_guard lock{mutex_};
    if (stopped_) return Outcome::failed;
  }
  if (!reply) return report_problem(reply.error().message), Outcome::failed;
  if (reply->status == 204 || reply->status == 304) return Outcome::nothing;
  if ((reply->status == 404 || reply->status == 409) && is_problem(*reply)) {
    listener_.refused(reply->status == 404 ? Refusal::over : Refusal::taken);
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    changed_.notify_all();
    return Outcome::refused;
  }
  if (reply->status != 200)
    return report_problem(fmt::format("the server answers with status {}", reply->status)), Outcome::failed;
  auto orders = decode_orders(reply->body);
  if (!orders) return report_problem("the server's orders cannot be read: " + orders.error().message), Outcome::failed;
  {
    const std::lock_guard lock{mutex_};
    version_ = orders->version;
    over_ = last_ && orders->end_stored;
    complaint_.clear();
  }
  // Before the next request, which may wait for long.
  if (!orders->job_token.empty()) bearer_.renew(Secret{orders->job_token});
  listener_.orders(std::move(*orders));
  return Outcome::good;
}

void ServerLink::report_problem(const std::string& what) {
  {
    const std::lock_guard lock{mutex_};
    if (complaint_ == what) return;
    complaint_ = what;
  }
  listener_.problem(what);
}

}  // namespace ym::remote
