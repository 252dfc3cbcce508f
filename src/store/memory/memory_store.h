// A store in memory: for tests and simulations.
//
// A MemoryDisk keeps the "durable" state. A store that is opened again on the same disk finds it. Threads: see store.h.
// Readers and the writer share one mutex and hold it only while values are copied.
#pragma once

#include <memory>

#include "store/store.h"

namespace ym {

class MemoryDisk;

std::shared_ptr<MemoryDisk> make_memory_disk();

// At most one store is open on a disk at a time.
std::unique_ptr<Store> make_memory_store(std::shared_ptr<MemoryDisk> disk = make_memory_disk());

}  // namespace ym
