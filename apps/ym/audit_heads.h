// Heads of the audit log outside: signed notes, one after the other in a file.
//
// A note has the lines: origin, number of the last sealed event, the chain in base64, an empty line, and the signature
// (Ed25519). Format: C2SP signed-note, as of transparency logs. The key is DIR/audit.key (0600), made if it is missing.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "cli/options/serve_options.h"
#include "control/audit/seal.h"

namespace ym {

class AuditHeads {
 public:
  // Logs the public key. Errors: `io`; `corrupt`: the file does not hold a key.
  static Result<std::shared_ptr<AuditHeads>> open(const ServeOptions& options);

  // A failure is logged; the next head covers this one. One thread at a time.
  void append(const SealHead& head) const;

 private:
  AuditHeads(std::string file, std::string origin, Secret key)
      : file_(std::move(file)), origin_(std::move(origin)), key_(std::move(key)) {}

  const std::string file_, origin_;
  const Secret key_;  // raw bytes
};

}  // namespace ym
