// On a real Slurm with a real slurmdbd: what the accounting knows after the controller has forgotten it.
#include "executor/slurm/testing/lab.h"

namespace ym::slurm {
namespace {

class WithAccounts : public OnRealSlurm {
 protected:
  static void SetUpTestSuite() {
    if (SlurmLab::missing_accounts().empty()) start_lab({.nodes = 2, .accounts = true, .conf = "MinJobAge=2\n"});
  }
  void SetUp() override {
    if (const auto missing = SlurmLab::missing_accounts(); !missing.empty()) GTEST_SKIP() << missing;
    OnRealSlurm::SetUp();
  }
};

TEST_F(WithAccounts, HowAJobEndedThatTheControllerHasForgottenIsInItsAccounts) {
  ends_and_is_forgotten("exit 3");
  const auto end = said<TaskHasEnded>(token()).front().exit;
  EXPECT_EQ(end.exit_code, 3) << end.message;
  EXPECT_EQ(stand_in_->ran().size(), 1U);
}

}  // namespace
}  // namespace ym::slurm
