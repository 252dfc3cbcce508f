#include "recording/segment_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

#include "model/json/codec.h"

namespace ym {
namespace {

namespace bj = boost::json;  // json is ours

struct CloseRead {
  void operator()(gzFile file) const { gzclose_r(file); }
};

template <class Row, class Rows, class Key>
Result<bool> put(Result<Row> row, Rows& rows, const Key& key) {
  if (!row) return std::unexpected(row.error());
  rows.insert_or_assign(key(*row), std::move(*row));
  return true;
}

// Empty: the line is not one of a named row.
std::string_view table_of_line(std::string_view line) {
  std::string_view table;
  const auto look = [&]<class Row>(NamedRows<Row> Tables::*) {
    if (line == line_of<Row>()) table = Row::kTable;
  };
  std::apply([&](auto... rows) { (look(rows), ...); }, kNamedTables);
  return table;
}

}  // namespace

struct SegmentReader::File {
  std::string path;
  std::unique_ptr<gzFile_s, CloseRead> file;
  std::int64_t line = 0;

  std::unexpected<Error> wrong(std::string_view why) const {
    return fail(ErrorCode::corrupt, fmt::format("{}:{}: {}", path, line, why));
  }
  std::unexpected<Error> wrong(const Error& error) const { return wrong(error.message); }

  // Whole lines only: a line that a crash has cut off is ignored.
  std::optional<std::string> next_line() {
    std::string text;
    std::array<char, 65'536> piece{};
    while (gzgets(file.get(), piece.data(), static_cast<int>(piece.size()))) {
      text += piece.data();
      if (!text.ends_with('\n')) continue;
      line += 1;
      return text;
    }
    return std::nullopt;
  }

  // The name of its only member, and the member.
  Result<std::optional<std::pair<std::string, bj::value>>> next() {
    const auto text = next_line();
    if (!text) return std::nullopt;
    boost::system::error_code failed;
    bj::value value = bj::parse(*text, failed, {}, {.allow_invalid_utf8 = true});
    if (failed || !value.is_object() || value.get_object().size() != 1)
      return wrong("this is not a line of a recording");
    auto& member = *value.get_object().begin();
    return std::pair{std::string(member.key()), std::move(member.value())};
  }
};

SegmentReader::SegmentReader(std::unique_ptr<File> file) : file_(std::move(file)) {}
SegmentReader::SegmentReader(SegmentReader&&) noexcept = default;
SegmentReader& SegmentReader::operator=(SegmentReader&&) noexcept = default;
SegmentReader::~SegmentReader() = default;

Result<SegmentReader> SegmentReader::open(const std::filesystem::path& path) {
  auto file = std::make_unique<File>();
  file->path = path.string();
  file->file.reset(gzopen(path.c_str(), "rbe"));
  if (!file->file) return fail(ErrorCode::io, fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  SegmentReader reader(std::move(file));
  if (auto read = reader.read_opening(); !read) return std::unexpected(read.error());
  return reader;
}

Result<void> SegmentReader::read_opening() {
  auto first = file_->next();
  if (!first) return std::unexpected(first.error());
  if (!*first || (*first)->first != "recording") return file_->wrong("this is not a recording of decisions");
  const auto* header = (*first)->second.if_object();
  const auto* format = header ? header->if_contains("format") : nullptr;
  if (!format || *format != 1) return file_->wrong("another version wrote this recording; replay it with that version");
  if (const auto* version = header->if_contains("version"); version && version->is_string())
    version_ = version->get_string();
  for (;;) {
    auto line = file_->next();
    if (!line) return std::unexpected(line.error());
    if (!*line) return file_->wrong("it ends before its first policy");
    auto more = read_row((*line)->first, (*line)->second);
    if (!more) return file_->wrong(more.error());
    if (!*more) return {};
  }
}

// False: the opening is complete.
Result<bool> SegmentReader::read_row(std::string_view name, const bj::value& value) {
  if (const auto table = table_of_line(name); !table.empty()) {
    if (auto put = json::decode_into(tables_, table, value); !put) return std::unexpected(put.error());
    return true;
  }
  if (name == "job") return read_job(value);
  if (name == "attempt")
    return put(json::decode_attempt(value), tables_.attempts, [](const Attempt& row) { return row.key(); });
  return read_other(name, value);
}

Result<bool> SegmentReader::read_other(std::string_view name, const bj::value& value) {
  if (name == "spec") return read_spec(value);
  if (name == "policy") {
    auto policy = read_policy(value);
    if (!policy) return std::unexpected(policy.error());
    policy_ = std::move(*policy);
    former_scorings_ += says_former_scoring(value);
    return false;
  }
  if (name != "tables") return fail(ErrorCode::corrupt, fmt::format("there is no '{}' before the first policy", name));
  const auto number = [&](const char* field) {
    const auto* found = value.is_object() ? value.get_object().if_contains(field) : nullptr;
    return found && found->is_number() ? found->to_number<std::int64_t>() : 0;
  };
  tables_.last_seq = static_cast<std::uint64_t>(number("last_seq"));
  tables_.last_id = static_cast<std::uint64_t>(number("last_id"));
  tables_.epoch = static_cast<std::uint64_t>(number("epoch"));
  tables_.last_time = {number("last_time")};
  return true;
}

Result<bool> SegmentReader::read_spec(const bj::value& value) {
  const auto* object = value.if_object();
  const auto* id = object ? object->if_contains("id") : nullptr;
  const auto* content = object ? object->if_contains("spec") : nullptr;
  if (!id || !id->is_number() || !content) return fail(ErrorCode::corrupt, "a spec has no id or no content");
  auto spec = json::decode_spec(*content);
  if (!spec) return std::unexpected(spec.error());
  specs_[SpecId{id->to_number<std::uint64_t>()}] = std::make_shared<const JobSpec>(std::move(*spec));
  return true;
}

// Null: the line has no job, or the job's spec is not known.
std::shared_ptr<const JobSpec> SegmentReader::spec_of(const bj::value& job) const {
  const auto id = json::spec_id_of(job);
  const auto found = id ? specs_.find(*id) : specs_.end();
  return found == specs_.end() ? nullptr : found->second;
}

Result<bool> SegmentReader::read_job(const bj::value& value) {
  auto spec = spec_of(value);
  if (!spec) return fail(ErrorCode::corrupt, "a job's spec does not come before the job");
  return put(json::decode_job(value, std::move(spec)), tables_.jobs, [](const Job& row) { return row.id; });
}

Result<Event> SegmentReader::read_event(const bj::value& value) const {
  try {
    const auto& object = value.as_object();
    const std::string_view type = object.at("type").as_string();
    const auto& payload = object.at("payload");
    const auto spec = type == JobSubmitted::kType ? spec_of(payload.at("job")) : nullptr;
    if (type == JobSubmitted::kType && !spec)
      return fail(ErrorCode::corrupt, "a job's spec does not come before the job");
    auto decoded = json::decode_event(type, payload, spec);
    if (!decoded) return std::unexpected(decoded.error());
    return Event{.seq = object.at("seq").to_number<std::uint64_t>(),
                 .time = {object.at("time").to_number<std::int64_t>()},
                 .actor = std::string(object.at("actor").as_string()),
                 .reason = std::string(object.at("reason").as_string()),
                 .payload = std::move(*decoded)};
  } catch (const std::exception& error) {
    return fail(ErrorCode::corrupt, std::string("an event cannot be read: ") + error.what());
  }
}

Result<SegmentReader::Line> SegmentReader::read_line(std::string_view name, const bj::value& value) {
  const auto as_line = [](auto read) -> Result<Line> {
    if (!read) return std::unexpected(read.error());
    return Line(std::move(*read));
  };
  if (name == "event") return as_line(read_event(value));
  if (name == "decided") return as_line(read_decided(value));
  if (name == "policy") {
    former_scorings_ += says_former_scoring(value);
    return as_line(ym::read_policy(value));
  }
  if (name == "missed" && value.is_number()) return Line(Missed{value.to_number<std::int64_t>()});
  return fail(ErrorCode::corrupt, fmt::format("'{}' is not known", name));
}

Result<std::optional<SegmentReader::Line>> SegmentReader::next() {
  for (;;) {
    auto found = file_->next();
    if (!found) return std::unexpected(found.error());
    if (!*found) return std::nullopt;
    const auto& [name, value] = **found;
    if (name == "spec") {
      if (auto read = read_spec(value); !read) return file_->wrong(read.error());
      continue;
    }
    auto line = read_line(name, value);
    if (!line) return file_->wrong(line.error());
    return std::optional(std::move(*line));
  }
}

}  // namespace ym
