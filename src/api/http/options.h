// Options and limits of the HTTP server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/loopback.h"
#include "base/time.h"

namespace ym::login {
class Desk;
}

namespace ym {

struct HttpLimits {
  std::size_t body_bytes = std::size_t{1} << 20;
  std::size_t header_bytes = std::size_t{16} << 10;  // request line included
  std::size_t header_fields = 100;
  std::size_t target_bytes = 4096;
  // Each remote task keeps one, and a second one for moments. By TLS one takes 70 KiB.
  std::size_t connections = 16'384;
  std::size_t streams = 512;  // event feeds and followed logs at once
  // Bytes of request bodies and answers that are in memory at once, over all connections.
  std::size_t bytes_in_flight = std::size_t{96} << 20;
  // From a request's first byte to the end of its head. Deadlines are checked at intervals of a tenth of the shortest
  // one, so a busy machine, too, keeps to 10 s.
  Duration header_time = seconds(8);
  Duration body_time = seconds(30);
  Duration idle_time = seconds(60);   // between two requests of one connection
  Duration write_time = seconds(30);  // for each 256 KiB that the client reads
  Duration stop_time = seconds(3);    // for requests in progress when the server stops
  Duration heartbeat = seconds(15);   // a comment on a quiet event feed
};

// Files in PEM. With them the server speaks TLS only.
struct TlsFiles {
  std::string certificate;  // the server's own first, then those of its issuers
  std::string key;
  std::string client_ca;  // authorities of clients' certificates; empty: no client shows one
};

// The certificate that new connections get.
struct TlsCertificate {
  std::string fingerprint;  // "sha256:" and 64 hexadecimal digits
  Instant not_before, not_after;
};

struct HttpOptions {
  std::string address = "127.0.0.1";  // an IP address, or "localhost"
  std::uint16_t port = 0;             // 0: any free one
  std::string socket{};               // path of a Unix socket for clients of this machine, too; empty: none
  unsigned threads = 2;
  // Further names by which clients may reach the server (Host header). The address, and on loopback its usual names,
  // are always allowed. A port in a name is ignored.
  std::vector<std::string> allowed_hosts{};
  std::optional<TlsFiles> tls{};  // nothing: plain HTTP
  // Addresses, or networks like 10.0.0.0/8, of proxies. Plain HTTP is for them and for this machine only. Their
  // X-Forwarded-For names the client. Without TLS, an address off loopback needs one.
  std::vector<std::string> trusted_proxies{};
  std::shared_ptr<login::Desk> desk{};  // null: no provider, and no exchange of tokens
  HttpLimits limits{};
};

}  // namespace ym
