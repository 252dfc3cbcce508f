// The suite's tests, by what they are about.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "executor/conformance/session.h"

namespace ym::testing {

enum class Needs : std::uint8_t { programs, nothing };

struct ExecutorTest {
  std::string name;
  std::function<void(ExecutorHost&)> run;
  Needs needs = Needs::programs;
};

std::vector<ExecutorTest> start_tests();    // tokens, the gate, gangs
std::vector<ExecutorTest> end_tests();      // endings, stops
std::vector<ExecutorTest> restart_tests();  // what a new executor finds
std::vector<ExecutorTest> lost_tests();     // what it finds that the state does not know
std::vector<ExecutorTest> contact_tests();  // contact that is lost, and what others do beside us
std::vector<ExecutorTest> log_tests();
std::vector<ExecutorTest> notice_tests();    // how user code is told to stop
std::vector<ExecutorTest> progress_tests();  // what it says, and what it resumes from

// Shell: appends a line to a ledger in the scratch folder.
std::string note(const std::string& line);
std::vector<std::string> ledger(const ExecutorHost& host);

}  // namespace ym::testing
