// What `ym history` shows: segments of the history, as JSON.
#pragma once

#include <boost/json/object.hpp>

#include "base/result.h"
#include "study/options/history_options.h"

namespace ym {

// {"items": [...], "more": false}; of `verify` the segments with what is wrong, and how many of their seals are
// explained by the first line alone ("unproved"). Errors: `invalid`: there is no such
// folder; `io`; `corrupt`: a segment is damaged (of `verify` it is an item).
Result<boost::json::object> show_history(const HistoryOptions& options);

}  // namespace ym
