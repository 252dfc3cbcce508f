// ServerLink: sends the agent's report to its server until it is received, and receives the answers.
//
// It has two threads: one reports whenever something is new, the other waits for orders (a long poll). Failed requests
// are repeated forever, with growing pauses; user code never waits for them. A server that restarted gets the whole
// report again.
//
// Threads: any; the listener is called on the link's own threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <thread>

#include "executor/remote/agent/bearer.h"
#include "executor/remote/agent/node_facts.h"
#include "executor/remote/wire.h"
#include "net/http_client.h"

namespace ym::remote {

// The server's final answer; after it the link sends nothing.
enum class Refusal : std::uint8_t {
  over,   // the attempt has ended or never existed
  taken,  // another agent has the task
};

struct LinkListener {
  std::function<void(TaskOrders)> orders;
  std::function<void(Refusal)> refused;
  // A problem that may not go away with time. Each kind is reported once, until a request succeeds.
  std::function<void(const std::string&)> problem;
};

struct LinkOptions {
  std::string target;  // path of the task
  std::string nonce;
  Secret token;                  // sent to the server until orders bring a newer one
  std::string token_file;        // in place of `token`, as in Bearer
  Duration poll = seconds(30);   // how long the server may hold a request for orders
  Duration first_pause = {200};  // after a failure; it doubles
  Duration longest_pause = seconds(15);
  Duration report_timeout = seconds(20);  // for one report
};

class ServerLink {
 public:
  // `client` must outlive it.
  ServerLink(net::HttpClient& client, LinkOptions options, LinkListener listener);
  ~ServerLink();
  ServerLink(const ServerLink&) = delete;
  ServerLink& operator=(const ServerLink&) = delete;

  // Replaces the previous report.
  void say(std::string report);
  // As say(), for the end: once orders say that it is stored, the link stops asking.
  void say_last(std::string report);
  // After it returns, no listener is called. Not on the link's threads.
  void stop();

 private:
  enum class Outcome : std::uint8_t { good, nothing, failed, refused };

  void report_all();
  void poll_all();
  void tell(std::string report, bool last);
  Outcome poll_once();
  Result<net::Reply> send(net::Request request);
  Outcome understand(const Result<net::Reply>& reply);
  void report_problem(const std::string& what);
  void pause(std::unique_lock<std::mutex>& lock, Duration& length);

  net::HttpClient& client_;
  Bearer bearer_;
  const LinkOptions options_;
  const LinkListener listener_;
  net::Cancel cancel_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string report_;                    // under mutex_, as all below
  std::uint64_t number_ = 0, heard_ = 0;  // of reports
  std::uint64_t version_ = 0;             // of the newest orders
  bool known_ = false;                    // the server that answers now has the report
  bool last_ = false;                     // the report is of the end
  bool over_ = false;                     // and that is stored
  bool stopped_ = false;
  std::string complaint_;
  std::minstd_rand jitter_{random_seed()};
  std::thread reporter_, poller_;
};

}  // namespace ym::remote
