// ProgressScanner: finds reports in what a task writes.
//
// A report is a line "YM_PROGRESS {...}", which may come in any number of pieces. Progress
// bars leave their line open, and loggers and launchers put words in front: the mark is also
// seen in the middle of a line, if all behind it is an object in braces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ym::local {

class ProgressScanner {
 public:
  // Takes the next piece of output. Returns what has become whole, cut at kMaxReport + 1 bytes.
  std::vector<std::string> scan(std::string_view piece);
  // At the end of the output: a last line without its newline.
  std::vector<std::string> finish();

 private:
  std::string_view look_for_mark(std::string_view piece);
  std::string_view collect(std::string_view piece);
  void complete();

  std::string tail_;    // of the output so far: perhaps the beginning of a mark
  char before_ = '\n';  // the byte in front of tail_, or of what comes next
  bool collecting_ = false;
  bool at_line_start_ = false;  // of the mark behind which it is collected
  bool cut_ = false;
  std::string report_;
  std::vector<std::string> found_;
};

}  // namespace ym::local
