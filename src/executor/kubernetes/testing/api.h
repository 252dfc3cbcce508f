// For tests: an API server without a network, which records the order of requests.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <boost/json/serialize.hpp>

#include "executor/kubernetes/testing/objects.h"
#include "net/http_client.h"

namespace ym::kubernetes::testing {

class FakeApi final : public net::HttpClient {
 public:
  // --- its objects
  void put(const std::string& name, json::value pod) {
    const std::lock_guard lock(mutex_);
    pods_[name] = std::move(pod);
  }
  void put_node(const std::string& name) {
    const std::lock_guard lock(mutex_);
    nodes_.push_back(json::object{
        {"metadata", json::object{{"name", name}, {"uid", name}, {"resourceVersion", "1"}}},
        {"status", json::object{{"conditions", json::array{json::object{{"type", "Ready"}, {"status", "True"}}}}}}});
  }
  void take(const std::string& name) {
    const std::lock_guard lock(mutex_);
    pods_.erase(name);
  }
  // Ends all watches; they begin anew with a list.
  void end_watches() {
    const std::lock_guard lock(mutex_);
    ++generation_;
  }
  // From now on log requests end.
  void answer_logs() { logs_hang_ = false; }

  // --- requests: "POST ym-...", "DELETE ym-...", "LOG ym-...", "GET ym-..."
  std::vector<std::string> asked(const std::string& verb) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> some;
    for (const auto& each : asked_)
      if (each.starts_with(verb + " ")) some.push_back(each.substr(verb.size() + 1));
    return some;
  }
  std::size_t count(const std::string& verb) const { return asked(verb).size(); }
  bool has_listed_pods() const {
    const std::lock_guard lock(mutex_);
    return pods_listed_;
  }

  Result<net::Reply> send(const net::Request& request, const net::Cancel&) override {
    const std::lock_guard lock(mutex_);
    if (request.method == "POST") return create(*parse_json(request.body));
    const auto name = name_in(request.target);
    if (name.empty()) return reply(200, list_of(request.target));
    asked_.push_back(request.method + " " + name);
    const auto found = pods_.find(name);
    if (found == pods_.end()) return reply(404, json::object{{"reason", "NotFound"}});
    return reply(200, found->second);
  }

  Result<net::Reply> stream(const net::Request& request, const std::function<bool(std::string_view)>& take,
                            const net::Cancel& cancel) override {
    const bool is_log = request.target.contains("/log?");
    if (is_log) note("LOG " + name_in(request.target));
    const auto goes_on = [&] { return is_log ? logs_hang_.load() : is_fresh(request.target); };
    while (!cancel.cancelled() && goes_on()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (cancel.cancelled()) return fail(ErrorCode::unavailable, "cancelled");
    if (!is_log) return reply(410, json::object{{"reason", "Expired"}});
    take("written\n");
    return net::Reply{.status = 200, .headers = {}, .body = {}};
  }

 private:
  static net::Reply reply(int status, const json::value& body) {
    return {.status = status, .headers = {}, .body = boost::json::serialize(body)};
  }
  static std::string name_in(const std::string& target) {
    const auto from = target.find("/pods/");
    if (from == std::string::npos) return {};
    const auto name = target.substr(from + 6);
    return name.substr(0, name.find('/'));
  }
  void note(std::string what) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(what));
  }
  // The watch has not been ended since its list.
  bool is_fresh(const std::string& target) const {
    const std::lock_guard lock(mutex_);
    return listed_at_[target.contains("/pods")] == generation_;
  }
  json::value list_of(const std::string& target) {
    listed_at_[target.contains("/pods")] = generation_;
    pods_listed_ = pods_listed_ || target.contains("/pods");
    auto items = target.contains("/nodes") ? nodes_ : json::array();
    if (target.contains("/pods"))
      for (const auto& [name, pod] : pods_) items.push_back(pod);
    return json::object{{"metadata", json::object{{"resourceVersion", "1"}}}, {"items", std::move(items)}};
  }
  net::Reply create(json::value pod) {
    const std::string name(pod.at("metadata").at("name").as_string());
    asked_.push_back("POST " + name);
    if (pods_.contains(name)) return reply(409, json::object{{"reason", "AlreadyExists"}});
    auto& meta = pod.at("metadata").as_object();
    meta["uid"] = "uid-" + name;
    meta["resourceVersion"] = "2";
    pods_[name] = pod;
    return reply(201, pod);
  }

  mutable std::mutex mutex_;
  std::map<std::string, json::value> pods_;
  json::array nodes_;
  std::vector<std::string> asked_;
  std::atomic<bool> logs_hang_ = true;
  int generation_ = 0;
  std::array<int, 2> listed_at_{};  // numbers of lists of nodes, and of pods
  bool pods_listed_ = false;
};

}  // namespace ym::kubernetes::testing
