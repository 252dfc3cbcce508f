// ValueBuilder: builds a Value from a parser's events and checks the bounds that both languages share: depth, number
// of values, no duplicate keys, no NUL.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "spec/text/value.h"

namespace ym::spec {

// Thrown through the parsers, caught by read_yaml and read_json.
struct Refused {
  int line = 0;
  std::string message;
  std::string pointer{};  // place of the error; empty: unknown
};

class ValueBuilder {
 public:
  void scalar(Value::Kind kind, std::string text, int line);
  // Opens a map or a list; `end` closes the innermost one.
  void begin(Value::Kind kind, int line);
  void key(std::string text, int line);
  void end();

  // Whether the innermost open value is a map that needs its next key.
  bool wants_key() const;
  // Precondition: each begun value has ended, and there is at least one.
  Value take();

 private:
  struct Open {
    Value value;
    std::unordered_set<std::string> seen;
  };
  void place(Value value);
  void count(int line);
  // The JSON pointer of the innermost open value.
  std::string pointer() const;

  std::vector<Open> open_;
  Value root_;
  std::size_t values_ = 0;
};

}  // namespace ym::spec
