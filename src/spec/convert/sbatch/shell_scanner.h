// Quotes, comments and here-documents of a script, line by line.
#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace ym::convert {

class ShellScanner {
 public:
  struct Line {
    std::string code, expanded;  // as in ShellLine
  };
  Line scan(std::string_view text);

 private:
  struct HereDocument {
    std::string end;
    bool indented = false;  // <<-
    bool literal = false;   // its end is quoted, so the shell expands nothing
  };
  // Open quotes and parentheses; the innermost is the last.
  bool within(char what) const { return open_.ends_with(what); }
  bool begins_comment(std::string_view text, std::size_t at) const;
  void scan_character(std::string_view text, std::size_t& at, Line& line);
  void open_or_close(std::string_view text, std::size_t at);
  void find_here_document(std::string_view text, std::size_t at);
  Line scan_here_document(std::string_view text);

  std::string open_;
  std::deque<HereDocument> here_;  // here-documents with lines still to come
};

}  // namespace ym::convert
