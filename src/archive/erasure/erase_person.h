// Erases a person's data from a state that no server runs on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "store/store.h"

namespace ym {

struct ErasureOrder {
  std::string name;       // handle or id of the principal
  std::string pseudonym;  // what takes its place; no other principal has it
  std::string own_user;   // the server's own user, which is not erased
  std::string reason;
  bool keep_jobs = false;          // what its ended jobs ran stays
  std::filesystem::path segments;  // folder of the segments of the history
  // Deletes the logs of these jobs, before anything is rewritten: afterwards no run would know the jobs. Called again
  // by a second run. Null: they stay.
  std::function<Result<void>(const std::vector<JobId>&)> delete_logs{};
  Instant now;
};

struct ErasedPerson {
  Erasure row;
  std::vector<JobId> jobs;  // its ended jobs
};

// All changes are one transaction, after the new segments are on disk. What then is left to do, a second call does: it
// deletes replaced segments and compacts the database, before it finds no principal of this name. Precondition: the
// store is open for writing, and nothing else uses the state. Errors: `not_found`: there is no such principal;
// `conflict`: it has unfinished jobs, or is the server's own user or the last administrator; `corrupt`: something is
// not as it was sealed, or a segment is not the one that was stored; those of the store and of `delete_logs`. After an
// error either nothing has changed but the logs, or all has and the second call is needed.
Result<ErasedPerson> erase_person(Store& store, const ErasureOrder& order);

}  // namespace ym
