// Attempts of this machine, where several servers share a state: those that another server began run on another
// machine.
//
// The executor `local` would find nothing of them here and say so, and they would be begun again while they run. They
// are out of contact instead, until the server that began them leads again. Which ones are its own a server knows by
// the epochs in which it launched some, from a file in its state directory.
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
  // DIR/epochs; none if it is missing. Errors: `io`, `corrupt`.
  static Result<OwnEpochs> read(const std::filesystem::path& dir);

  bool contains(std::uint64_t epoch) const { return epochs_.contains(epoch); }
  // Durable when it returns. Errors: `io`.
  Result<void> add(std::span<const std::uint64_t> epochs);

 private:
  explicit OwnEpochs(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  std::set<std::uint64_t> epochs_;
};

// `executor` for the attempts of these epochs and of those in which it is asked to launch one.
std::unique_ptr<Executor> with_own_attempts_only(std::unique_ptr<Executor> executor, OwnEpochs epochs);

}  // namespace ym
