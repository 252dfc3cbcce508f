#include "executor/conformance/suite.h"

#include "executor/conformance/tests.h"

namespace ym::testing {
namespace {

class ConformanceFixture : public ::testing::Test {
 public:
  ConformanceFixture(ExecutorTest test, std::function<std::unique_ptr<ExecutorHost>()> make_host)
      : test_(std::move(test)), make_host_(std::move(make_host)) {}

  void TestBody() override {
    try {
      const auto host = make_host_();
      if (test_.needs == Needs::programs && !host->runs_programs()) GTEST_SKIP() << "its jobs are not programs";
      test_.run(*host);
    } catch (const HostIsMissing& missing) {
      GTEST_SKIP() << missing.what();
    }
  }

 private:
  ExecutorTest test_;
  std::function<std::unique_ptr<ExecutorHost>()> make_host_;
};

}  // namespace

std::string note(const std::string& line) { return "echo " + line + " >> ledger"; }

std::vector<std::string> ledger(const ExecutorHost& host) { return lines_of(host.scratch() / "ledger"); }

bool ExecutorHost::is_gone(int pid) { return testing::is_gone(pid); }

bool register_executor_conformance(const std::string& name, std::function<std::unique_ptr<ExecutorHost>()> make_host,
                                   const std::function<bool(const std::string&)>& wanted) {
  for (const auto& family :
       {start_tests, end_tests, restart_tests, lost_tests, contact_tests, log_tests, notice_tests, progress_tests}) {
    for (const auto& test : family()) {
      if (wanted && !wanted(test.name)) continue;
      ::testing::RegisterTest(
          ("ExecutorConformance_" + name).c_str(), test.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
          [test, make_host]() -> ConformanceFixture* { return new ConformanceFixture(test, make_host); });
    }
  }
  return true;
}

}  // namespace ym::testing
