// From the words of `ym serve` to ServeOptions.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "cli/discovery.h"
#include "cli/serve_options.h"

namespace ym::cli {

struct ServeArguments {
  std::string state, config, port_file, idle_exit, advertise_url, store;
  std::string store_schema = "yardmaster";
  std::string listen = "127.0.0.1:8470";
  std::uint64_t record_bytes = 0;
  bool init = false;
  bool take_over = false;
  std::string log_level = "info";
  std::string log_format = "text";
};

// "127.0.0.1:0", "[::1]:8470", "localhost:8470".
Result<std::pair<std::string, std::uint16_t>> parse_listen(std::string_view text);

// Paths become absolute; no state folder means the default one.
Result<ServeOptions> serve_options(const ServeArguments& arguments, const EnvironmentReader& environment);

}  // namespace ym::cli
