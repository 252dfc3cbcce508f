// The JSON Schema (2020-12) of a job file, made from its key table. `ym schema job` prints it.
#pragma once

#include <boost/json/object.hpp>

namespace ym {

boost::json::object job_schema();

}  // namespace ym
