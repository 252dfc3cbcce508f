// The marker of a state directory, DIR/yardmaster.state. It names its own inode and its place, so that a copy of the
// directory is distinguished from the original: the file in a copy has another inode and another time of birth.
//
// The first line is a text for users. Older versions wrote nothing else. Then come lines `key value`, `sum` last.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ym::sqlite {

inline constexpr std::string_view kMarker = "yardmaster.state";

// Where a state was when it was marked. Empty: unknown.
struct Origin {
  std::filesystem::path directory;
  std::string machine;  // the machine id
};

// What a marker says about its directory.
struct Marking {
  enum class Kind {
    none,      // there is no marker
    right,     // the directory is where it was marked
    to_renew,  // an older version marked it, or it was renamed: it is the original
    copy,
  };
  Kind kind = Kind::none;
  Origin origin{};  // the original of a copy
};

// `dir`: absolute. `machine`: this machine's id; empty: unknown. Nothing is changed. If the marker's path is something
// that cannot be read as a marker (a pipe, a folder, a link), the directory counts as a copy. Never waits for a pipe.
Marking read_marking(const std::filesystem::path& dir, std::string_view machine);

// Marks `dir` as the original and replaces an old marker. Durable when it returns success.
Result<void> write_marking(const std::filesystem::path& dir, std::string_view machine);

// The id in `file`; empty if it is unknown, as in most containers.
std::string machine_id(const std::filesystem::path& file = "/etc/machine-id");

}  // namespace ym::sqlite
