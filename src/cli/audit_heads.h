// Kept heads of the audit log: signed notes in a file (C2SP signed-note), as `ym serve --audit-heads` writes them, or
// lines of a syslog server that end with {"note": NOTE}.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"

namespace ym::cli {

// The chain, in hexadecimal digits, by the last sealed event.
using KeptHeads = std::map<std::int64_t, std::string>;

// `key`: verifies the signature of each note, "yardmaster+HASH+KEY"; empty: signatures do not count. Skips notes that
// were not written to their end, also of a signature that was cut. Errors: `invalid`: there is no head, or a note is
// not one; `conflict`: a signature is wrong, or two heads of one event differ.
Result<KeptHeads> read_heads(const std::string& path, const std::string& key);

}  // namespace ym::cli
