// TaskServer: the two routes of the API by which wrappers reach an executor, for tests.
//
//   TaskServer server;
//   auto executor = server.front(make_slurm_executor({... .server_url = server.url()}, clock));
//
// Started like any executor, that one is reached by its wrappers from then on, until it is destroyed; the next one
// takes its place at the same address. Meanwhile it answers as a proxy does whose server is gone (404, in plain text);
// while it is away it closes connections without a word. Neither is the server's word, so wrappers go on and ask again.
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
  // Listens on a free port of `address`, one of this machine's (IPv4). Throws if it cannot.
  explicit TaskServer(const std::string& address = "127.0.0.1");
  // Precondition: no executor that it stands in front of is left.
  ~TaskServer();
  TaskServer(const TaskServer&) = delete;
  TaskServer& operator=(const TaskServer&) = delete;

  std::string url() const;  // "http://127.0.0.1:PORT"
  // What a launch request says of the server.
  JobContact contact(const Token& token) const;

  // The executor itself, whose task_link() is served from its start() until it is destroyed.
  std::unique_ptr<Executor> front(std::unique_ptr<Executor> executor);
  // The same by hand; null: nobody. Nobody uses the one before any more when this returns.
  void serve(TaskLink* link);
  void go_away(bool away);

  // To whoever shows this it says 401 from now on.
  void deny(const std::string& bearer);

  int requests() const;
  // What was shown in requests: "Authorization: Bearer ...".
  std::set<std::string> bearers() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym::remote::testing
