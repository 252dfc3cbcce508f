// ProgressScanner: finds progress reports in the output of a task.
//
// A report is a line "YM_PROGRESS {...}", which may arrive in any number of pieces. Progress bars do not end their
// line, and loggers and launchers write prefixes. So the mark also counts in the middle of a line, if the whole rest of
// the line is an object in braces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ym::local {

class ProgressScanner {
 public:
  // Takes the next piece of output. Returns the reports that are complete now, each cut at kMaxReport + 1 bytes.
  std::vector<std::string> scan(std::string_view piece);
  // At the end of the output: a last line without a newline.
  std::vector<std::string> finish();

 private:
  std::string_view look_for_mark(std::string_view piece);
  std::string_view collect(std::string_view piece);
  void complete();

  std::string tail_;    // end of the output so far that may begin a mark
  char before_ = '\n';  // the byte before tail_, or before the next piece
  bool collecting_ = false;
  bool at_line_start_ = false;  // the mark of the report that is being collected was at a line start
  bool cut_ = false;
  std::string report_;
  std::vector<std::string> found_;
};

}  // namespace ym::local
