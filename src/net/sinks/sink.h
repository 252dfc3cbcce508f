// Sink: one place that takes records: a syslog server, a URL or a file.
//
// A record arrives at least once: after a failure it is unknown which of a batch have arrived, so the caller gives the
// whole batch again. What counts as a receipt:
// - syslog has none. So each batch has a connection of its own, and it has arrived when the server closes that
//   connection after we have said that nothing more comes: it has read everything.
// - a URL gets a batch as the body of one POST, a record a line, and answers with 2xx.
// - a file was written, and is on the disk.
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "net/http_client.h"
#include "net/sinks/sink_address.h"

namespace ym::net {

struct SinkOptions {
  std::string address;                                // as parse_sink takes it
  std::string ca_file;                                // PEM, for TLS; empty: the system's authorities
  std::string token_file;                             // bearer token for URLs, read anew for each batch; empty: none
  std::string kind;                                   // of the records, for syslog: "audit"
  std::string content_type = "application/x-ndjson";  // for URLs
};

struct SinkRecord {
  std::string time;  // RFC 3339
  std::string text;  // without a line's end; UTF-8
};

class Sink {
 public:
  // Connects later. Errors: `invalid`: the address, the authorities, or a token file that cannot be read; a file that
  // cannot be written.
  static Result<Sink> open(const SinkOptions& options);

  // Waits for half a minute at most; `keep_going`, if it is not empty, ends that. Errors: `unavailable`: try again.
  // Others do not go away by themselves: `forbidden`: the URL's server refuses the token; `invalid`, `too_large`: it
  // refuses the records.
  Result<void> send(std::span<const SinkRecord> records, const std::function<bool()>& keep_going = {},
                    const Cancel& cancel = {}) const;

  const SinkAddress& address() const { return address_; }

  Sink(Sink&&) noexcept;
  Sink& operator=(Sink&&) noexcept;
  ~Sink();

 private:
  struct Way;
  Sink(SinkAddress address, std::unique_ptr<Way> way);

  SinkAddress address_;
  std::unique_ptr<Way> way_;
};

}  // namespace ym::net
