// Options of `ym history`. The command line fills them in; src/archive acts on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ym {

struct HistoryOptions {
  enum class Wanted : std::uint8_t { segments, jobs, events, verify };
  Wanted wanted = Wanted::segments;
  std::string folder;                  // of segments
  std::string job;                     // an id or a name; empty: all
  std::string user;                    // empty: all
  std::optional<std::uint64_t> after;  // events after this one; segments before it are not read
  std::size_t limit = 1000;
};

}  // namespace ym
