#include "sim/workload/table_reader.h"

#include <csv.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace ym::sim {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 20;
// Numbers as text are compressed to between a fifth and a twentieth. A file with a far better ratio is not a trace.
constexpr std::int64_t kMostUnpacked = 1000, kUnpackedAnyway = std::int64_t{64} << 20;

struct CloseFile {
  void operator()(gzFile file) const { gzclose_r(file); }
};

struct Parser : csv_parser {
  Parser() { csv_init(this, CSV_STRICT | CSV_STRICT_FINI); }
  ~Parser() { csv_free(this); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
};

char delimiter_of(std::string_view line) {
  for (const char one : {'\t', '|'})
    if (line.contains(one)) return one;
  return ',';
}

}  // namespace

struct TableReader::Impl {
  std::string path;
  std::unique_ptr<gzFile_s, CloseFile> file;
  std::int64_t size = 0;  // of the file
  Parser parser;
  std::string line;           // the last line, with its end
  std::int64_t lines = 0;     // so far
  std::int64_t unpacked = 0;  // so far, in bytes
  std::size_t row_bytes = 0;  // bytes read since the last row
  std::size_t columns = 0;    // of the first row
  std::vector<std::string> fields;
  bool row_is_whole = false;

  std::unexpected<Error> refuse(std::string_view why) const {
    return fail(ErrorCode::invalid,
                lines == 0 ? fmt::format("{}: {}", path, why) : fmt::format("{}:{}: {}", path, lines, why));
  }

  Result<bool> read_line();
  Result<void> check_line() const;
  Result<bool> feed();
};

// Reads up to a line feed. False at the end.
Result<bool> TableReader::Impl::read_line() {
  line.clear();
  std::array<char, 4096> piece{};
  for (auto at = gztell(file.get()); gzgets(file.get(), piece.data(), piece.size()) != nullptr;) {
    const auto begun = std::exchange(at, gztell(file.get()));
    line.append(piece.data(), static_cast<std::size_t>(at - begun));
    if (line.back() == '\n' || line.size() > kLongestLine) break;
  }
  int code = Z_OK;
  const char* problem = gzerror(file.get(), &code);
  if (code != Z_OK && code != Z_BUF_ERROR) return refuse(code == Z_ERRNO ? std::strerror(errno) : problem);
  if (code == Z_BUF_ERROR) return refuse("it is cut off: its gzip stream does not end");
  if (line.empty()) return false;
  lines += 1;
  row_bytes += line.size();
  unpacked += static_cast<std::int64_t>(line.size());
  if (lines == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  if (auto checked = check_line(); !checked) return std::unexpected(checked.error());
  return true;
}

Result<void> TableReader::Impl::check_line() const {
  if (lines == 1 && (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")))
    return refuse("this is UTF-16; write it as UTF-8");
  if (line.contains('\0')) return refuse("it contains a NUL, so it is not text");
  if (row_bytes > kLongestLine) return refuse("the row has more than 1 MiB");
  if (unpacked > kUnpackedAnyway && unpacked > kMostUnpacked * std::max<std::int64_t>(size, 1))
    return refuse(fmt::format("it unpacks to more than {} times its size, so it is not a trace", kMostUnpacked));
  return {};
}

// Whether the row is complete after this line.
Result<bool> TableReader::Impl::feed() {
  const auto take_field = [](void* text, std::size_t length, void* self) {
    static_cast<Impl*>(self)->fields.emplace_back(static_cast<const char*>(text), length);
  };
  const auto take_row = [](int, void* self) { static_cast<Impl*>(self)->row_is_whole = true; };
  row_is_whole = false;
  if (csv_parse(&parser, line.data(), line.size(), take_field, take_row, this) != line.size())
    return refuse("a quotation mark is not allowed there");
  if (row_is_whole || line.find_first_not_of(" \t\r\n") == std::string::npos) row_bytes = 0;
  return row_is_whole;
}

TableReader::TableReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;
TableReader::~TableReader() = default;

Result<TableReader> TableReader::open(const std::string& path) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->file.reset(gzopen(path.c_str(), "rb"));
  struct stat about{};
  if (!impl->file || ::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode))
    return fail(ErrorCode::invalid, fmt::format("cannot read the trace {}: {}", path,
                                                S_ISDIR(about.st_mode) ? "it is a folder" : std::strerror(errno)));
  impl->size = about.st_size;
  // The first line with content is read now, and parsed with the first row.
  for (;;) {
    auto more = impl->read_line();
    if (!more) return std::unexpected(more.error());
    if (!*more) return impl->refuse("it is empty");
    if (impl->line.find_first_not_of(" \t\r\n") != std::string::npos) break;
    impl->row_bytes = 0;
  }
  csv_set_delim(&impl->parser, static_cast<unsigned char>(delimiter_of(impl->line)));
  return TableReader(std::move(impl));
}

Result<std::optional<TableReader::Row>> TableReader::next() {
  Impl& in = *impl_;
  Row row{.line = in.lines, .fields = {}};
  const bool first = in.columns == 0;  // open() has read its line
  in.fields.clear();
  for (bool fresh = first;; fresh = false) {
    if (!fresh) {
      auto more = in.read_line();
      if (!more) return std::unexpected(more.error());
      if (!*more && csv_fini(&in.parser, nullptr, nullptr, nullptr) == 0) return std::nullopt;
      if (!*more) return in.refuse("a quotation mark is not closed");
    }
    if (in.fields.empty()) row.line = in.lines;
    if (!in.line.ends_with('\n')) in.line += '\n';
    auto whole = in.feed();
    if (!whole) return std::unexpected(whole.error());
    if (*whole) break;
  }
  if (first) in.columns = in.fields.size();
  if (in.fields.size() != in.columns)
    return in.refuse(fmt::format("there are {} fields, but {} in the first row", in.fields.size(), in.columns));
  row.fields = std::move(in.fields);
  return row;
}

const std::string& TableReader::path() const { return impl_->path; }

double TableReader::read_share() const {
  return impl_->size == 0
             ? 1
             : std::min(1.0, static_cast<double>(gzoffset(impl_->file.get())) / static_cast<double>(impl_->size));
}

}  // namespace ym::sim
