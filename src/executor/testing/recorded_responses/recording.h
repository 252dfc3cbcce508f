// A recording: answers of another system, request by request, in a file for people to read and write.
//
//   fault    what is wrong in these answers
//   expect   what an executor must conclude
//   include  base.txt                       correct answers, for all requests that this file does not have
//   let      row 101|train|RUNNING          $(row) stands for this text from here on
//
//   > GET /api/v1/pods?limit=*              a request: METHOD and target, or a command with its words; * is any text
//   < 504 delay=100ms then=made             its first answer: HTTP status or exit status, and how it is sent
//   {"kind":"Status"}                       the body, or standard output; "! " begins a line of standard error
//   < 201                                   its second answer; the last one is repeated
//   == made                                 the following answers are for the phase `made` only
//
// How an answer is sent: delay=TIME; cut=N (closes the connection after N bytes of the body); length=N (announced in
// place of the real length); fill=SIZE (this much more after the body, generated while it is sent); type=TYPE;
// header=NAME:VALUE; stream (each line is a piece; then the connection stays open until its phase ends); ended (a
// stream that ends after its lines); never (accepted, and not answered); then=PHASE (entered before the answer is
// sent).
//
// Which answer is sent: one for the current phase before one for all phases, and one in a file before one in a file
// that it includes. A line that begins with "# " is a comment.
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

namespace ym::recorded {

struct RecordedResponse {
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
  std::string phase;  // empty: all phases
  std::string question;
  std::vector<RecordedResponse> responses{};
  int depth = 0;  // of includes
};

struct Recording {
  std::string fault, expect;
  std::vector<Exchange> exchanges;

  bool has_phase(std::string_view phase) const;
  // Indices of `exchanges` in the order in which they are tried.
  std::vector<std::size_t> in_order(std::string_view phase) const;
  // Empty: there is no answer.
  std::optional<std::size_t> find(std::string_view phase, std::string_view question) const;
};

// Errors: `io`, `invalid`, with file and line.
Result<Recording> read_recording(const std::filesystem::path& file);

bool matches(std::string_view pattern, std::string_view question);

}  // namespace ym::recorded
