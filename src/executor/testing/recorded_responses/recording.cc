#include "executor/testing/recorded_responses/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <numeric>

#include "base/whole_number.h"

namespace ym::recorded {
namespace {

constexpr int kDeepest = 4;

std::pair<std::string, std::string> cut_word(std::string_view text) {
  const auto end = std::min(text.find(' '), text.size());
  const auto rest = std::min(text.find_first_not_of(' ', end), text.size());
  return {std::string(text.substr(0, end)), std::string(text.substr(rest))};
}

// "64MiB", "1GiB", "100".
std::optional<std::uint64_t> size_of(std::string_view text) {
  std::uint64_t unit = 1;
  for (const auto& [name, bytes] : {std::pair{"GiB", 1U << 30U}, {"MiB", 1U << 20U}, {"KiB", 1U << 10U}})
    if (text.ends_with(name)) {
      text.remove_suffix(3);
      unit = bytes;
      break;
    }
  const auto number = whole_number<std::uint64_t>(text);
  return number ? std::optional(*number * unit) : std::nullopt;
}

bool take_number(std::string_view text, std::optional<std::size_t>& into) {
  into = size_of(text);
  return into.has_value();
}

bool take_header(RecordedResponse& response, const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return false;
  response.headers[text.substr(0, colon)] = text.substr(colon + 1);
  return true;
}

// Reads one word after a status. False: unknown.
bool take_way(RecordedResponse& response, const std::string& word) {
  const auto equals = word.find('=');
  const auto name = word.substr(0, equals);
  const auto value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
  if (name == "stream") return response.way = RecordedResponse::Way::stream, true;
  if (name == "ended") return response.way = RecordedResponse::Way::ended, true;
  if (name == "never") return response.way = RecordedResponse::Way::never, true;
  if (name == "then") return response.then = value, !value.empty();
  if (name == "type") return response.headers["Content-Type"] = value, true;
  if (name == "header") return take_header(response, value);
  if (name == "cut") return take_number(value, response.cut);
  if (name == "length") return take_number(value, response.length);
  if (name == "fill") return response.fill = size_of(value).value_or(0), response.fill > 0;
  if (name != "delay") return false;
  const auto delay = parse_duration(value);
  if (delay) response.delay = *delay;
  return delay.has_value();
}

class Reader {
 public:
  explicit Reader(Recording& recording) : recording_(recording) {}

  Result<void> read(const std::filesystem::path& file, int depth) {
    std::ifstream in(file);
    if (!in || depth > kDeepest) return fail(ErrorCode::io, fmt::format("{}: cannot be read", file.string()));
    std::string phase, line;
    bool in_body = false;
    for (int number = 1; std::getline(in, line); ++number) {
      if (line.starts_with("# ") || line == "#") continue;
      if (take(file, line, phase, in_body, depth)) continue;
      return fail(ErrorCode::invalid, fmt::format("{}:{}: makes no sense: {}", file.string(), number, line));
    }
    return {};
  }

 private:
  bool take(const std::filesystem::path& file, const std::string& raw, std::string& phase, bool& in_body, int depth) {
    const auto line = filled(raw);
    if (line.starts_with("== ")) return phase = line.substr(3), in_body = false, !phase.empty();
    if (line.starts_with("> ")) {
      recording_.exchanges.push_back({.phase = phase, .question = line.substr(2), .depth = depth});
      return in_body = false, true;
    }
    if (line.starts_with("< ")) return in_body = begin_response(line.substr(2), depth), in_body;
    if (in_body) return add(line), true;
    return line.empty() || take_word(file, line, depth);
  }

  bool take_word(const std::filesystem::path& file, const std::string& line, int depth) {
    const auto [word, rest] = cut_word(line);
    if (rest.empty()) return false;
    if (word == "include") return read(file.parent_path() / rest, depth + 1).has_value();
    if (word == "let") {
      const auto [name, value] = cut_word(rest);
      return words_["$(" + name + ")"] = value, !value.empty();
    }
    if (word == "fault") return keep(depth, recording_.fault, rest);
    return word == "expect" && keep(depth, recording_.expect, rest);
  }

  static bool keep(int depth, std::string& into, const std::string& text) {
    if (depth == 0) into += into.empty() ? text : " " + text;
    return true;
  }

  bool begin_response(const std::string& line, int depth) {
    if (recording_.exchanges.empty() || recording_.exchanges.back().depth != depth) return false;
    auto [first, rest] = cut_word(line);
    const auto status = whole_number<int>(first);
    if (!status) return false;
    RecordedResponse response{
        .status = *status, .body = {}, .errors = {}, .delay = {}, .cut = {}, .length = {}, .then = {}};
    while (!rest.empty()) {
      auto [word, more] = cut_word(rest);
      if (!take_way(response, word)) return false;
      rest = std::move(more);
    }
    recording_.exchanges.back().responses.push_back(std::move(response));
    blank_.clear();
    return true;
  }

  // Empty lines at the end of a body separate it from what follows.
  void add(const std::string& line) {
    auto& response = recording_.exchanges.back().responses.back();
    if (line.empty()) {
      blank_ += '\n';
      return;
    }
    if (line.starts_with("! ")) {
      response.errors += line.substr(2) + "\n";
      return;
    }
    response.body += std::exchange(blank_, {}) + line + "\n";
  }

  std::string filled(std::string line) const {
    // A value may itself contain such names.
    for (int round = 0; round < kDeepest && line.find("$(") != std::string::npos; ++round)
      for (const auto& [name, value] : words_)
        for (auto at = line.find(name); at != std::string::npos; at = line.find(name, at + value.size()))
          line.replace(at, name.size(), value);
    return line;
  }

  Recording& recording_;
  std::map<std::string, std::string> words_;
  std::string blank_;
};

}  // namespace

bool Recording::has_phase(std::string_view phase) const {
  return phase.empty() || std::ranges::find(exchanges, phase, &Exchange::phase) != exchanges.end();
}

std::vector<std::size_t> Recording::in_order(std::string_view phase) const {
  std::vector<std::size_t> places(exchanges.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::erase_if(places, [&](std::size_t at) { return !exchanges[at].phase.empty() && exchanges[at].phase != phase; });
  std::ranges::sort(places, {},
                    [&](std::size_t at) { return std::tuple{exchanges[at].depth, exchanges[at].phase.empty(), at}; });
  return places;
}

std::optional<std::size_t> Recording::find(std::string_view phase, std::string_view question) const {
  for (const auto at : in_order(phase))
    if (matches(exchanges[at].question, question)) return at;
  return std::nullopt;
}

Result<Recording> read_recording(const std::filesystem::path& file) {
  Recording recording;
  Reader reader{recording};
  if (auto read = reader.read(file, 0); !read) return std::unexpected(read.error());
  if (recording.fault.empty() || recording.expect.empty())
    return fail(ErrorCode::invalid, fmt::format("{}: says neither the fault nor what is expected", file.string()));
  for (const auto& exchange : recording.exchanges)
    if (exchange.responses.empty())
      return fail(ErrorCode::invalid, fmt::format("{}: no answer to {}", file.string(), exchange.question));
  return recording;
}

bool matches(std::string_view pattern, std::string_view question) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == question;
  if (!question.starts_with(pattern.substr(0, star))) return false;
  const auto rest = pattern.substr(star + 1);
  for (auto at = star; at <= question.size(); ++at)
    if (matches(rest, question.substr(at))) return true;
  return false;
}

}  // namespace ym::recorded
