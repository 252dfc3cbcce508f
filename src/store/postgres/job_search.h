// A search for jobs as SQL.
#pragma once

#include <cstdint>
#include <string>

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

// The newest `limit` jobs of the filter, as kSelectJobs names their columns, newest first.
// `filter.before` is not looked at: ids are below `before`.
Statement job_search(const JobFilter& filter, std::int64_t before, std::int64_t limit);

}  // namespace ym::postgres
