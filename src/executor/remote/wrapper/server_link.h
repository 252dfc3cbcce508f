// ServerLink: what the wrapper says to its server, again until it is heard, and what it is answered.
//
// Two threads: one reports whenever there is something new, the other waits for orders (a long poll). What
// fails is tried again for ever, with growing pauses; user code never waits for it. A server that begins anew is
// told everything again.
//
// Threads: any; the listener is called on the link's own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <thread>

#include "executor/remote/wire.h"
#include "executor/remote/wrapper/bearer.h"
#include "executor/remote/wrapper/node_facts.h"
#include "net/http_client.h"

namespace ym::remote {

// The server's last word, after which the link is silent.
enum class Refusal : std::uint8_t {
  over,   // the attempt has ended, or never was
  taken,  // another has the task
};

struct LinkListener {
  std::function<void(TaskOrders)> orders;
  std::function<void(Refusal)> refused;
  // Something is wrong that time alone may not heal; each kind of it once until something went well.
  std::function<void(const std::string&)> trouble;
};

struct LinkOptions {
  std::string target;  // path of the task
  std::string nonce;
  Secret token;                  // to be shown to the server, until orders bring a newer one
  std::string token_file;        // instead, as Bearer takes it
  Duration poll = seconds(30);   // how long the server may keep a question for orders
  Duration first_pause = {200};  // after a failure; doubles
  Duration longest_pause = seconds(15);
  Duration patience = seconds(20);  // with one report
};

class ServerLink {
 public:
  // `client` must outlive it.
  ServerLink(net::HttpClient& client, LinkOptions options, LinkListener listener);
  ~ServerLink();
  ServerLink(const ServerLink&) = delete;
  ServerLink& operator=(const ServerLink&) = delete;

  // In place of all that was said before.
  void say(std::string report);
  // As say(), of the end: once orders say that it is stored, nothing more is asked.
  void say_last(std::string report);
  // No listener is called any more when it returns. Not on the link's threads.
  void stop();

 private:
  enum class Outcome : std::uint8_t { good, nothing, failed, refused };

  void report_all();
  void poll_all();
  void tell(std::string report, bool last);
  Outcome poll_once();
  Result<net::Reply> send(net::Request request);
  Outcome understand(const Result<net::Reply>& reply);
  void complain(const std::string& what);
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
  bool known_ = false;                    // the server that answers now has our report
  bool last_ = false;                     // what is said is of the end
  bool over_ = false;                     // and it is stored
  bool stopped_ = false;
  std::string complaint_;
  std::minstd_rand jitter_{random_seed()};
  std::thread reporter_, poller_;
};

}  // namespace ym::remote
