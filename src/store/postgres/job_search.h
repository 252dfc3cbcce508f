// A search for jobs, as SQL.
#pragma once

#include <cstdint>
#include <string>

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

// The newest `limit` jobs of the filter, newest first, with the columns of kSelectJobs. Their ids are below `before`;
// `filter.before` is ignored.
Statement job_search(const JobFilter& filter, std::int64_t before, std::int64_t limit);

}  // namespace ym::postgres
