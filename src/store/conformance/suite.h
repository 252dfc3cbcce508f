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

// The same in a database that holds documents (model/json). No store is open while it is looked at or changed.
class DatabaseHost : public StoreHost {
 public:
  virtual Result<std::unique_ptr<Store>> try_open() = 0;
  // How others than its server read it. Precondition: it was opened once.
  virtual Result<LoadedState> read_state() = 0;
  virtual Result<std::unique_ptr<StoreReader>> history() = 0;

  // The version of the documents that is stored; and another one, as whoever wrote that would leave it.
  virtual std::int64_t documents() = 0;
  virtual void set_documents(std::int64_t version) = 0;
  // The document of the queue of this name, likewise.
  virtual void set_queue(const std::string& name, const std::string& doc) = 0;
};

using DatabaseHostFactory = std::function<std::unique_ptr<DatabaseHost>()>;

// Both return true, so that they can initialise a constant.
bool register_store_conformance(const std::string& store, const HostFactory& make_host);
// Beside the other one.
bool register_document_conformance(const std::string& store, const DatabaseHostFactory& make_host);

}  // namespace ym::testing
