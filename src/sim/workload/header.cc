#include "sim/workload/header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "spec/text/suggest.h"

namespace ym::sim {
namespace {

using Words = std::vector<std::string>;

std::string names_of_formats() {
  std::string names;
  for (const auto& format : trace_formats()) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  return names;
}

bool has(const Words& fields, std::string_view column) { return std::ranges::find(fields, column) != fields.end(); }

// All columns that the format reads.
Words known_columns(const TraceFormat& format) {
  Words known(format.columns.begin(), format.columns.end());
  known.insert(known.end(), format.others.begin(), format.others.end());
  return known;
}

// The field that may be a typo of this column. A field that is a column of the format is not: `User` is not a typo of
// UserCPU.
std::optional<std::string> meant_for(std::string_view column, const TraceFormat& format, const Words& fields) {
  const auto known = known_columns(format);
  const auto may_be = [&](const std::string& field) {
    return !has(known, field) && spec::nearest(field, {std::string(column)});
  };
  const auto found = std::ranges::find_if(fields, may_be);
  return found == fields.end() ? std::nullopt : std::optional(*found);
}

// "; is 'run_tiem' meant for run_time?" for each required column that is missing. Empty if one of these has no similar
// field.
std::string guess(const TraceFormat& format, const Words& fields) {
  std::string text;
  for (const auto column : format.columns) {
    if (has(fields, column)) continue;
    const auto meant = meant_for(column, format, fields);
    if (!meant) return {};
    text += fmt::format("; is '{}' meant for {}?", shown(*meant), column);
  }
  return text;
}

// The guess for the format with the most correct columns.
std::string best_guess(const Words& fields) {
  std::string best;
  std::ptrdiff_t most = -1;
  for (const auto& format : trace_formats()) {
    if (!format.has_header) continue;
    const auto there = std::ranges::count_if(format.columns, [&](auto column) { return has(fields, column); });
    auto text = there > most ? guess(format, fields) : std::string();
    if (text.empty()) continue;
    best = std::move(text);
    most = there;
  }
  return best;
}

Result<const TraceFormat*> none_fits(const std::string& path, const std::string& named, const TableReader::Row& first) {
  if (!named.empty())
    return fail(ErrorCode::invalid,
                fmt::format("there is no trace format '{}'; there are {}", named, names_of_formats()));
  return fail(ErrorCode::invalid, fmt::format("{}:{}: its columns match no trace format ({}); name one with "
                                              "--format, or write the columns submit, run_time and gpus{}",
                                              path, first.line, names_of_formats(), best_guess(first.fields)));
}

// Remarks on columns that will not be read, if all columns of the format are known. Otherwise a typo would give a trace
// without priorities.
Words unread(const TraceFormat& format, const Words& fields) {
  Words remarks;
  const auto known = known_columns(format);
  for (auto field = fields.begin(); field != fields.end() && !format.others.empty(); ++field) {
    const auto name = shown(*field);
    if (std::find(fields.begin(), field, *field) != field) {
      remarks.push_back(fmt::format("the column '{}' is there twice; the first one counts", name));
    } else if (!has(known, *field)) {
      const auto near = spec::nearest(*field, known);
      remarks.push_back(fmt::format(
          "the column '{}' is not one of format {}, and is ignored; {}", name, format.name,
          near ? fmt::format("did you mean {}?", *near) : fmt::format("it has {}", fmt::join(known, ", "))));
    }
  }
  return remarks;
}

Words missed(const TraceFormat& format, const Words& fields) {
  Words remarks;
  for (const auto& column : format.missed) {
    if (has(fields, column.name) || has(fields, column.other)) continue;
    auto near = meant_for(column.name, format, fields);
    if (!near) near = meant_for(column.other, format, fields);
    if (column.without.empty() && !near) continue;
    remarks.push_back(fmt::format("there is no column {}{}{}{}", column.name,
                                  column.without.empty() ? "" : ", so that ", column.without,
                                  near ? fmt::format("; is it '{}'?", shown(*near)) : ""));
  }
  return remarks;
}

}  // namespace

Result<const TraceFormat*> format_of(const std::string& path, const std::string& named, const TableReader::Row& first) {
  const TraceFormat* found = named.empty() ? recognise(first) : find_format(named);
  if (found == nullptr) return none_fits(path, named, first);
  for (const auto column : found->columns) {
    if (found->has_header ? has(first.fields, column) : first.fields.size() == found->columns.size()) continue;
    const auto meant = found->has_header ? meant_for(column, *found, first.fields) : std::nullopt;
    return fail(ErrorCode::invalid,
                fmt::format("{}:{}: a trace of the format {} needs a column '{}'{}", path, first.line, found->name,
                            column, meant ? fmt::format("; is it '{}'?", shown(*meant)) : ""));
  }
  return found;
}

Columns columns_of(const TraceFormat& format, const TableReader::Row& first) {
  Columns columns;
  for (std::size_t i = 0; i < first.fields.size(); ++i)
    columns.try_emplace(format.has_header ? first.fields[i] : std::string(format.columns[i]), i);
  return columns;
}

std::vector<std::string> remarks_on_columns(const TraceFormat& format, const TableReader::Row& first) {
  auto remarks = unread(format, first.fields);
  std::ranges::move(missed(format, first.fields), std::back_inserter(remarks));
  return remarks;
}

}  // namespace ym::sim
