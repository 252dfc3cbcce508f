// Clients: send requests to the server, repeat them until they are answered, and remember what was acknowledged.
//
// Threads: one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "control/command.h"
#include "fault_injection/canary.h"
#include "fault_injection/plan.h"
#include "sim/site/step_server.h"

namespace ym::sim {

class Clients {
 public:
  // `answered` is called for each answer.
  Clients(Canary canary, std::function<void()> answered) : canary_(canary), answered_(std::move(answered)) {}

  void act(const ClientAct& act, Instant now);
  // Sends all requests that are due to this server.
  void send(StepServer& server, Instant now);
  // Requests without an answer are sent again later.
  void server_died(Instant now);
  std::optional<Instant> next() const;

  struct Submitted {
    std::vector<std::vector<JobId>> answers;  // to the same request
  };
  const std::map<std::string, Submitted>& submitted() const { return submitted_; }  // by key
  // Acknowledged cancels, with the time of the last acknowledgement.
  const std::map<JobId, Instant>& cancelled() const { return cancelled_; }
  std::int64_t acknowledged() const { return static_cast<std::int64_t>(jobs_.size()); }

 private:
  struct Request {
    Command command;
    std::string key;  // of a submit
    std::optional<JobId> cancels;
    std::int32_t times = 1;  // number of sends, each until its answer
    Instant at;              // earliest time of the next send
    bool is_out = false;
  };

  void ask(Request request) { requests_.push_back(std::move(request)); }
  std::optional<JobId> job(std::size_t number) const;
  void act_on(const ActOnJob& act, Instant now);
  void take(std::size_t request, const Result<CommandReply>& reply, Instant now);

  Canary canary_;
  std::function<void()> answered_;
  std::vector<Request> requests_;
  std::vector<JobId> jobs_;
  std::map<std::string, Submitted> submitted_;
  std::map<JobId, Instant> cancelled_;
};

}  // namespace ym::sim
