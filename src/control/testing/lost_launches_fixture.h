// A controller whose state was set back, and the launches that it finds.
#pragma once

#include <memory>
#include <vector>

#include "control/attempts/lost_launches.h"
#include "control/testing/controller_fixture.h"

namespace ym::testing {

// The same store, which reports that it was set back.
class SetBack final : public Store {
 public:
  explicit SetBack(Store& store) : store_(store) {}
  Result<LoadedState> load() override { return store_.load(); }
  Result<void> commit(const Commit& commit) override { return store_.commit(commit); }
  Result<std::unique_ptr<StoreReader>> reader() override { return store_.reader(); }
  Instant last_time() const override { return store_.last_time(); }
  bool is_set_back() const override { return true; }
  std::uint64_t bytes() const override { return store_.bytes(); }
  Result<void> expire_idempotency(Instant horizon) override { return store_.expire_idempotency(horizon); }
  Result<Pruned> prune(std::uint64_t to, std::size_t limit) override { return store_.prune(to, limit); }
  Result<void> rewrite(const Rewrite& rewrite, const Commit& commit) override {
    return store_.rewrite(rewrite, commit);
  }
  Result<void> compact() override { return store_.compact(); }

 private:
  Store& store_;
};

class LostLaunchesTest : public ControllerTest {
 protected:
  static LostLaunch launch(JobId job, std::int32_t attempt, const std::string& device = "0") {
    return {.token = {.job = job, .attempt = attempt, .epoch = 1},
            .placement = {{.task = 0, .node = "n1", .devices = {device}}},
            .lives = true,
            .where = "attempts/x"};
  }

  Result<void> set_back(std::vector<LostLaunch> lost) {
    after_.set_lost(std::move(lost));
    return restart();
  }

  Result<void> restart() {
    controller_ = std::make_unique<Controller>(set_back_, Controller::Executors{{"lab", &after_}}, clock_, options_,
                                               [](const Committed&, const Tables&) {});
    if (auto opened = controller_->open(one_node()); !opened) return opened;
    return controller_->start_executors([](const Observation&) {});
  }

  std::uint64_t epoch_now() const { return controller_->tables().epoch; }
  const Attempt* live(JobId id) const { return controller_->tables().live_attempt(id); }

  SetBack set_back_{*store_};
  RecordingExecutor after_;
};

}  // namespace ym::testing
