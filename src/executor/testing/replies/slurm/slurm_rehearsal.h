// A SlurmExecutor that talks to a recording: by the commands, or by slurmrestd and the commands.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "executor/slurm/slurm_executor.h"
#include "executor/testing/replies/rehearsal.h"
#include "executor/testing/replies/reply_commands.h"
#include "executor/testing/replies/reply_server.h"

namespace ym::replies {

enum class Interface : std::uint8_t { commands, rest };
inline void PrintTo(Interface by, std::ostream* out) { *out << (by == Interface::rest ? "Rest" : "Commands"); }

class SlurmRehearsal : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // tests/replies/slurm/NAME.txt, or slurmrestd/NAME.txt; then the executor is started.
  void play(Interface by, const std::string& name, const std::vector<LiveAttempt>& live = {});
  // The recording before is over; another may be played.
  void again();
  void enter(const std::string& phase);

  // --- as control and the task's wrapper do
  void launch(const Token& token = kToken);
  // Launched, claimed, let in, and running.
  void run();
  Wrapper wrapper(const Token& token = kToken) const { return {executor->task_link(), token}; }

  // --- what was asked
  // Questions for jobs, nodes, or accounts, submissions and cancels, whichever interface they are put by.
  enum class Question : std::uint8_t { jobs, nodes, accounts, submission, cancel };
  std::vector<Asked> asked(Question question) const;
  std::size_t times(Question question) const { return asked(question).size(); }
  // Whether so many answers to what was asked after this call have been taken in.
  bool heard(Question question, std::size_t answers = 1);
  // Ids that were cancelled.
  bool cancelled(const std::string& id) const;
  // The phase is entered, and what is answered in it is taken in.
  void see(const std::string& phase);
  // The same of `ended`; and the end is concluded from it.
  void end();
  // Time passes; then a few answers are taken in, and the executor's own clock has struck.
  void pass(Duration time);

  // Nothing has been concluded about the task: neither that it ended, nor that it is out of contact or unknown, nor
  // has anything been submitted again.
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
  std::unique_ptr<ReplyCommands> commands_;
  std::unique_ptr<ReplyServer> server_;
  mutable std::vector<TaskHasEnded> ends_;
};

}  // namespace ym::replies
