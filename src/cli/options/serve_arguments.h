// Makes ServeOptions from the words of `ym serve`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/discovery.h"
#include "cli/options/serve_options.h"

namespace ym::cli {

struct ServeArguments {
  std::string state, config, socket, port_file, idle_exit, advertise_url, store;
  std::string store_schema = "yardmaster";
  std::string listen = "127.0.0.1:8470";
  std::string tls_cert, tls_key, tls_client_ca, tls_ca;
  bool tls_self_signed = false;
  std::vector<std::string> trusted_proxies;
  std::uint64_t record_bytes = 0;
  std::string seal_every = "1m", history;
  std::vector<std::string> audit_heads;
  std::string audit_heads_ca, audit_heads_token;
  bool init = false;
  bool take_over = false;
  std::string log_level = "info";
  std::string log_format = "text";
};

// Parses "127.0.0.1:0", "[::1]:8470", "localhost:8470".
Result<std::pair<std::string, std::uint16_t>> parse_listen(std::string_view text);

// Makes paths absolute. Without a state folder the default one is used.
Result<ServeOptions> serve_options(const ServeArguments& arguments, const EnvironmentReader& environment);

}  // namespace ym::cli
