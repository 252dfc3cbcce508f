# cmake -DINPUT=openapi.json -DOUTPUT=openapi.cc -P embed.cmake
#
# Compilers need not take string literals over 64 KiB, so the text is cut into pieces
# that the program joins. Line breaks and indents stay behind.
file(READ "${INPUT}" text)
string(REGEX REPLACE "\n *" "" text "${text}")
string(LENGTH "${text}" length)
set(literals "")
set(begin 0)
while(begin LESS length)
  string(SUBSTRING "${text}" ${begin} 8192 piece)
  string(APPEND literals "      R\"openapi(${piece})openapi\",\n")
  math(EXPR begin "${begin} + 8192")
endwhile()
file(WRITE "${OUTPUT}" "#include \"api/openapi.h\"

#include <initializer_list>
#include <string>

namespace ym::api {
namespace {

std::string join() {
  constexpr std::string_view kPieces[] = {
${literals}  };
  std::string text;
  for (const std::string_view piece : kPieces) text += piece;
  return text;
}

}  // namespace

std::string_view openapi_document() {
  static const std::string text = join();
  return text;
}

}  // namespace ym::api
")
