#include "sim/workload/workload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_set>
#include <utility>

#include "sim/workload/trace_formats.h"
#include "spec/suggest.h"

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

// Columns of a format of which all are known, which nobody will read: a slip of the keyboard would else be a trace
// without priorities.
std::vector<std::string> unread_columns(const TraceFormat& format, const TableReader::Row& first) {
  std::vector<std::string> known(format.columns.begin(), format.columns.end()), remarks;
  known.insert(known.end(), format.others.begin(), format.others.end());
  for (auto field = first.fields.begin(); field != first.fields.end() && !format.others.empty(); ++field) {
    const auto name = shown(*field);
    if (std::find(first.fields.begin(), field, *field) != field) {
      remarks.push_back(fmt::format("the column '{}' stands there twice; the first counts", name));
    } else if (std::ranges::find(known, *field) == known.end()) {
      const auto near = spec::nearest(*field, known);
      remarks.push_back(fmt::format(
          "the column '{}' is none of the format {}, and is left out; {}", name, format.name,
          near ? fmt::format("did you mean {}?", *near) : fmt::format("it has {}", fmt::join(known, ", "))));
    }
  }
  return remarks;
}

std::vector<std::string> missed_columns(const TraceFormat& format, const TableReader::Row& first) {
  std::vector<std::string> remarks;
  const std::vector<std::string> there(first.fields.begin(), first.fields.end());
  for (const auto& column : format.missed) {
    const auto is_it = [&](const std::string& field) { return field == column.name || field == column.other; };
    if (std::ranges::any_of(there, is_it)) continue;
    const auto near = spec::nearest(std::string(column.name), there);
    remarks.push_back(fmt::format("there is no column {}, so that {}{}", column.name, column.without,
                                  near ? fmt::format("; is it '{}'?", shown(*near)) : ""));
  }
  return remarks;
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
  bool ids_may_come_again = false;
  TraceRemarks remarks{};

  Result<void> read_row();
  void pass_over(std::string_view why, std::int64_t line);
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
std::int64_t Workload::passed_over() const {
  std::int64_t rows = 0;
  for (const auto& kind : impl_->remarks.passed_over) rows += kind.rows;
  return rows;
}
const TraceRemarks& Workload::remarks() const { return impl_->remarks; }

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
            .window = options.window,
            .ids_may_come_again = (*format)->ids_may_come_again};
  impl.remarks.columns = unread_columns(**format, **first);
  std::ranges::move(missed_columns(**format, **first), std::back_inserter(impl.remarks.columns));
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
  pass_over(view.passed_over().empty() ? "no job that began and ended" : view.passed_over(), view.line());
  return {};
}

void Workload::Impl::pass_over(std::string_view why, std::int64_t line) {
  auto& kinds = remarks.passed_over;
  const auto known = std::ranges::find(kinds, why, &TraceRemarks::PassedOver::why);
  if (known == kinds.end()) kinds.push_back({.why = std::string(why), .rows = 1, .first_line = line});
  else known->rows += 1;
}

Result<void> Workload::Impl::take(TraceJob job) {
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorCode::invalid, fmt::format("{}:{}: {}", reader->path(), job.line, why));
  };
  if (!job.id.empty() && !ids.insert(std::hash<std::string>()(job.id)).second) {
    if (!ids_may_come_again) return refuse(fmt::format("there was a job '{}' before", job.id));
    pass_over("an id that was there before, as sacct --duplicates lists a job that was queued again", job.line);
    return {};
  }
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
