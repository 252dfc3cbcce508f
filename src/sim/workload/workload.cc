#include "sim/workload/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_set>
#include <utility>

#include "sim/workload/trace_formats.h"

namespace ym::sim {
namespace {

struct Later {
  bool operator()(const TraceJob& a, const TraceJob& b) const {
    return std::pair(a.submit_at, a.line) > std::pair(b.submit_at, b.line);
  }
};

std::string names_of_formats() {
  std::string names;
  for (const auto& format : trace_formats()) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  return names;
}

Columns columns_of(const TraceFormat& format, const TableReader::Row& first) {
  Columns columns;
  for (std::size_t i = 0; i < first.fields.size(); ++i)
    columns.try_emplace(format.has_header ? first.fields[i] : std::string(format.columns[i]), i);
  return columns;
}

Result<const TraceFormat*> choose(const WorkloadOptions& options, const TableReader::Row& first) {
  const TraceFormat* found = options.format.empty() ? recognise(first) : find_format(options.format);
  if (found == nullptr && !options.format.empty())
    return fail(ErrorCode::invalid,
                fmt::format("there is no trace format '{}'; there are {}", options.format, names_of_formats()));
  if (found == nullptr)
    return fail(ErrorCode::invalid,
                fmt::format("{}:{}: its columns are those of no trace format ({}); name one with --format, or "
                            "write the columns submit, run_time and gpus",
                            options.path, first.line, names_of_formats()));
  for (const auto column : found->columns)
    if (found->has_header ? std::ranges::find(first.fields, column) == first.fields.end()
                          : first.fields.size() != found->columns.size())
      return fail(ErrorCode::invalid, fmt::format("{}:{}: a trace of the format {} has a column '{}'", options.path,
                                                  first.line, found->name, column));
  return found;
}

}  // namespace

struct Workload::Impl {
  std::string name;  // of the format
  std::optional<TableReader> reader;
  RowReader read{};  // if there is a reader
  Columns columns{};
  std::size_t window = 0;
  std::optional<TableReader::Row> first;  // of a file without header
  std::priority_queue<TraceJob, std::vector<TraceJob>, Later> ahead;
  std::unordered_set<std::size_t> ids;  // hashes: to hold millions
  bool at_end = false;
  Instant last;  // of what was given out
  std::int64_t given_out = 0;
  std::int64_t passed_over = 0;

  Result<void> read_row();
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
std::int64_t Workload::passed_over() const { return impl_->passed_over; }

Result<Workload> Workload::open(const WorkloadOptions& options) {
  auto reader = TableReader::open(options.path);
  if (!reader) return std::unexpected(reader.error());
  auto first = reader->next();
  if (!first) return std::unexpected(first.error());
  if (!*first) return fail(ErrorCode::invalid, fmt::format("{}: it is empty", options.path));
  const auto format = choose(options, **first);
  if (!format) return std::unexpected(format.error());
  auto rows = (*format)->rows(options.path);
  if (!rows) return std::unexpected(rows.error());
  Impl impl{.name = std::string((*format)->name),
            .reader = std::move(*reader),
            .read = std::move(*rows),
            .columns = columns_of(**format, **first),
            .window = options.window};
  if (!(*format)->has_header) impl.first = std::move(**first);
  Workload workload(std::make_unique<Impl>(std::move(impl)));
  // So that a trace without a job is known at once.
  if (auto read = workload.impl_->read_row(); !read) return std::unexpected(read.error());
  while (workload.impl_->ahead.empty() && !workload.impl_->at_end)
    if (auto read = workload.impl_->read_row(); !read) return std::unexpected(read.error());
  if (workload.impl_->ahead.empty())
    return fail(ErrorCode::invalid, fmt::format("{}: there is no job in the trace", options.path));
  return workload;
}

Workload Workload::of(std::vector<TraceJob> jobs, std::string format) {
  Impl impl{.name = std::move(format), .reader = std::nullopt};
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
  passed_over += 1;
  return {};
}

Result<void> Workload::Impl::take(TraceJob job) {
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorCode::invalid, fmt::format("{}:{}: {}", reader->path(), job.line, why));
  };
  if (!job.id.empty() && !ids.insert(std::hash<std::string>()(job.id)).second)
    return refuse(fmt::format("there was a job '{}' before", job.id));
  if (job.submit_at < last)
    return refuse(
        fmt::format("this job was submitted before others that stand more than {} jobs above it; sort the trace by the "
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

Result<std::vector<TraceJob>> read_all(Workload workload) {
  std::vector<TraceJob> jobs;
  for (;;) {
    auto job = workload.next();
    if (!job) return std::unexpected(job.error());
    if (!*job) return jobs;
    jobs.push_back(std::move(**job));
  }
}

}  // namespace ym::sim
