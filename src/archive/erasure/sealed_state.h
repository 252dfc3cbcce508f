// Whether all of a state is as it was sealed: what an erasure rewrites has to be.
#pragma once

#include <filesystem>

#include "store/store.h"

namespace ym {

// Goes through the segments that the state has rows of, and all events of the store. So no change that someone made
// before becomes right by new hashes. Errors: `corrupt`: something is not as it was sealed, or a segment is missing or
// another file than the one that was stored; `io`; those of the reader.
Result<void> check_sealed_state(StoreReader& reader, const Tables& tables, const std::filesystem::path& folder);

// The file of each row is there and as it was stored. Errors: `corrupt`, `io`.
Result<void> check_stored_files(const Tables& tables, const std::filesystem::path& folder);

}  // namespace ym
