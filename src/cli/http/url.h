// Targets of requests.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_client.h"

namespace ym::cli {

using net::percent_encoded;

// "/api/v1/jobs?queue=a&limit=5". Leaves out parameters with empty values.
std::string target(std::string_view path, const std::vector<std::pair<std::string, std::string>>& parameters = {});

// "/api/v1/jobs/ID", and paths below it.
std::string job_target(std::string_view id, std::string_view below = {});

}  // namespace ym::cli
