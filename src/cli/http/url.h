// URLs, as far as the command line needs them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "net/http_client.h"

namespace ym::cli {

struct ServerAddress {
  std::string host;  // without brackets
  std::string port;
  bool operator==(const ServerAddress&) const = default;
};

// "http://HOST[:PORT]", with or without a slash at the end. Without a port: 80.
Result<ServerAddress> parse_url(std::string_view url);

using net::percent_encoded;

// "/api/v1/jobs?queue=a&limit=5". Leaves out parameters with empty values.
std::string target(std::string_view path, const std::vector<std::pair<std::string, std::string>>& parameters = {});

// "/api/v1/jobs/ID", and paths below it.
std::string job_target(std::string_view id, std::string_view below = {});

}  // namespace ym::cli
