// A store in memory: for tests and simulations.
//
// What is "durable" lives in a MemoryDisk; a store that is opened again on the same
// disk finds it. Threads: as store.h says; readers and the writer share one mutex,
// held only while values are copied.
#pragma once

#include <memory>

#include "store/store.h"

namespace ym {

class MemoryDisk;

std::shared_ptr<MemoryDisk> make_memory_disk();

// At most one store is open on a disk at a time.
std::unique_ptr<Store> make_memory_store(std::shared_ptr<MemoryDisk> disk = make_memory_disk());

}  // namespace ym
