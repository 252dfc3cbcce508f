// What `ym serve` was asked to do. The command line fills it in; the program that wires
// the server (apps/ym) acts on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace ym {

struct ServeOptions {
  std::string state;                      // absolute folder; everything durable lives there
  std::string config;                     // absolute path of the configuration file; empty: none
  std::string listen_host = "127.0.0.1";  // an IP address
  std::uint16_t listen_port = 8470;       // 0: any free one
  // "https://ym.example:8470": how machines of other clusters reach this server; empty: as this one does
  std::string advertise_url;
  std::string store;                        // "postgresql://USER@HOST:PORT/DATABASE"; empty: SQLite in `state`
  std::string store_schema = "yardmaster";  // where in that database
  std::string port_file;                    // absolute; empty: none. Written when the server is ready
  std::optional<Duration> idle_exit;        // leave when nothing lived or was asked for so long
  std::uint64_t record_bytes = 0;           // of what decisions were made of so much is kept; 0: nothing is recorded
  bool init = false;                        // make a new state where the folder has none
  bool take_over = false;                   // go on with a state that is a copy, or was put back from one
  std::string log_level = "info";           // trace debug info warn error off
  std::string log_format = "text";          // text json
};

}  // namespace ym
