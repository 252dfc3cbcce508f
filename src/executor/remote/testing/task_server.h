// TaskServer: the two API routes by which agents reach an executor, for tests.
//
//   TaskServer server;
//   auto executor = server.front(make_slurm_executor({... .server_url = server.url()}, clock));
//
// From its start() until its end, agents reach that executor; the next one takes its place at the same address. In
// between the server answers like a proxy without a backend (404, plain text), and while it is away it closes
// connections without an answer. Neither is an answer of a Yardmaster server, so agents ask again.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "executor/executor.h"
#include "executor/task_link.h"

namespace ym::remote::testing {

class TaskServer {
 public:
  // Listens on a free port of `address`, an IPv4 address of this machine. Throws if it cannot.
  explicit TaskServer(const std::string& address = "127.0.0.1");
  // Precondition: no executor from front() exists any more.
  ~TaskServer();
  TaskServer(const TaskServer&) = delete;
  TaskServer& operator=(const TaskServer&) = delete;

  std::string url() const;  // "http://127.0.0.1:PORT"
  // The contact for a launch request.
  JobContact contact(const Token& token) const;

  // Wraps the executor: its task_link() is served from its start() until it is destroyed.
  std::unique_ptr<Executor> front(std::unique_ptr<Executor> executor);
  // The same by hand; null: none. When this returns, the previous link is not used any more.
  void serve(TaskLink* link);
  void go_away(bool away);

  // Answers 401 to requests with this token from now on.
  void deny(const std::string& bearer);

  int requests() const;
  // Tokens of all requests: "Authorization: Bearer ...".
  std::set<std::string> bearers() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym::remote::testing
