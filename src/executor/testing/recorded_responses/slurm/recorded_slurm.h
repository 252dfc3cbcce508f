// A SlurmExecutor that talks to a recording: by the commands, or by slurmrestd and the commands.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "executor/slurm/slurm_executor.h"
#include "executor/testing/recorded_responses/fixture.h"
#include "executor/testing/recorded_responses/recorded_commands.h"
#include "executor/testing/recorded_responses/recorded_server.h"

namespace ym::recorded {

enum class Interface : std::uint8_t { commands, rest };
inline void PrintTo(Interface by, std::ostream* out) { *out << (by == Interface::rest ? "Rest" : "Commands"); }

class RecordedSlurm : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Plays tests/recorded_responses/slurm/NAME.txt or slurmrestd/NAME.txt, then starts the executor.
  void play(Interface by, const std::string& name, const std::vector<LiveAttempt>& live = {});
  // Ends the recording; another one may be played.
  void again();
  void enter(const std::string& phase);

  // --- as control and the task's agent do
  void launch(const Token& token = kToken);
  // Launched, claimed, let in, and running.
  void run();
  PlayedAgent agent(const Token& token = kToken) const { return {executor->task_link(), token}; }

  // --- requests
  // Requests for jobs, nodes or accounting, submissions and cancels, over either interface.
  enum class Question : std::uint8_t { jobs, nodes, accounts, submission, cancel };
  std::vector<Asked> asked(Question question) const;
  std::size_t times(Question question) const { return asked(question).size(); }
  // Whether `answers` answers to requests after this call have been handled.
  bool heard(Question question, std::size_t answers = 1);
  // Whether this id was cancelled.
  bool cancelled(const std::string& id) const;
  // Enters the phase; returns when its answers have been handled.
  void see(const std::string& phase);
  // The same for the phase `ended`; returns when the end has been concluded.
  void end();
  // Lets time pass until a few answers have been handled and the executor has checked its timeouts.
  void pass(Duration time);

  // Nothing was concluded about the task: it has not ended, is not out of contact, not unknown, and was not submitted
  // again.
  ::testing::AssertionResult nothing_concluded() const;
  const TaskExit& the_end() const;

  ForwardClock clock;
  Observed seen;
  SlurmOptions options;
  std::unique_ptr<Executor> executor;

 private:
  std::string pattern_of(Question question) const;

  std::filesystem::path folder_;
  Interface by_ = Interface::commands;
  std::unique_ptr<RecordedCommands> commands_;
  std::unique_ptr<RecordedServer> server_;
  mutable std::vector<TaskHasEnded> ends_;
};

}  // namespace ym::recorded
