// Heads of the audit log outside: signed notes, to files, syslog servers and URLs.
//
// A note has the lines: origin, number of the last sealed event, the chain in base64, an empty line, and the signature
// (Ed25519). Format: C2SP signed-note, as of transparency logs. The key is DIR/audit.key (0600), made if it is missing.
// Files and URLs get the note itself. A message of syslog is one line, so it is the JSON object {"note": NOTE}.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "cli/options/serve_options.h"
#include "control/audit/seal.h"
#include "net/sinks/sink_queue.h"

namespace ym {

class AuditHeads {
 public:
  // Logs the public key. Errors: `invalid`: a place that cannot be used; `io`; `corrupt`: the file does not hold a key.
  static Result<std::shared_ptr<AuditHeads>> open(const ServeOptions& options);

  // Does not wait for the places. A failure is logged; the next head covers this one. One thread at a time.
  void append(const SealHead& head, Instant now) const;

 private:
  struct Place {
    bool takes_lines = false;  // of one line each: syslog
    std::unique_ptr<net::SinkQueue> queue;
  };
  AuditHeads(std::vector<Place> places, std::string origin, Secret key)
      : places_(std::move(places)), origin_(std::move(origin)), key_(std::move(key)) {}
  static Result<Place> open_place(const ServeOptions& options, const std::string& address);

  const std::vector<Place> places_;
  const std::string origin_;
  const Secret key_;  // raw bytes
};

}  // namespace ym
