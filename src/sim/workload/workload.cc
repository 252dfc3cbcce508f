#include "sim/workload/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_set>
#include <utility>

#include "sim/workload/header.h"
#include "sim/workload/trace_formats.h"

namespace ym::sim {
namespace {

struct Later {
  bool operator()(const TraceJob& a, const TraceJob& b) const {
    return std::pair(a.submit_at, a.line) > std::pair(b.submit_at, b.line);
  }
};

// The error for a trace without jobs. The columns may be the reason why rows were skipped.
std::string no_job(const std::string& path, const TraceRemarks& remarks) {
  std::string text = fmt::format("{}: there is no job in the trace", path);
  for (const auto& kind : remarks.skipped)
    text += fmt::format("; {} row{} passed over, line {} first: {}", kind.rows, kind.rows == 1 ? " is" : "s are",
                        kind.first_line, kind.why);
  for (const auto& column : remarks.columns) text += "; " + column;
  return text;
}

}  // namespace

struct Workload::Impl {
  std::string name;  // of the format
  std::optional<TableReader> reader;
  RowReader read{};  // if there is a reader
  Columns columns{};
  std::size_t window = 0;
  std::optional<TableReader::Row> first;  // of a file without a header
  std::priority_queue<TraceJob, std::vector<TraceJob>, Later> ahead;
  std::unordered_set<std::size_t> ids;  // hashes, to hold millions
  bool at_end = false;
  Instant last;  // submit time of the last returned job
  std::int64_t given_out = 0;
  bool ids_may_come_again = false;
  TraceRemarks remarks{};

  Result<void> read_row();
  void skip(std::string_view why, std::int64_t line);
  Result<void> take(TraceJob job);
};

Workload::Workload(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Workload::Workload(Workload&&) noexcept = default;
Workload& Workload::operator=(Workload&&) noexcept = default;
Workload::~Workload() = default;
const std::string& Workload::format() const { return impl_->name; }
double Workload::share() const {
  const double known =
      static_cast<double>(impl_->given_out) /
      static_cast<double>(std::max<std::size_t>(1, static_cast<std::size_t>(impl_->given_out) + impl_->ahead.size()));
  return impl_->reader ? known * impl_->reader->read_share() : known;
}
std::int64_t Workload::skipped() const {
  std::int64_t rows = 0;
  for (const auto& kind : impl_->remarks.skipped) rows += kind.rows;
  return rows;
}
const TraceRemarks& Workload::remarks() const { return impl_->remarks; }

Result<Workload> Workload::open(const WorkloadOptions& options) {
  auto reader = TableReader::open(options.path);
  if (!reader) return std::unexpected(reader.error());
  auto first = reader->next();
  if (!first) return std::unexpected(first.error());
  if (!*first) return fail(ErrorCode::invalid, fmt::format("{}: it is empty", options.path));
  const auto format = format_of(options.path, options.format, **first);
  if (!format) return std::unexpected(format.error());
  auto rows = (*format)->rows(options.path);
  if (!rows) return std::unexpected(rows.error());
  Impl impl{.name = std::string((*format)->name),
            .reader = std::move(*reader),
            .read = std::move(*rows),
            .columns = columns_of(**format, **first),
            .window = options.window,
            .ids_may_come_again = (*format)->ids_may_come_again};
  impl.remarks.columns = remarks_on_columns(**format, **first);
  if (!(*format)->has_header) impl.first = std::move(**first);
  Workload workload(std::make_unique<Impl>(std::move(impl)));
  // So that a trace without jobs is known at once.
  if (auto read = workload.impl_->read_row(); !read) return std::unexpected(read.error());
  while (workload.impl_->ahead.empty() && !workload.impl_->at_end)
    if (auto read = workload.impl_->read_row(); !read) return std::unexpected(read.error());
  if (workload.impl_->ahead.empty()) return fail(ErrorCode::invalid, no_job(options.path, workload.remarks()));
  return workload;
}

Workload Workload::of(std::vector<TraceJob> jobs, std::string format, TraceRemarks remarks) {
  Impl impl{.name = std::move(format), .reader = std::nullopt, .remarks = std::move(remarks)};
  for (auto& job : jobs) impl.ahead.push(std::move(job));
  impl.at_end = true;
  return Workload(std::make_unique<Impl>(std::move(impl)));
}

Result<void> Workload::Impl::read_row() {
  auto row = first ? Result<std::optional<TableReader::Row>>(std::exchange(first, std::nullopt)) : reader->next();
  if (!row) return std::unexpected(row.error());
  at_end = !row->has_value();
  if (at_end) return {};
  RowView view(columns, **row, reader->path());
  auto job = read(view);
  if (view.error()) return std::unexpected(*view.error());
  if (job) return take(std::move(*job));
  skip(view.skipped().empty() ? "no job that began and ended" : view.skipped(), view.line());
  return {};
}

void Workload::Impl::skip(std::string_view why, std::int64_t line) {
  auto& kinds = remarks.skipped;
  const auto known = std::ranges::find(kinds, why, &TraceRemarks::SkippedRows::why);
  if (known == kinds.end()) kinds.push_back({.why = std::string(why), .rows = 1, .first_line = line});
  else known->rows += 1;
}

Result<void> Workload::Impl::take(TraceJob job) {
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorCode::invalid, fmt::format("{}:{}: {}", reader->path(), job.line, why));
  };
  if (!job.id.empty() && !ids.insert(std::hash<std::string>()(job.id)).second) {
    if (!ids_may_come_again) return refuse(fmt::format("the id '{}' was there before", job.id));
    skip("a repeated id, as for a requeued job in sacct --duplicates", job.line);
    return {};
  }
  if (job.submit_at < last)
    return refuse(
        fmt::format("this job was submitted before jobs that are more than {} jobs above it; sort the trace by the "
                    "time of submission",
                    window));
  ahead.push(std::move(job));
  return {};
}

Result<std::optional<TraceJob>> Workload::next() {
  Impl& in = *impl_;
  while (!in.at_end && in.ahead.size() < in.window)
    if (auto read = in.read_row(); !read) return std::unexpected(read.error());
  if (in.ahead.empty()) return std::nullopt;
  TraceJob job = in.ahead.top();
  in.ahead.pop();
  in.last = job.submit_at;
  return job;
}

Result<std::vector<TraceJob>> read_all(Workload workload) { return rest_of(workload); }

Result<std::vector<TraceJob>> rest_of(Workload& workload) {
  std::vector<TraceJob> jobs;
  for (;;) {
    auto job = workload.next();
    if (!job) return std::unexpected(job.error());
    if (!*job) return jobs;
    jobs.push_back(std::move(**job));
  }
}

}  // namespace ym::sim
