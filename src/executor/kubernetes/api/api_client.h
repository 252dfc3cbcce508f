// ApiClient: requests to a Kubernetes API server, repeated where an error may pass.
//
// Threads: any. Calls block, up to a minute if the server throttles. close() ends all of them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "executor/kubernetes/api/api_error.h"
#include "executor/kubernetes/api/json.h"
#include "net/http_client.h"

namespace ym::kubernetes {

class ApiClient {
 public:
  explicit ApiClient(std::unique_ptr<net::HttpClient> http);

  Api<json::value> get(const std::string& target);
  Api<json::value> create(const std::string& target, const json::value& object);
  // The same, once and within this time.
  Api<json::value> create_once(const std::string& target, const json::value& object, Duration timeout);
  // Deletes that object, never a successor with its name. `grace`: whole seconds, at least one, because an object must
  // not be removed before its kubelet has ended its processes. Success too if the object does not exist any more.
  Api<void> remove(const std::string& target, const std::string& uid, Duration grace);
  // One request, not repeated: a watch has its own rules for errors. `quiet`: longest time between two pieces.
  Api<void> stream(const std::string& target, const std::function<bool(std::string_view)>& take, Duration quiet);

  // Number of requests so far, with repeated ones, by verb and resource: "create pods".
  std::map<std::string, std::uint64_t> requests() const;
  // Ends all running requests and all later ones.
  void close();
  // True: the time has passed. False: it was closed.
  bool pause(Duration d);

 private:
  Api<json::value> ask(const net::Request& request);
  Api<json::value> ask_once(const net::Request& request);
  void count(const std::string& method, std::string_view target);

  std::unique_ptr<net::HttpClient> http_;
  net::Cancel cancel_;
  mutable std::mutex mutex_;
  std::condition_variable closing_;
  bool closed_ = false;
  std::map<std::string, std::uint64_t> requests_;
};

// "/api/v1/namespaces/NAMESPACE/pods", and the target of one pod.
std::string pods_target(const std::string& name_space);
std::string pod_target(const std::string& name_space, const std::string& name);

}  // namespace ym::kubernetes
