// ValueBuilder: makes a Value out of a parser's events and holds the bounds that both
// languages share: depth, number of values, no duplicate keys, no NUL.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "spec/value.h"

namespace ym::spec {

// Thrown through the parsers, caught by read_yaml and read_json.
struct Refused {
  int line = 0;
  std::string message;
  std::string pointer{};  // where it stands; empty: not known
};

class ValueBuilder {
 public:
  void scalar(Value::Kind kind, std::string text, int line);
  // A map or a list; `end` closes the innermost.
  void begin(Value::Kind kind, int line);
  void key(std::string text, int line);
  void end();

  // The innermost open thing is a map that waits for its next key.
  bool wants_key() const;
  // Precondition: everything that was begun has ended, and there was something.
  Value take();

 private:
  struct Open {
    Value value;
    std::unordered_set<std::string> seen;
  };
  void place(Value value);
  void count(int line);
  // The JSON pointer of the innermost open thing.
  std::string pointer() const;

  std::vector<Open> open_;
  Value root_;
  std::size_t values_ = 0;
};

}  // namespace ym::spec
