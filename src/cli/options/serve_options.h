// Options of `ym serve`. The command line fills them in; apps/ym acts on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace ym {

struct ServeOptions {
  std::string state;                      // absolute folder of all durable data
  std::string config;                     // absolute path of the configuration file; empty: none
  std::string listen_host = "127.0.0.1";  // an IP address
  std::uint16_t listen_port = 8470;       // 0: any free port
  std::string socket;                     // absolute path of a Unix socket to listen at, too; empty: none
  // "https://ym.example:8470": address of this server for other machines; empty: the one that it listens at
  std::string advertise_url;
  std::string tls_cert, tls_key;  // absolute; PEM. Empty: no TLS, unless self-signed
  std::string tls_client_ca;      // absolute; authorities of clients' certificates; empty: none are asked for
  std::string tls_ca;             // absolute; the authority of tls_cert, if systems do not know it; empty: they do
  bool tls_self_signed = false;   // a certificate that the server makes for itself in `state`
  std::vector<std::string> trusted_proxies{};  // addresses or networks; see HttpOptions
  bool has_tls() const { return tls_self_signed || !tls_cert.empty(); }
  std::string store;                        // "postgresql://USER@HOST:PORT/DATABASE"; empty: SQLite in `state`
  std::string store_schema = "yardmaster";  // schema in that database
  std::string port_file;                    // absolute; empty: none. Written when the server is ready
  std::optional<Duration> idle_exit;        // end after this time without a live job or a request
  std::uint64_t record_bytes = 0;           // keep at most this size of recorded decisions; 0: record nothing
  Duration seal_every = minutes(1);         // for how long events wait for a seal of the audit log
  std::string history;                      // absolute; folder of segments; empty: `history` in the state folder
  std::vector<std::string> audit_heads{};  // places for signed heads of the audit log (net::parse_sink); files absolute
  std::string audit_heads_ca;              // absolute; authorities of these places, PEM; empty: the system's
  std::string audit_heads_token;           // absolute; file with a bearer token for those of them that are URLs
  bool init = false;                       // make a new state if the folder has none
  bool take_over = false;                  // serve a state that is a copy, or that was restored from one
  std::string log_level = "info";          // trace debug info warn error off
  std::string log_format = "text";         // text json
};

}  // namespace ym
