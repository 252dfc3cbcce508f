#include "archive/erasure/erased_segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <set>
#include <vector>

#include "archive/erasure/sealed_state.h"
#include "archive/segment_check.h"
#include "archive/segment_file.h"
#include "model/json/codec.h"

namespace ym {
namespace {

namespace fs = std::filesystem;
namespace bj = boost::json;

// One way through a segment. The specs of lines are those of the last line with one, so each is known as a whole.
class ErasedLines {
 public:
  explicit ErasedLines(ErasedLog& log) : log_(log) {}

  // The line as it is now, complete with its end of the chain; sets changed().
  Result<std::string> take(bj::object& line) {
    if (line.contains("seq")) return take_event(line);
    if (auto* last = line.if_contains("seal"); last != nullptr && last->is_object()) {
      const auto text = take_event(last->get_object());
      return text ? Result<std::string>(fmt::format(R"({{"seal":{}}})", *text)) : text;
    }
    if (auto* job = line.if_contains("job"); job != nullptr && job->is_object()) return take_job(line);
    return bj::serialize(line);
  }
  bool changed() const { return changed_; }
  const std::set<std::uint64_t>& seals() const { return seals_; }  // their own events

 private:
  Result<std::string> take_event(const bj::object& line) {
    const auto event = event_of(line, read_spec_);
    if (!event) return std::unexpected(event.error());
    const auto now = log_.next(*event);
    if (!now) return std::unexpected(now.error());
    changed_ = changed_ || now->has_value();
    if (event->type == LogSealed::kType) seals_.insert(static_cast<std::uint64_t>(event->seq));
    return line_of(now->value_or(*event), written_spec_);
  }

  Result<std::string> take_job(bj::object& line) {
    auto& job = line.at("job").get_object();
    auto& redaction = log_.redaction();
    bool changed = redaction.job(job);
    if (!line.at("spec").is_null()) job_spec_ = line.at("spec");
    const auto* id = job.if_contains("id");
    const bool own =
        id != nullptr && id->is_int64() && redaction.is_own(JobId{static_cast<std::uint64_t>(id->get_int64())});
    line["spec"] = job_spec_;
    if (own && !redaction.person().keep_jobs) {
      const auto spec = ym::json::decode_spec(job_spec_);
      if (!spec) return std::unexpected(spec.error());
      line["spec"] = bj::parse(ym::json::encode(without_words(*spec)), {}, {.allow_invalid_utf8 = true});
      changed = true;
    }
    if (auto* attempts = line.if_contains("attempts"); attempts != nullptr && attempts->is_array())
      for (auto& attempt : attempts->get_array())
        if (attempt.is_object()) changed = redaction.attempt(attempt.get_object()) || changed;
    changed_ = changed_ || changed;
    return bj::serialize(line);
  }

  ErasedLog& log_;
  bool changed_ = false;
  std::set<std::uint64_t> seals_;
  std::string read_spec_, written_spec_;
  bj::value job_spec_;
};

// Calls `take` with each line.
template <class Take>
Result<void> for_each_line(const fs::path& path, Take take) {
  auto lines = SegmentLines::open(path);
  if (!lines) return std::unexpected(lines.error());
  for (;;) {
    auto line = lines->next();
    if (!line) return std::unexpected(line.error());
    if (!*line) return {};
    if (Result<void> taken = take(**line); !taken) return taken;
  }
}

// The first line says which seals are explained: earlier erasures, and now this one.
void add_seals(bj::object& header, const std::vector<ErasedSeal>& seals) {
  ErasedSeals all;
  if (const auto* before = header.if_contains("erased"); before != nullptr && before->is_array())
    for (const auto& one : before->get_array()) {
      const auto decoded = erased_seal_of(one);
      if (decoded) all.insert_or_assign(decoded->seal, decoded->digest);
    }
  for (const ErasedSeal& one : seals) all.insert_or_assign(one.seal, one.digest);
  header["erased"] = erased_seals_line(all);
}

Result<void> write_lines(NewSegment& file, const fs::path& path, ErasedLog& log, const std::set<std::uint64_t>& own) {
  ErasedLines lines(log);
  auto seals = log.seals();
  std::erase_if(seals, [&](const ErasedSeal& one) { return !own.contains(one.seal); });
  return for_each_line(path, [&](bj::object& line) {
    if (line.contains("yardmaster_history")) add_seals(line, seals);
    const auto text = lines.take(line);
    return text ? file.add(*text) : std::unexpected(text.error());
  });
}

Result<HistorySegment> finished_row(NewSegment& file, const HistorySegment& before) {
  if (auto finished = file.finish(); !finished) return std::unexpected(finished.error());
  // What counts is what can be read back.
  const auto checked = check_segment(file.temporary());
  if (!checked) return std::unexpected(checked.error());
  if (checked->end.chain != before.chain || checked->jobs != before.jobs)
    return fail(ErrorCode::corrupt, fmt::format("{}: the file that takes its place is another one", before.name));
  const auto hash = sha256_of_file(file.temporary());
  if (!hash) return std::unexpected(hash.error());
  HistorySegment row = before;
  std::error_code ignored;
  row.name = segment_name(before.from, before.to, *hash);
  row.bytes = static_cast<std::int64_t>(fs::file_size(file.temporary(), ignored));
  row.sha256 = *hash;
  if (auto named = file.rename(row.name); !named) return std::unexpected(named.error());
  return row;
}

}  // namespace

Result<LookedAtSegment> look_in_segment(const fs::path& file, ErasedLog& log) {
  ErasedLines lines(log);
  const auto looked = for_each_line(file, [&](bj::object& line) -> Result<void> {
    const auto text = lines.take(line);
    return text ? Result<void>() : std::unexpected(text.error());
  });
  if (!looked) return std::unexpected(looked.error());
  return LookedAtSegment{.changes = lines.changed(), .seals = lines.seals()};
}

Result<HistorySegment> erase_in_segment(const fs::path& folder, const HistorySegment& row,
                                        const LookedAtSegment& looked, ErasedLog& log) {
  auto file = NewSegment::create(folder);
  if (!file) return std::unexpected(file.error());
  if (auto written = write_lines(*file, folder / row.name, log, looked.seals); !written)
    return std::unexpected(written.error());
  return finished_row(*file, row);
}

Result<void> remove_replaced_files(const fs::path& folder, const Tables& tables) {
  std::error_code error;
  if (!fs::exists(folder, error)) return {};
  std::vector<fs::path> replaced;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const auto name = entry.path().filename().string();
    const bool of_these_events = std::ranges::any_of(tables.history_segments, [&](const auto& stored) {
      const HistorySegment& row = stored.second;
      return row.name != name && name.starts_with(segment_name(row.from, row.to, {}));
    });
    if (of_these_events || (name.starts_with("unfinished-") && name.ends_with(".new")))
      replaced.push_back(entry.path());
  }
  if (!error && replaced.empty()) return {};
  // A database from before an erasure names the file that was replaced then. The other one is the only copy.
  if (auto stored = check_stored_files(tables, folder); !stored) return stored;
  for (const auto& path : replaced)
    if (!error) fs::remove(path, error);
  if (error) return fail(ErrorCode::io, fmt::format("cannot delete in {}: {}", folder.string(), error.message()));
  return sync_folder(folder);
}

}  // namespace ym
