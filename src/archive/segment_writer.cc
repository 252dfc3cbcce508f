#include "archive/segment_writer.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <set>

#include "archive/segment_check.h"
#include "archive/segment_file.h"
#include "model/json/codec.h"

namespace ym {
namespace {

constexpr std::size_t kEventsOfAPage = 1000, kJobsOfAPage = 100;

class Writer {
 public:
  Writer(NewSegment& file, StoreReader& reader, const SegmentSpan& span, const std::function<bool()>& go_on)
      : file_(file), reader_(reader), span_(span), go_on_(go_on) {}

  Result<void> write() {
    auto done = file_.add(fmt::format(
        R"({{"yardmaster_history":{},"from":{},"to":{},"before":{{"to":{},"chain":"{}"}}{}}})", kHistoryFormat,
        span_.before.head.to + 1, span_.end.head.to, span_.before.head.to, span_.before.head.chain, erased_member()));
    if (done) done = write_events();
    if (done) done = write_jobs();
    if (done) done = write_seal();
    return done;
  }

 private:
  // Of the seals in it, also those at its ends.
  std::string erased_member() const {
    ErasedSeals within;
    for (const auto& [seal, digest] : span_.erased)
      if (seal >= span_.before.seal && seal <= span_.end.seal) within.emplace(seal, digest);
    return within.empty() ? std::string()
                          : fmt::format(R"(,"erased":{})", boost::json::serialize(erased_seals_line(within)));
  }

  Result<void> check_end() const {
    return go_on_ && !go_on_() ? fail(ErrorCode::unavailable, "the server ends") : Result<void>();
  }

  Result<void> write_events() {
    for (std::uint64_t after = span_.before.head.to; after < span_.end.head.to;) {
      if (auto going = check_end(); !going) return going;
      const auto limit = std::min<std::uint64_t>(kEventsOfAPage, span_.end.head.to - after);
      const auto events = reader_.stored_events(after, limit);
      if (!events) return std::unexpected(events.error());
      if (events->empty()) return fail(ErrorCode::corrupt, fmt::format("event {} is missing", after + 1));
      for (const StoredEvent& event : *events) {
        const auto columns = columns_of(event.bytes);
        if (!columns) return std::unexpected(columns.error());
        if (columns->job) jobs_.insert(JobId{static_cast<std::uint64_t>(*columns->job)});
        if (auto added = file_.add(line_of(*columns, last_spec_)); !added) return added;
      }
      after = events->back().seq;
    }
    return {};
  }

  // The jobs that have ended and have no later event: they go with these.
  Result<void> write_jobs() {
    const std::vector<JobId> all(jobs_.begin(), jobs_.end());
    for (std::size_t i = 0; i < all.size(); i += kJobsOfAPage) {
      if (auto going = check_end(); !going) return going;
      const auto page = std::span(all).subspan(i, std::min(kJobsOfAPage, all.size() - i));
      const auto jobs = reader_.jobs(page);
      if (!jobs) return std::unexpected(jobs.error());
      for (const Job& job : *jobs)
        if (is_terminal(job.state))
          if (auto written = write_job(job); !written) return written;
    }
    return {};
  }

  Result<void> write_job(const Job& job) {
    const auto later = reader_.events({.job = job.id, .after = span_.end.head.to}, 1);
    if (!later) return std::unexpected(later.error());
    if (!later->empty()) return {};
    const auto attempts = reader_.attempts(job.id);
    if (!attempts) return std::unexpected(attempts.error());
    std::string list;
    for (const Attempt& attempt : *attempts) list += (list.empty() ? "" : ",") + ym::json::encode(attempt);
    std::string spec = ym::json::encode(*job.spec);
    const bool same = spec == spec_of_last_job_;
    auto added = file_.add(
        fmt::format(R"({{"job":{},"spec":{},"attempts":[{}]}})", ym::json::encode(job), same ? "null" : spec, list));
    spec_of_last_job_ = std::move(spec);
    return added;
  }

  Result<void> write_seal() {
    const auto seal = reader_.stored_events(span_.end.seal - 1, 1);
    if (!seal) return std::unexpected(seal.error());
    if (seal->empty() || seal->front().seq != span_.end.seal)
      return fail(ErrorCode::corrupt, fmt::format("event {} is missing", span_.end.seal));
    const auto columns = columns_of(seal->front().bytes);
    if (!columns) return std::unexpected(columns.error());
    return file_.add(fmt::format(R"({{"seal":{}}})", line_of(*columns, last_spec_)));
  }

  NewSegment& file_;
  StoreReader& reader_;
  const SegmentSpan& span_;
  const std::function<bool()>& go_on_;
  std::set<JobId> jobs_;
  std::string last_spec_, spec_of_last_job_;
};

}  // namespace

Result<HistorySegment> write_segment(const std::filesystem::path& folder, StoreReader& reader, const SegmentSpan& span,
                                     const std::function<bool()>& go_on) {
  auto file = NewSegment::create(folder);
  if (!file) return std::unexpected(file.error());
  if (auto written = Writer(*file, reader, span, go_on).write(); !written) return std::unexpected(written.error());
  if (auto finished = file->finish(); !finished) return std::unexpected(finished.error());
  // What counts is what can be read back.
  const auto checked = check_segment(file->temporary(), go_on);
  if (!checked) return std::unexpected(checked.error());
  const auto hash = sha256_of_file(file->temporary());
  if (!hash) return std::unexpected(hash.error());
  if (checked->end != span.end.head) return fail(ErrorCode::corrupt, "the segment ends with another seal");
  std::error_code ignored;
  HistorySegment segment{.name = segment_name(checked->from, checked->to, *hash),
                         .from = checked->from,
                         .to = checked->to,
                         .chain = checked->end.chain,
                         .seal = span.end.seal,
                         .jobs = checked->jobs,
                         .bytes = static_cast<std::int64_t>(std::filesystem::file_size(file->temporary(), ignored)),
                         .sha256 = *hash,
                         .first_at = checked->first_at,
                         .last_at = checked->last_at};
  if (auto named = file->rename(segment.name); !named) return std::unexpected(named.error());
  return segment;
}

}  // namespace ym
