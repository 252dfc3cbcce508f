// ApiClient: requests to a Kubernetes API server, repeated where that is what it takes.
//
// Threads: any. Calls block, for up to a minute where the server throttles; close() ends all of them.
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
  // Of that object and no successor of its name; `grace` in whole seconds, at least one: an object is never removed
  // before its kubelet has ended what runs. Success too if it is not there any more.
  Api<void> remove(const std::string& target, const std::string& uid, Duration grace);
  // Once, as it is: a watch has rules of its own for what fails. `quiet`: longest time between two pieces.
  Api<void> stream(const std::string& target, const std::function<bool(std::string_view)>& take, Duration quiet);

  // Requests made so far, repeated ones too, by verb and resource: "create pods".
  std::map<std::string, std::uint64_t> requests() const;
  // Ends what goes on, and all that begins later.
  void close();
  // True: so much time has passed. False: it was closed.
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

// "/api/v1/namespaces/NAMESPACE/pods", and of one of them.
std::string pods_target(const std::string& name_space);
std::string pod_target(const std::string& name_space, const std::string& name);

}  // namespace ym::kubernetes
