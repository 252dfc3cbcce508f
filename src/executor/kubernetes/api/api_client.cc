#include "executor/kubernetes/api/api_client.h"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <utility>

namespace ym::kubernetes {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

// "/api/v1/namespaces/x/pods/y/log?..." -> "pods/log"; "/api/v1/nodes" -> "nodes".
std::string resource_of(std::string_view target) {
  target = target.substr(0, target.find('?'));
  std::vector<std::string_view> parts;
  while (!target.empty()) {
    const auto slash = std::min(target.find('/', 1), target.size());
    parts.push_back(target.substr(1, slash - 1));
    target.remove_prefix(slash);
  }
  const std::size_t skip = parts.size() > 4 && parts[2] == "namespaces" ? 4 : parts.size() == 5 ? 4 : 2;
  if (parts.size() <= skip) return parts.empty() ? std::string() : std::string(parts.back());
  std::string name(parts[skip]);
  if (parts.size() > skip + 2) name += "/" + std::string(parts[skip + 2]);
  return name;
}

Duration since(std::chrono::steady_clock::time_point start) {
  const auto passed = std::chrono::steady_clock::now() - start;
  return {std::chrono::duration_cast<std::chrono::milliseconds>(passed).count()};
}

}  // namespace

ApiClient::ApiClient(std::unique_ptr<net::HttpClient> http) : http_(std::move(http)) {}

Api<json::value> ApiClient::get(const std::string& target) {
  return ask({.target = target, .most_bytes = kMostBytes, .repeatable = true});
}

namespace {

net::Request to_create(const std::string& target, const json::value& object) {
  return {.method = "POST",
          .target = target,
          .headers = {{"Content-Type", "application/json"}},
          .body = json::serialize(object),
          .most_bytes = kMostBytes};
}

}  // namespace

Api<json::value> ApiClient::create(const std::string& target, const json::value& object) {
  return ask(to_create(target, object));
}

Api<json::value> ApiClient::create_once(const std::string& target, const json::value& object, Duration timeout) {
  auto request = to_create(target, object);
  request.timeout = timeout;
  return ask_once(request);
}

Api<void> ApiClient::remove(const std::string& target, const std::string& uid, Duration grace) {
  json::object options{{"apiVersion", "v1"},
                       {"kind", "DeleteOptions"},
                       {"gracePeriodSeconds", std::max<std::int64_t>((grace.ms + 999) / 1000, 1)}};
  if (!uid.empty()) options["preconditions"] = json::object{{"uid", uid}};
  const auto done = ask({.method = "DELETE",
                         .target = target,
                         .headers = {{"Content-Type", "application/json"}},
                         .body = json::serialize(options),
                         .most_bytes = kMostBytes,
                         .repeatable = true});
  // A conflict: another object has the name now.
  using Kind = ApiError::Kind;
  if (done || done.error().kind == Kind::not_found || done.error().kind == Kind::conflict) return {};
  return std::unexpected(done.error());
}

Api<void> ApiClient::stream(const std::string& target, const std::function<bool(std::string_view)>& take,
                            Duration quiet) {
  count(target.find("watch=1") == std::string::npos ? "GET" : "WATCH", target);
  const auto reply = http_->stream({.target = target, .timeout = quiet, .most_bytes = kMostBytes}, take, cancel_);
  if (!reply) return std::unexpected(unreachable(reply.error()));
  if (reply->status != 200) return std::unexpected(read_error(*reply));
  return {};
}

Api<json::value> ApiClient::ask(const net::Request& request) {
  const auto start = std::chrono::steady_clock::now();
  for (int tries = 1;; ++tries) {
    auto reply = ask_once(request);
    if (reply) return reply;
    const auto wait = pause_before_retry(reply.error(), tries, since(start));
    if (!wait || !pause(*wait)) return reply;
  }
}

Api<json::value> ApiClient::ask_once(const net::Request& request) {
  count(request.method, request.target);
  const auto reply = http_->send(request, cancel_);
  if (!reply) return std::unexpected(unreachable(reply.error()));
  if (reply->status < 200 || reply->status > 299) return std::unexpected(read_error(*reply));
  auto value = parse_json(reply->body);
  if (value) return std::move(*value);
  return std::unexpected(ApiError{.kind = ApiError::Kind::malformed,
                                  .status = reply->status,
                                  .message = "the API server's reply is " + value.error().message,
                                  .retry_after = {}});
}

void ApiClient::count(const std::string& method, std::string_view target) {
  const auto* verb = method == "POST"     ? "create "
                     : method == "DELETE" ? "delete "
                     : method == "WATCH"  ? "watch "
                                          : "get ";
  const bool list = method == "GET" && target.find("limit=") != std::string_view::npos;
  const std::lock_guard lock(mutex_);
  ++requests_[(list ? "list " : verb) + resource_of(target)];
}

std::map<std::string, std::uint64_t> ApiClient::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void ApiClient::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  closing_.notify_all();
  cancel_.cancel();
}

bool ApiClient::pause(Duration d) {
  std::unique_lock lock(mutex_);
  return !closing_.wait_for(lock, std::chrono::milliseconds(d.ms), [this] { return closed_; });
}

std::string pods_target(const std::string& name_space) {
  return "/api/v1/namespaces/" + net::percent_encoded(name_space) + "/pods";
}

std::string pod_target(const std::string& name_space, const std::string& name) {
  return pods_target(name_space) + "/" + net::percent_encoded(name);
}

}  // namespace ym::kubernetes
