// Notes: a few words of the administrators, each under a name.
#pragma once

#include <string>
#include <string_view>

namespace ym {

struct Note {
  static constexpr std::string_view kTable = "notes", kRow = "note";
  static constexpr bool kConcernsEngine = false;
  std::string name;
  std::string text;
  bool operator==(const Note&) const = default;
};

}  // namespace ym
