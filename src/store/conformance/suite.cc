#include "store/conformance/suite.h"

#include "store/conformance/checks.h"

namespace ym::testing {
namespace {

class HostTest : public ::testing::Test {
 public:
  HostTest(std::function<void(StoreHost&)> run, HostFactory make_host)
      : run_(std::move(run)), make_host_(std::move(make_host)) {}

 private:
  void TestBody() override {
    const auto host = make_host_();
    run_(*host);
  }

  std::function<void(StoreHost&)> run_;
  HostFactory make_host_;
};

}  // namespace

void commit_batch(Store& store, const RandomHistory& history, RandomHistory::Batch batch) {
  must(store.commit(make_commit(history.tables(), batch.touched, std::move(batch.events))));
}

void grow(Store& store, RandomHistory& history, std::size_t events) {
  const auto goal = history.events().size() + events;
  for (std::size_t size = 1; history.events().size() < goal; size = size * 2 % 61 + 1)
    commit_batch(store, history, history.next(size));
}

bool register_store_conformance(const std::string& store, const HostFactory& make_host) {
  for (const auto& tests : {state_tests(), history_tests()})
    for (const auto& test : tests)
      ::testing::RegisterTest((store + "StoreConformance").c_str(), test.name.c_str(), nullptr, nullptr, __FILE__,
                              __LINE__, [test, make_host]() -> ::testing::Test* {
                                return new HostTest(test.run, make_host);  // GoogleTest owns it
                              });
  return true;
}

}  // namespace ym::testing
