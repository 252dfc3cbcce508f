#include "papers/spot/traces.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

namespace ym::sim::spot {
namespace {

namespace json = boost::json;

// A month of samples in each second would need less.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::int64_t kMostSeconds = 86'400, kMostNodes = 1'000'000;

struct CloseFile {
  void operator()(gzFile file) const { gzclose_r(file); }
};

std::unexpected<Error> refuse(const std::string& path, std::string_view why) {
  return fail(ErrorCode::invalid, fmt::format("{}: {}", path, why));
}

Result<std::string> read_text(const std::string& path) {
  const std::unique_ptr<gzFile_s, CloseFile> file(gzopen(path.c_str(), "rb"));
  if (!file) return fail(ErrorCode::io, fmt::format("cannot read the trace {}: {}", path, std::strerror(errno)));
  std::string text;
  std::array<char, 65'536> piece{};
  for (int got = 0; (got = gzread(file.get(), piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > kMostBytes) return refuse(path, "it unpacks to more than 64 MiB; this is no trace");
  }
  int code = Z_OK;
  const char* trouble = gzerror(file.get(), &code);
  if (code == Z_OK) return text;
  if (code == Z_BUF_ERROR) return refuse(path, "it is cut off: its gzip stream does not end");
  return fail(ErrorCode::io,
              fmt::format("cannot read the trace {}: {}", path, code == Z_ERRNO ? std::strerror(errno) : trouble));
}

// Nothing where it is no whole number from `least` to `most`.
std::optional<std::int64_t> whole_number(const json::value* value, std::int64_t least, std::int64_t most) {
  const std::int64_t* number = value == nullptr ? nullptr : value->if_int64();
  if (number == nullptr || *number < least || *number > most) return std::nullopt;
  return *number;
}

const json::value* member(const json::value* value, std::string_view name) {
  const json::object* object = value == nullptr ? nullptr : value->if_object();
  return object == nullptr ? nullptr : object->if_contains(name);
}

std::string trace_name(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return std::string(path.substr(0, path.find(".json")));
}

}  // namespace

Result<Trace> read_trace(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return std::unexpected(text.error());
  json::error_code error;
  const json::value document = json::parse(*text, error);
  if (error) return refuse(path, "it is no JSON: " + error.message());
  const auto seconds = whole_number(member(member(&document, "metadata"), "gap_seconds"), 1, kMostSeconds);
  if (!seconds) return refuse(path, "/metadata/gap_seconds has to be a whole number from 1 to 86400");
  const json::value* data = member(&document, "data");
  if (data == nullptr || !data->is_array() || data->get_array().empty())
    return refuse(path, "/data has to be a list of numbers of nodes");
  Trace trace{.name = trace_name(path), .tick_ms = *seconds * 1000, .nodes = {}};
  for (const json::value& one : data->get_array()) {
    const auto nodes = whole_number(&one, 0, kMostNodes);
    if (!nodes) return refuse(path, fmt::format("/data/{} is no number of nodes", trace.nodes.size()));
    trace.nodes.push_back(static_cast<int>(*nodes));
  }
  return trace;
}

}  // namespace ym::sim::spot
