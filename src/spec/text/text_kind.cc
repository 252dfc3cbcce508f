#include "spec/text/text_kind.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ym::spec {
namespace {

using namespace std::string_view_literals;

// The first that fits counts.
constexpr std::array kBeginnings{
    std::pair{"\x89PNG"sv, "a PNG image"sv},
    std::pair{"\xFF\xD8\xFF"sv, "a JPEG image"sv},
    std::pair{"GIF8"sv, "a GIF image"sv},
    std::pair{"%PDF-"sv, "a PDF document"sv},
    std::pair{"\x7F"
              "ELF"sv,
              "a compiled program"sv},
    std::pair{"\x1F\x8B"sv, "a gzip file"sv},
    std::pair{"\x28\xB5\x2F\xFD"sv, "a zstd file"sv},
    std::pair{"PK\x03\x04"sv, "a ZIP archive, as PyTorch saves"sv},
    std::pair{"\x93NUMPY"sv, "a NumPy array"sv},
    std::pair{"\x89HDF"sv, "an HDF5 file"sv},
    std::pair{"PAR1"sv, "a Parquet file"sv},
    std::pair{"SQLite format 3"sv, "an SQLite database"sv},
    std::pair{"\xFF\xFE"sv, "UTF-16 text"sv},
    std::pair{"\xFE\xFF"sv, "UTF-16 text"sv},
};

constexpr std::string_view kBlanks = " \t\r";

std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// The first line that is neither empty nor a comment.
std::string_view first_said(std::string_view text) {
  while (!text.empty()) {
    const auto line = take_line(text);
    const auto begin = line.find_first_not_of(kBlanks);
    if (begin != std::string_view::npos && line[begin] != '#') return line;
  }
  return {};
}

bool is_of_python(std::string_view line) {
  const bool imports = line.starts_with("import ") && !line.contains(':');
  return imports || (line.starts_with("from ") && line.contains(" import ")) || line.starts_with("def ") ||
         line.starts_with("class ") || line.starts_with("\"\"\"");
}

}  // namespace

std::optional<std::string> binary_kind(std::string_view text) {
  const auto found = std::ranges::find_if(kBeginnings, [&](const auto& one) { return text.starts_with(one.first); });
  return found == kBeginnings.end() ? std::nullopt : std::optional<std::string>(found->second);
}

std::optional<std::string> program_kind(std::string_view text) {
  constexpr auto kAdvice = "; start it by `ym run`, or name it in `run` of a job file";
  const auto first = text.substr(0, text.find('\n'));
  const bool is_script = first.starts_with("#!");
  if (text.contains("\n#SBATCH ")) return "a script for sbatch; `ym convert` makes a job file of it";
  if (is_of_python(first_said(text)) || (is_script && first.contains("python")))
    return std::string("a Python program") + kAdvice;
  return is_script && first.contains("sh") ? std::optional(std::string("a shell script") + kAdvice) : std::nullopt;
}

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

bool is_indented_by_tab(std::string_view text, int line) {
  for (int before = 1; before < line && !text.empty(); ++before) take_line(text);
  return text.substr(0, text.find_first_not_of(kBlanks)).contains('\t');
}

}  // namespace ym::spec
