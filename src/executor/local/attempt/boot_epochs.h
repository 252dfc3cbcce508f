// BootEpochs: under which boot of the machine attempts of an epoch may have run.
//
// Each epoch has a file with the boot id of its first launch on this machine. The file is on the disk before that
// launch. After a power loss it alone answers whether an attempt may have run, so nothing else must survive for that
// (layout.h).
//
// The files stay. A server that launches something makes one file of a few bytes, and a restored backup may need any of
// them again.
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
  never,         // nothing of the epoch was launched here, by a build that writes marks
  this_boot,     // what the folders say is true; an attempt without a folder was not launched
  earlier_boot,  // nothing of the epoch lives; an attempt without a trace may have run
  unclear,       // the mark is damaged
};

// Thread-safe once it is open.
class BootEpochs {
 public:
  explicit BootEpochs(std::string boot) : boot_(std::move(boot)) {}

  // Makes DIR/attempts/.boots, durably; call it again after the folder was removed. Precondition: the folder `attempts`
  // is durable.
  Result<void> open(int attempts_folder);

  // Call it before an attempt of the epoch is launched. The first call for an epoch waits for the disk. Errors:
  // `conflict` (the epoch is of another boot), `io`.
  Result<void> mark(std::uint64_t epoch);

  // The folder was removed: no epoch can be marked.
  bool is_removed() const { return local::is_removed(folder()->get()); }

  // Errors: `io`: the answer is unknown.
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
