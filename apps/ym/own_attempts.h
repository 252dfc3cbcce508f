// Attempts of this machine, if several servers share a state: attempts that another server started run on its
// machine.
//
// The executor `local` would not find them here and would report that, and they would be started again while they
// run. Instead they are out of contact until the server that started them leads again. A server knows its own
// attempts by the epochs in which it launched any, from a file in its state directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <span>

#include "base/result.h"
#include "executor/executor.h"

namespace ym {

class OwnEpochs {
 public:
  // Reads DIR/epochs; empty if it is missing. Errors: `io`, `corrupt`.
  static Result<OwnEpochs> read(const std::filesystem::path& dir);

  bool contains(std::uint64_t epoch) const { return epochs_.contains(epoch); }
  // Durable when it returns. Errors: `io`.
  Result<void> add(std::span<const std::uint64_t> epochs);

 private:
  explicit OwnEpochs(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  std::set<std::uint64_t> epochs_;
};

// `executor`, restricted to attempts of these epochs and of the epochs in which it launches one.
std::unique_ptr<Executor> with_own_attempts_only(std::unique_ptr<Executor> executor, OwnEpochs epochs);

}  // namespace ym
