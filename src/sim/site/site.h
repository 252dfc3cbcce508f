// Site: a whole Yardmaster on one thread with a virtual clock: control, engine and store as in a server, and simulated
// executors. The same commands at the same times give the same events, to the last byte.
//
//     auto site = Site::open({.desired = ..., .begin = ...}, hooks);
//     site->execute(caller, SubmitJobs{...}, reply);
//     for (site->settle(); auto next = site->next(); site->settle()) site->advance_to(*next);
//
// Threads: one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sim/site/step_server.h"
#include "sim/site/virtual_executor.h"

namespace ym::sim {

struct SiteOptions {
  DesiredState desired;
  PolicySettings settings{};
  engine::Policy base{};
  Instant begin;
};

class Site {
 public:
  using OnCommit = std::function<void(const Committed&, const Tables&)>;

  // Errors: those of ControlLoop::open.
  static Result<std::unique_ptr<Site>> open(SiteOptions options, OnCommit on_commit);

  Instant now() const { return clock_.now(); }
  // The next settle() executes the command.
  void execute(Caller caller, Command command, Reply reply) {
    server_->execute(std::move(caller), std::move(command), std::move(reply));
  }
  // Does everything that is due now.
  void settle() { server_->settle(); }
  // When something is due next without a command; nothing: never. Call it after settle().
  std::optional<Instant> next() const;
  // Precondition: not before now(), and not after next().
  void advance_to(Instant at) { clock_.advance_to(at); }

  const Tables& tables() const { return server_->tables(); }
  std::int64_t cycles() const { return server_->cycles(); }
  // What the engine expects now. Call it after settle().
  engine::Forecast forecast() const { return server_->forecast(); }

 private:
  explicit Site(const SiteOptions& options);
  StepServer::Parts parts();

  VirtualClock clock_;
  std::unique_ptr<Store> store_;
  std::map<std::string, VirtualExecutor> executors_;  // by cluster
  std::unique_ptr<StepServer> server_;
};

}  // namespace ym::sim
