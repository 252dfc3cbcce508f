// Ids and names that stand for several jobs: those of arrays.
#pragma once

#include <boost/json/array.hpp>
#include <string>

#include "cli/api.h"

namespace ym::cli {

// The job of that id or name; of an array its members by index, of each index the newest
// (a member that was retried has several). Errors: those of the server.
struct Found {
  boost::json::array jobs;
  bool is_array = false;
};
Result<Found> find_jobs(Api& api, const std::string& id);

}  // namespace ym::cli
