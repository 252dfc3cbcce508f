// Boots: under which start of the machine attempts of an epoch may have run.
//
// A file for each epoch holds the boot id under which the first attempt of it was launched
// here. It is on the disk before that launch, and alone answers, after a loss of power, what
// nothing else needs to survive for: whether an attempt may have run (see layout.h).
//
// The files stay: a server that launches something makes one of a few bytes, and a restored
// backup may ask for any of them again.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "executor/local/attempt/files.h"

namespace ym::local {

enum class Launched : std::uint8_t {
  never,         // nothing of the epoch was launched here, by a build that marks it
  this_boot,     // what the folders say is true, and what has none was not launched
  earlier_boot,  // nothing of it lives; an attempt without a trace may have run
  unclear,       // the mark is damaged
};

// Thread-safe once it is open.
class Boots {
 public:
  explicit Boots(std::string boot) : boot_(std::move(boot)) {}

  // Makes DIR/attempts/.boots, durably; again after somebody has removed it. Precondition: the attempts' folder
  // is durable.
  Result<void> open(int attempts_folder);

  // To be called before an attempt of the epoch is launched; it waits for the disk the first
  // time. Errors: `conflict`, if the epoch is not of this boot; `io`.
  Result<void> mark(std::uint64_t epoch);

  // Somebody has removed the folder: nothing can be marked.
  bool is_removed() const { return local::is_removed(folder()->get()); }

  // Errors: `io`: nothing is known.
  Result<Launched> launched(std::uint64_t epoch) const;

 private:
  bool is_marked(std::uint64_t epoch) const;
  std::shared_ptr<const Fd> folder() const;

  const std::string boot_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Fd> folder_;  // under mutex_
  std::set<std::uint64_t> marked_;    // under mutex_: known to be on the disk
};

}  // namespace ym::local
