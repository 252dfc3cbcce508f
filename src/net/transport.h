// Transport: one connection to the server, as bytes. Private to net; Asio stays behind it.
//
// Threads: one at a time. After a failure nothing but destroying it makes sense.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "net/patience.h"
#include "net/tls.h"
#include "net/url.h"

namespace ym::net {

class Transport {
 public:
  virtual ~Transport() = default;
  // As soon as there is anything; at least one byte.
  virtual Io<std::size_t> read(std::span<char> into, const Patience& patience) = 0;
  virtual Io<void> write(std::string_view bytes, const Patience& patience) = 0;
  // Whether neither bytes nor an end have come that nobody read: between two requests, a connection which
  // is not quiet is not to be used again.
  virtual bool is_quiet() = 0;
};

// With the TLS handshake, where `tls` is not null (and lives as long). Each address of a name gets its share
// of the time.
Io<std::unique_ptr<Transport>> connect(const Address& address, const TlsContext* tls, const Patience& patience);

}  // namespace ym::net
