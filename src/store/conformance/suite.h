// The conformance suite of stores.
//
//   const bool registered = ym::testing::register_store_conformance("memory", [] { return ...; });
//
// at namespace scope of a store's test adds one test for each promise of store.h.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "store/store.h"

namespace ym::testing {

// A place where a store keeps its state: opened, closed and opened again.
class StoreHost {
 public:
  virtual ~StoreHost() = default;
  // Precondition: no store is open here. Fails the test if it cannot.
  virtual std::unique_ptr<Store> open() = 0;
};

using HostFactory = std::function<std::unique_ptr<StoreHost>()>;

// Returns true, so that it can initialise a constant.
bool register_store_conformance(const std::string& store, const HostFactory& make_host);

}  // namespace ym::testing
