#include "store/conformance/suite.h"

#include "store/conformance/checks.h"

namespace ym::testing {
namespace {

template <class Host>
class HostTest : public ::testing::Test {
 public:
  using Factory = std::function<std::unique_ptr<Host>()>;
  HostTest(std::function<void(Host&)> run, Factory make_host)
      : run_(std::move(run)), make_host_(std::move(make_host)) {}

 private:
  void TestBody() override {
    const auto host = make_host_();
    run_(*host);
  }

  std::function<void(Host&)> run_;
  Factory make_host_;
};

template <class Host>
void register_all(const std::string& suite, const std::vector<TestOf<Host>>& tests,
                  const std::function<std::unique_ptr<Host>()>& make_host) {
  for (const auto& test : tests)
    ::testing::RegisterTest(suite.c_str(), test.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [test, make_host]() -> ::testing::Test* {
                              return new HostTest<Host>(test.run, make_host);  // GoogleTest owns it
                            });
}

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
  for (const auto& tests : {state_tests(), history_tests(), rewrite_tests()})
    register_all(store + "StoreConformance", tests, make_host);
  return true;
}

bool register_document_conformance(const std::string& store, const DatabaseHostFactory& make_host) {
  register_all(store + "DocumentConformance", document_tests(), make_host);
  return true;
}

}  // namespace ym::testing
