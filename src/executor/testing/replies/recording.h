// A recording: what another system answers, question by question, as a file that people read and write.
//
//   lie      what is not so in these answers
//   expect   what an executor has to make of it
//   include  base.txt                       the answers of an honest one, for all that is not said here
//   let      row 101|train|RUNNING          $(row) stands for it from here on
//
//   > GET /api/v1/pods?limit=*              a question: METHOD and target, or a command and its words; * is anything
//   < 504 delay=100ms then=made             its first answer: HTTP status or exit status, and how it is given
//   {"kind":"Status"}                       the body, or standard output; "! " begins a line of standard error
//   < 201                                   its second answer; the last one is repeated
//   == made                                 what follows is answered in the phase `made` only
//
// Ways of an answer: delay=TIME; cut=N (the connection is closed after N bytes of the body); length=N (claimed
// instead of the real one); fill=SIZE (so much more behind the body, made as it is sent); type=TYPE;
// header=NAME:VALUE; stream (each line a piece, then held until its phase is over); ended (a stream that ends behind
// its lines); never (accepted, and not answered); then=PHASE (entered before it is answered).
//
// Which answer: those of the phase before those of none, and those of a file before those that it includes.
// A line that begins with "# " is a comment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace ym::replies {

struct RecordedReply {
  enum class Way : std::uint8_t { whole, stream, ended, never };
  int status = 200;
  std::string body, errors;
  std::map<std::string, std::string> headers{};
  Duration delay;
  std::optional<std::size_t> cut, length;
  std::uint64_t fill = 0;
  Way way = Way::whole;
  std::string then;
};

struct Exchange {
  std::string phase;  // empty: of all
  std::string question;
  std::vector<RecordedReply> replies{};
  int depth = 0;  // of includes
};

struct Recording {
  std::string lie, expect;
  std::vector<Exchange> exchanges;

  bool has_phase(std::string_view phase) const;
  // In the order in which they are tried, as places in `exchanges`.
  std::vector<std::size_t> in_order(std::string_view phase) const;
  // Nothing: it has no answer.
  std::optional<std::size_t> find(std::string_view phase, std::string_view question) const;
};

// Errors: `io`, `invalid`, with file and line.
Result<Recording> read_recording(const std::filesystem::path& file);

bool matches(std::string_view pattern, std::string_view question);

}  // namespace ym::replies
