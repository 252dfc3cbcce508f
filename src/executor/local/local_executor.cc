#include "executor/local/local_executor.h"

#include "executor/local/executor_impl.h"

namespace ym {

std::unique_ptr<Executor> make_local_executor(LocalOptions options, const Clock& clock) {
  return std::make_unique<local::LocalExecutor>(std::move(options), clock);
}

}  // namespace ym
