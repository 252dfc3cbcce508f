// The conformance suite of stores.
//
//   const bool registered = ym::testing::register_store_conformance("memory", [] { return ...; });
//
// adds one test for each promise of store.h. Put it at namespace scope of the store's test.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "store/store.h"

namespace ym::testing {

// The place where a store keeps its state. A test opens the store there, closes it and opens it again.
class StoreHost {
 public:
  virtual ~StoreHost() = default;
  // Precondition: no store is open here. The test fails if the store does not open.
  virtual std::unique_ptr<Store> open() = 0;
};

using HostFactory = std::function<std::unique_ptr<StoreHost>()>;

// A host with a database of documents (model/json). No store is open while a test reads or changes the database.
class DatabaseHost : public StoreHost {
 public:
  virtual Result<std::unique_ptr<Store>> try_open() = 0;
  // Reads the state as a program beside the server does. Precondition: the store was opened once.
  virtual Result<LoadedState> read_state() = 0;
  virtual Result<std::unique_ptr<StoreReader>> history() = 0;

  // The version of the stored documents. `set_documents` stores another version, as a server of that version does.
  virtual std::int64_t documents() = 0;
  virtual void set_documents(std::int64_t version) = 0;
  // Replaces the document of the queue `name`.
  virtual void set_queue(const std::string& name, const std::string& doc) = 0;
};

using DatabaseHostFactory = std::function<std::unique_ptr<DatabaseHost>()>;

// Both functions return true, so that a caller can initialise a constant with the result.
bool register_store_conformance(const std::string& store, const HostFactory& make_host);
// Adds the tests for databases. Call both functions for a database.
bool register_document_conformance(const std::string& store, const DatabaseHostFactory& make_host);

}  // namespace ym::testing
