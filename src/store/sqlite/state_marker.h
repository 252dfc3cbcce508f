// The marker of a state directory, DIR/yardmaster.state: it names itself and its place, so that a copy of the directory
// can be told from the original. Whoever copies it makes another file, with another inode and another time of birth.
//
// Its first line is for people and is all that older versions wrote. Then lines `key value`, `sum` last.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ym::sqlite {

inline constexpr std::string_view kMarker = "yardmaster.state";

// Where a state was when it was marked. Empty: not known.
struct Origin {
  std::filesystem::path directory;
  std::string machine;  // its machine id
};

// What a marker says of the directory that it lies in.
struct Marking {
  enum class Kind {
    none,      // there is no marker
    right,     // it is where it was written
    to_renew,  // of an older version, or the directory was renamed: it is the original
    copy,
  };
  Kind kind = Kind::none;
  Origin origin{};  // of a copy
};

// `dir`: absolute. `machine`: of this machine; empty: not known. Nothing is changed. Whatever lies in the marker's
// place and cannot be read as one (a pipe, a folder, a link) is a copy's; nobody waits for it.
Marking read_marking(const std::filesystem::path& dir, std::string_view machine);

// Marks `dir` as the original, in place of what its marker says. Durable when it returns success.
Result<void> write_marking(const std::filesystem::path& dir, std::string_view machine);

// The id in `file`; empty if it is not known, as in most containers.
std::string machine_id(const std::filesystem::path& file = "/etc/machine-id");

}  // namespace ym::sqlite
