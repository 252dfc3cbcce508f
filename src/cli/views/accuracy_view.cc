#include "cli/views/accuracy_view.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

std::string percent(const json::value& figures, std::string_view field) {
  return fmt::format("{:.1f} %", 100 * number_at(figures, field).value_or(0));
}

std::string time_of(double seconds) { return short_duration({static_cast<std::int64_t>(seconds * 1000)}); }

void add(Table& table, const std::string& what, const json::value& figures) {
  table.add({what, text_at(figures, "jobs"), percent(figures, "inside"), percent(figures, "early"),
             percent(figures, "late"), percent(figures, "open"),
             time_of(number_at(figures, "width_seconds").value_or(0)),
             fmt::format("{:.2f}", number_at(figures, "width").value_or(0))});
}

std::string class_title(const json::value& figures) {
  const auto up_to = number_at(figures, "up_to_seconds");
  return up_to ? "  up to " + time_of(*up_to) + " ahead" : "  farther ahead";
}

std::string causes(const json::value& none) {
  std::string text;
  if (!none.is_object()) return text;
  for (const auto& [cause, count] : none.get_object())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", text_of(count), printable(cause));
  return text;
}

void show_ranges(Session& session, const json::value& told, const std::string& policy) {
  using Align = Table::Align;
  Table table({{"STARTS PREDICTED, " + printable(policy)},
               {"JOBS", Align::right},
               {"IN THE RANGE", Align::right},
               {"BEFORE", Align::right},
               {"AFTER", Align::right},
               {"OPEN", Align::right},
               {"WIDTH", Align::right},
               {"OF THE TIME AHEAD", Align::right}});
  add(table, "as predicted", member(told, "said"));
  for (const auto& one : items_of(member(told, "by_wait"))) add(table, class_title(one), one);
  add(table, "learnt on the first half", member(told, "learnt_on_first_half"));
  add(table, "nothing learnt", member(told, "nothing_learnt"));
  session.out << '\n';
  table.print(session.out, session.terminal.width);
}

}  // namespace

void show_accuracy(Session& session, const json::value& policy) {
  const auto& told = member(policy, "start_forecasts");
  if (!told.is_object()) return;
  show_ranges(session, told, text_at(policy, "policy"));
  const auto none = causes(member(told, "no_estimate"));
  session.out << fmt::format(
      "\nOf {} forecasts {} had a later start than at once{}. The later half counts; in it, {} have not started. "
      "The range is meant to hold four of five. The middle is off by {} of the wait (median).\n",
      text_at(told, "made"), text_at(told, "ahead"), none.empty() ? "" : ", and had no estimate: " + none,
      text_at(told, "not_started"), percent(told, "error"));
}

}  // namespace ym::cli
