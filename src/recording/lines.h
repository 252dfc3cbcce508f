// The lines of a recording: each is a JSON object with one member, named after the kind of line.
//
//   {"recording": {"format": 1, "version": ".."}}                             first
//   {"tables": {"last_seq": .., "last_id": .., "epoch": .., "last_time": ..}}  then the state at that time, row by row:
//   {"cluster": ..} {"node": ..} {"flavor": ..} {"queue": ..} {"reservation": ..} {"set_policy": ..} {"usage": ..}
//   {"spending": ..} {"spec": {"id": .., "spec": ..}} {"job": ..} {"attempt": ..}
//   {"policy": ..}                                                            the policy from here on
//   {"event": {"seq": .., "time": .., "type": "..", "actor": "..", "reason": "..", "payload": ..}}
//   {"decided": {"now": .., "version": .., "digest": "..", "decisions": [".."]}}
//   {"missed": 3}                                                             number of decisions that were not written
//
// Rows and payloads are as in model/json; times are milliseconds since 1970. A job's spec comes before the first line
// that refers to it.
#pragma once

#include <boost/json/value.hpp>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "control/engine_host/engine_feed.h"

namespace ym {

// A decision, in a form that can be compared.
struct DecidedLine {
  Instant now;
  std::uint64_t version = 0;           // the last event before it
  std::string digest;                  // of the whole plan's text, BLAKE2b
  std::vector<std::string> decisions;  // as text
  bool operator==(const DecidedLine&) const = default;
};
DecidedLine decided_line(Instant now, const engine::Plan& plan);

// Writes the lines of one segment; each ends with a line feed.
class LineWriter {
 public:
  std::string opening(const Tables& tables, const engine::Policy& policy, std::string_view version);
  std::string event(const Event& event);
  static std::string policy(const engine::Policy& policy);
  static std::string decided(const DecidedLine& line);
  static std::string missed(std::int64_t decisions);

 private:
  std::string spec(SpecId id, const JobSpec& spec);
  std::set<SpecId> known_;
};

// The member in the line of a named row. The row with settings has another name than the policy in force.
template <class Row>
constexpr std::string_view line_of() {
  return std::is_same_v<Row, PolicyRow> ? "set_policy" : Row::kRow;
}

// Whether the policy names a placement of earlier versions, which is read as fgd.
bool says_former_scoring(const boost::json::value& policy);

// Errors: `corrupt`; the message names what is missing.
Result<engine::Policy> read_policy(const boost::json::value& value);
Result<DecidedLine> read_decided(const boost::json::value& value);

}  // namespace ym
