#include "archive/history_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <filesystem>
#include <iterator>
#include <optional>
#include <vector>

#include "archive/segment_check.h"
#include "archive/segment_file.h"
#include "model/ids.h"

namespace ym {
namespace {

namespace fs = std::filesystem;
namespace bj = boost::json;

constexpr std::string_view kEnding = ".jsonl.gz";

// By name, which is the order of their events.
Result<std::vector<fs::path>> segments_in(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().ends_with(kEnding)) found.push_back(entry.path());
  if (error) return fail(ErrorCode::invalid, fmt::format("cannot read the folder {}: {}", folder, error.message()));
  std::ranges::sort(found);
  return found;
}

std::string text_in(const bj::object& row, std::string_view name) {
  const auto* found = row.if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

bj::value time_of(const bj::object& row, std::string_view name) {
  const auto* found = row.if_contains(name);
  return found != nullptr && found->is_int64() ? bj::value(to_rfc3339(Instant{found->get_int64()})) : bj::value();
}

bj::object segment_row(const fs::path& path, const Result<CheckedSegment>& checked) {
  std::error_code ignored;
  bj::object row{{"name", path.filename().string()}, {"bytes", fs::file_size(path, ignored)}};
  if (!checked) {
    row["fault"] = checked.error().message;
    return row;
  }
  row["from"] = checked->from;
  row["to"] = checked->to;
  row["jobs"] = checked->jobs;
  row["first_at"] = to_rfc3339(checked->first_at);
  row["last_at"] = to_rfc3339(checked->last_at);
  row["chain"] = checked->end.chain;
  row["erased"] = checked->erased;
  row["fault"] = nullptr;
  return row;
}

// An explanation in a segment is only the word of its first line, which is not sealed. What proves it is the event of
// an erasure in these segments.
void count_unproved(bj::array& rows, const std::vector<std::vector<ErasedSeal>>& explained,
                    const std::vector<Erasure>& erasures) {
  const auto proved = seals_of(erasures);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].as_object()["unproved"] = std::ranges::count_if(explained[i], [&](const ErasedSeal& one) {
      const auto found = proved.find(one.seal);
      return found == proved.end() || found->second != one.digest;
    });
}

// A segment goes on where the one before ended, or the ones between are gone.
Result<bj::object> show_segments(const std::vector<fs::path>& paths, bool whole) {
  bj::array rows;
  std::vector<std::vector<ErasedSeal>> explained;
  std::vector<Erasure> erasures;
  std::optional<SealHead> before;
  for (const auto& path : paths) {
    auto checked = check_segment(path);
    if (const auto hash = whole && checked ? sha256_of_file(path) : Result<std::string>();
        hash && !hash->empty() && !path.filename().string().contains("-" + hash->substr(0, 8) + "."))
      checked =
          fail(ErrorCode::corrupt, fmt::format("{}: it is not the file that got this name", path.filename().string()));
    bj::object row = segment_row(path, checked);
    if (checked) {
      const bool gap = before ? checked->before != *before : checked->before.to != 0;
      row["follows"] = !gap;
      if (whole) {
        bj::array heads;
        for (const SealHead& head : checked->heads) heads.push_back(bj::object{{"to", head.to}, {"chain", head.chain}});
        row["heads"] = std::move(heads);
      }
      before = checked->end;
    } else if (!whole) {
      return std::unexpected(checked.error());
    }
    rows.push_back(std::move(row));
    explained.push_back(checked ? std::move(checked->explained) : std::vector<ErasedSeal>());
    if (checked) std::ranges::move(checked->erasures, std::back_inserter(erasures));
  }
  if (whole) count_unproved(rows, explained, erasures);
  return bj::object{{"items", std::move(rows)}, {"more", false}};
}

class Search {
 public:
  explicit Search(const HistoryOptions& options)
      : options_(options),
        id_(parse_job_id(options.job)),
        wants_jobs_(options.wanted == HistoryOptions::Wanted::jobs) {}

  // False: there is enough.
  Result<bool> read(const fs::path& path) {
    last_spec_.clear();
    job_spec_ = nullptr;
    auto lines = SegmentLines::open(path);
    if (!lines) return std::unexpected(lines.error());
    for (;;) {
      const auto line = lines->next();
      if (!line) return std::unexpected(line.error());
      if (!*line || is_before(**line)) return true;
      if (!take(**line)) return false;
    }
  }
  bj::object done(bool more) { return {{"items", std::move(rows_)}, {"more", more}}; }

 private:
  bool take(const bj::object& line) {
    if (line.contains("yardmaster_history")) return true;
    if (wants_jobs_) return !line.contains("spec") || line.contains("seq") || take_job(line);
    return !line.contains("seq") || take_event(line);
  }
  // The header of a segment with events before the wanted ones only.
  bool is_before(const bj::object& line) const {
    const auto* to = line.contains("yardmaster_history") && options_.after ? line.if_contains("to") : nullptr;
    return to != nullptr && to->is_int64() && std::cmp_less_equal(to->get_int64(), *options_.after);
  }
  bool full() const { return rows_.size() >= options_.limit; }

  bool take_job(const bj::object& line) {
    const auto* job = line.if_contains("job");
    if (job == nullptr || !job->is_object()) return true;
    const auto& row = job->as_object();
    if (!line.at("spec").is_null()) job_spec_ = line.at("spec");
    const auto* number = row.if_contains("id");
    const auto id =
        number != nullptr && number->is_int64() ? JobId{static_cast<std::uint64_t>(number->get_int64())} : JobId{};
    if (!options_.job.empty() && id_ != id && text_in(row, "name") != options_.job) return true;
    if (!options_.user.empty() && text_in(row, "owner") != options_.user) return true;
    if (full()) return false;
    bj::object shown{{"id", to_string(id)},
                     {"name", text_in(row, "name")},
                     {"user", text_in(row, "owner")},
                     {"queue", text_in(row, "queue")},
                     {"project", text_in(row, "project")},
                     {"state", text_in(row, "state")},
                     {"submitted_at", time_of(row, "submitted_at")},
                     {"ended_at", time_of(row, "ended_at")},
                     {"spec", job_spec_}};
    if (const auto* attempts = line.if_contains("attempts")) shown["attempts"] = *attempts;
    rows_.push_back(std::move(shown));
    return true;
  }

  bool take_event(const bj::object& line) {
    const auto event = event_of(line, last_spec_);
    if (!event) return true;
    if (options_.after && std::cmp_less_equal(event->seq, *options_.after)) return true;
    if (id_ && (!event->job || std::cmp_not_equal(*event->job, id_->value))) return true;
    if (!options_.user.empty() && event->actor != options_.user) return true;
    if (full()) return false;
    bj::error_code error;
    auto payload = bj::parse(event->payload, error, {}, {.allow_invalid_utf8 = true});
    rows_.push_back(bj::object{
        {"seq", event->seq},
        {"time", to_rfc3339(Instant{event->time})},
        {"type", event->type},
        {"job", event->job ? bj::value(to_string(JobId{static_cast<std::uint64_t>(*event->job)})) : bj::value()},
        {"attempt", event->attempt ? bj::value(*event->attempt) : bj::value()},
        {"actor", event->actor},
        {"reason", event->reason},
        {"data", error ? bj::value() : std::move(payload)}});
    return true;
  }

  const HistoryOptions& options_;
  const std::optional<JobId> id_;
  const bool wants_jobs_;
  std::string last_spec_;
  bj::value job_spec_;
  bj::array rows_;
};

}  // namespace

Result<bj::object> show_history(const HistoryOptions& options) {
  using enum HistoryOptions::Wanted;
  const auto paths = segments_in(options.folder);
  if (!paths) return std::unexpected(paths.error());
  if (options.wanted == segments || options.wanted == verify) return show_segments(*paths, options.wanted == verify);
  if (options.wanted == events && !options.job.empty() && !parse_job_id(options.job))
    return fail(ErrorCode::invalid, fmt::format("'{}' is no id of a job; `ym history jobs` shows ids", options.job));
  Search search(options);
  for (const auto& path : *paths) {
    const auto more = search.read(path);
    if (!more) return std::unexpected(more.error());
    if (!*more) return search.done(true);
  }
  return search.done(false);
}

}  // namespace ym
