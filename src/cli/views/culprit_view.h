// The task of a gang that failed first, as the server found it.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace ym::cli {

// The task of the culprit. Nothing: the attempt has none.
std::optional<std::int64_t> culprit_task(const boost::json::value& attempt);

// "task 1 on n2, rank 5: killed by signal 9 (certain)"; empty: there is no culprit.
std::string culprit_text(const boost::json::value& attempt);

}  // namespace ym::cli
