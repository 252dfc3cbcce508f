// A ControlServer with its threads, a store in memory and an executor that only records.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "control/boot_clock.h"
#include "control/serve/server.h"
#include "control/testing/controller_fixture.h"
#include "control/testing/eventually.h"

namespace ym::testing {

class ControlServerTest : public ::testing::Test {
 protected:
  void SetUp() override { start(); }

  // The section `auth` of the configuration.
  virtual std::optional<AuthSettings> auth() const { return std::nullopt; }

  void start() {
    server_.reset();
    DesiredState desired = one_node();
    desired.auth = auth();
    auto started = ControlServer::start(
        store_, {{"lab", &executor_}}, clock_,
        {.controller = {.version = "test"}, .api_url = "http://127.0.0.1:1/api", .job_token_key = key_}, desired);
    ASSERT_TRUE(started);
    server_ = std::move(*started);
  }

  Result<CommandReply> execute(Command command) {
    std::promise<Result<CommandReply>> answered;
    server_->execute({.principal = "alice"}, std::move(command),
                     [&](Result<CommandReply> reply) { answered.set_value(std::move(reply)); });
    return answered.get_future().get();
  }
  TokenReply make_token_of(const std::string& principal) {
    return *server_->execute_now(CreateToken{.principal = principal})->token;
  }
  JobId submit(const std::string& name, int gpus = 1) {
    return execute(SubmitJobs{.specs = {spec_of(name, gpus)}})->jobs.at(0)->id;
  }

  bool becomes(JobId id, JobState state) {
    return eventually([&] { return server_->reads().job(self_, id)->job->state == state; });
  }

  const Caller self_ = Caller::server();  // the caller of reads
  const Secret key_ = make_job_token_key();
  BootClock clock_;
  RecordingExecutor executor_;
  FlakyStore store_{make_memory_store()};
  std::shared_ptr<ControlServer> server_;
};

}  // namespace ym::testing
