// Declarations that the suite's tests share.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "model/testing/random_history.h"
#include "store/conformance/must.h"
#include "store/conformance/suite.h"

namespace ym::testing {

template <class Host>
struct TestOf {
  std::string name;
  std::function<void(Host&)> run;
};
using ConformanceTest = TestOf<StoreHost>;

std::vector<ConformanceTest> state_tests();
std::vector<ConformanceTest> history_tests();
std::vector<ConformanceTest> rewrite_tests();
std::vector<TestOf<DatabaseHost>> document_tests();

// Commits a batch of the history. The test fails if the store refuses it.
void commit_batch(Store& store, const RandomHistory& history, RandomHistory::Batch batch);

// Commits about `events` more events, in several batches.
void grow(Store& store, RandomHistory& history, std::size_t events);

}  // namespace ym::testing
