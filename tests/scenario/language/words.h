// A line of a scenario as words, taken one after the other.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace ym::testing {

// An error in a line, or an expectation that does not hold.
struct ScenarioError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Words end at spaces; "several words" in quotes are one; # begins a comment.
class Words {
 public:
  explicit Words(std::string_view line);

  bool done() const { return next_ == words_.size(); }
  // Empty at the end.
  std::string_view peek() const { return done() ? std::string_view() : words_[next_]; }
  // `what` is in the error if there is no word left.
  std::string take(std::string_view what);
  // Takes the word if it is this one.
  bool skip(std::string_view word);
  std::int64_t number(std::string_view what);
  std::int64_t thousandths(std::string_view what);
  std::int64_t bytes(std::string_view what);
  Duration duration(std::string_view what);
  // Since the beginning of the scenario.
  Instant time(std::string_view what);
  std::vector<std::string> list(std::string_view what);              // a,b,c
  std::map<std::string, std::string> labels(std::string_view what);  // key=value,key=value
  void end() const;                                                  // nothing may be left

 private:
  std::vector<std::string> words_;
  std::size_t next_ = 0;
};

std::vector<std::string> split(std::string_view text, char by);
// n[1-3] -> n1 n2 n3; a,b -> a b
std::vector<std::string> expand(const std::string& pattern);

}  // namespace ym::testing
