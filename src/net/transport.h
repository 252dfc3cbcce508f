// Transport: one connection to the server, as bytes. Private to net. It hides Asio.
//
// Threads: one at a time. After a failure only destroy it.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "net/tls.h"
#include "net/url.h"
#include "net/wait_limit.h"

namespace ym::net {

class Transport {
 public:
  virtual ~Transport() = default;
  // Returns as soon as there is at least one byte.
  virtual Io<std::size_t> read(std::span<char> into, const WaitLimit& wait_limit) = 0;
  virtual Io<void> write(std::string_view bytes, const WaitLimit& wait_limit) = 0;
  // Says that nothing more comes, and waits until the server has closed the connection, too: it has then read all.
  // What it sends meanwhile is dropped. Afterwards only destroy it.
  virtual Io<void> finish(const WaitLimit& wait_limit) = 0;
  // False if the server has sent bytes that were not read, or has closed the connection. Such a connection must not be
  // used for another request.
  virtual bool is_quiet() = 0;
};

// Includes the TLS handshake if `tls` is not null. `tls` must outlive the transport. Each address of a name gets its
// share of the time.
Io<std::unique_ptr<Transport>> connect(const Address& address, const TlsContext* tls, const WaitLimit& wait_limit);

}  // namespace ym::net
