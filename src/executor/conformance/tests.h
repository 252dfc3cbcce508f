// The tests of the suite, by topic.
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

std::vector<ExecutorTest> start_tests();    // tokens, the launch barrier, gangs
std::vector<ExecutorTest> end_tests();      // endings, stops
std::vector<ExecutorTest> restart_tests();  // what a later executor finds
std::vector<ExecutorTest> lost_tests();     // lost launches
std::vector<ExecutorTest> contact_tests();  // lost contact, and foreign objects
std::vector<ExecutorTest> log_tests();
std::vector<ExecutorTest> notice_tests();    // how user code gets notice of a stop
std::vector<ExecutorTest> progress_tests();  // progress reports, and checkpoints to resume from

// Shell: appends a line to a ledger in the scratch folder.
std::string note(const std::string& line);
std::vector<std::string> ledger(const ExecutorHost& host);

}  // namespace ym::testing
