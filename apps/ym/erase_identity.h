// `ym identity erase`: takes a person's data out of a state.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "cli/options/erase_options.h"

namespace ym {

// Precondition: none; it refuses while a server runs on the state. Returns {"pseudonym", "events", "jobs", "tokens",
// "segments", "seals", "logs", "copies": [paths]}: `copies` are files that have the data still.
// Errors: those of erase_person (archive/erasure/erase_person.h) and of opening the store.
Result<boost::json::object> erase_identity(const EraseOptions& options);

}  // namespace ym
