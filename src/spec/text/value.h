// Value: a document before it is interpreted. Made from YAML or JSON, read by the decoders, which do not see a
// difference between the two.
//
// Scalars keep their spelling, so that `LR: 1e-5` reaches a job's environment as "1e-5". Numbers are read only if a
// number is expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ym::spec {

struct Value {
  enum class Kind : std::uint8_t { null, boolean, number, string, list, map };
  Kind kind = Kind::null;
  std::string text;               // scalars: original spelling, without quotes
  std::vector<std::string> keys;  // map: unique, in order of appearance; parallel to items
  std::vector<Value> items;       // list and map
  int line = 0;                   // counts from 1; 0: unknown (JSON)

  bool is_scalar() const { return kind != Kind::list && kind != Kind::map; }
};

inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxValues = 100'000;
inline constexpr std::size_t kMaxDocuments = 1'000;

// All documents that are not empty. Scalars follow the core schema of YAML 1.2: `on` and `yes` are strings, 1e-5 is a
// number, quoted text is a string. Refuses aliases, anchors, tags, duplicate keys, invalid UTF-8, NUL, and anything
// beyond the bounds above (`too_large` for the text, otherwise `invalid`).
Result<std::vector<Value>> read_yaml(std::string_view text);

// Exactly one JSON value. Refuses the same.
Result<Value> read_json(std::string_view text);

}  // namespace ym::spec
