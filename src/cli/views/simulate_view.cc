#include "cli/views/simulate_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <cmath>

#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/views/accuracy_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

std::string time_text(double seconds) {
  const Duration whole{static_cast<std::int64_t>(seconds) * 1000};
  return seconds < 60 ? fmt::format("{:.1f}s", seconds) : to_string(whole);
}

// A row of the table that compares policies: its title, its value for each policy, and which value is better.
struct Line {
  const char* title;
  const char* path;
  enum class Kind { count, time, share, hours, money } kind;
  int better = 0;  // +1: more is better, -1: less is better
};

constexpr Line kLines[]{
    {"jobs", "all/jobs", Line::Kind::count},
    {"never started", "never_started", Line::Kind::count, -1},
    {"unfinished", "unfinished", Line::Kind::count},
    {"refused", "refused", Line::Kind::count},
    {"wait, mean", "all/wait_seconds/mean", Line::Kind::time, -1},
    {"wait, median", "all/wait_seconds/p50", Line::Kind::time, -1},
    {"wait, p90", "all/wait_seconds/p90", Line::Kind::time, -1},
    {"wait, p99", "all/wait_seconds/p99", Line::Kind::time, -1},
    {"wait, longest", "all/wait_seconds/max", Line::Kind::time, -1},
    {"completion, mean", "all/completion_seconds/mean", Line::Kind::time, -1},
    {"completion, p99", "all/completion_seconds/p99", Line::Kind::time, -1},
    {"makespan", "makespan_seconds", Line::Kind::time, -1},
    {"utilisation", "utilisation", Line::Kind::share, +1},
    {"fragmentation", "fragmentation", Line::Kind::share, -1},
    {"idle while jobs wait", "idle_while_waiting", Line::Kind::share, -1},
    {"fairness of users", "fairness/users", Line::Kind::share, +1},
    {"slowdown, p99", "fairness/slowdown_p99", Line::Kind::hours, -1},
    {"preemptions", "all/preemptions", Line::Kind::count},
    {"lost GPU hours", "all/lost_gpu_hours", Line::Kind::hours, -1},
    {"cost", "cost", Line::Kind::money, -1},
    {"deadlines missed", "all/deadlines/missed", Line::Kind::count, -1},
};

std::string text_of_kind(Line::Kind kind, double value) {
  switch (kind) {
    case Line::Kind::count: return fmt::format("{:.0f}", value);
    case Line::Kind::time: return time_text(value);
    case Line::Kind::share: return fmt::format("{:.1f} %", 100 * value);
    case Line::Kind::hours: return fmt::format("{:.1f}", value);
    case Line::Kind::money: return fmt::format("{:.2f}", value);
  }
  return {};
}

// Nothing: all policies are equal, or no value counts as better.
std::optional<double> best_of(const Line& line, const json::array& policies) {
  std::vector<double> values;
  for (const auto& policy : policies)
    if (const auto value = number_at(policy, line.path)) values.push_back(*value);
  if (values.empty() || line.better == 0) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(values);
  return least == most ? std::nullopt : std::optional(line.better > 0 ? most : least);
}

// "5h ±10m", with several seeds.
std::string estimate_text(const Line& line, const json::value& figures, double value) {
  const auto half = number_at(member(figures, "ci95"), line.path);
  return text_of_kind(line.kind, value) + (half ? " ±" + text_of_kind(line.kind, *half) : "");
}

// Marks the best of several policies.
void add_line(Table& table, const Line& line, const json::array& policies) {
  const auto best = best_of(line, policies);
  std::vector<std::string> cells{line.title};
  bool any = false;
  for (const auto& policy : policies) {
    const auto value = number_at(policy, line.path);
    any = any || (value && (*value != 0 || line.better != 0));
    cells.push_back(value ? estimate_text(line, policy, *value) + (best && value == best ? " *" : "") : "-");
  }
  if (any) table.add(std::move(cells));
}

// The differences of the other policies to the first, on the same seeds. Shows only significant ones.
void show_differences(Session& session, const json::array& policies) {
  std::vector<Table::Column> columns{{"DIFFERENCE TO " + printable(text_at(policies.front(), "policy"))}};
  for (std::size_t i = 1; i < policies.size(); ++i)
    columns.push_back({printable(text_at(policies[i], "policy")), Table::Align::right});
  Table table(std::move(columns));
  for (const auto& line : kLines) {
    std::vector<std::string> cells{line.title};
    bool any = false;
    for (std::size_t i = 1; i < policies.size() && line.better != 0; ++i) {
      const auto& told = member(policies[i], "difference_to_first");
      const double mean = number_at(told, line.path).value_or(0);
      const double half = number_at(member(told, "ci95"), line.path).value_or(0);
      const bool sure = std::abs(mean) > half;
      any = any || sure;
      const auto size = text_of_kind(line.kind, std::abs(mean)) + " ±" + text_of_kind(line.kind, half);
      cells.push_back(!sure ? "-" : (mean < 0 ? "-" : "+") + size + (mean * line.better > 0 ? " better" : " worse"));
    }
    if (any) table.add(std::move(cells));
  }
  session.out << '\n';
  table.print(session.out, session.terminal.width);
}

void show_kinds(Session& session, const json::value& policy, std::string_view list, std::string_view key,
                std::string title) {
  const auto& kinds = items_of(member(policy, list));
  if (kinds.size() < 2) return;
  using Align = Table::Align;
  Table table({{std::move(title)},
               {"JOBS", Align::right},
               {"WAIT MEAN", Align::right},
               {"WAIT P99", Align::right},
               {"COMPLETION MEAN", Align::right},
               {"PREEMPTIONS", Align::right},
               {"GPU HOURS", Align::right}});
  for (const auto& kind : kinds)
    table.add({printable(text_at(kind, key)), text_at(kind, "jobs"),
               time_text(number_at(kind, "wait_seconds/mean").value_or(0)),
               time_text(number_at(kind, "wait_seconds/p99").value_or(0)),
               time_text(number_at(kind, "completion_seconds/mean").value_or(0)), text_at(kind, "preemptions"),
               fmt::format("{:.0f}", number_at(kind, "used_gpu_hours").value_or(0))});
  session.out << '\n';
  table.print(session.out, session.terminal.width);
}

void show_table(Session& session, const json::value& report) {
  const auto& policies = items_of(member(report, "policies"));
  std::vector<Table::Column> columns{{""}};
  for (const auto& policy : policies) columns.push_back({printable(text_at(policy, "policy")), Table::Align::right});
  Table table(std::move(columns));
  for (const auto& line : kLines) add_line(table, line, policies);
  table.print(session.out, session.terminal.width);
  const auto seeds = integer_at(report, "seeds").value_or(1);
  if (seeds > 1)
    session.out << fmt::format("\nMeans of {} workloads made of days of this one, with 95 % confidence.\n", seeds);
  if (seeds > 1 && policies.size() > 1) show_differences(session, policies);
  if (policies.size() != 1 || seeds > 1) return;
  show_kinds(session, policies.front(), "queues", "queue", "QUEUE");
  show_kinds(session, policies.front(), "sizes", "gpus_up_to", "GPUS UP TO");
}

// Fields of the trace that a simulation cannot use. Each kind once, with the line of the first.
void say_what_is_left_out(Session& session, const json::value& policy) {
  for (const auto& column : items_of(member(policy, "columns_left_out")))
    session.err << "note: " << printable(text_of(column)) << '\n';
  for (const auto& kind : items_of(member(policy, "passed_over"))) {
    const auto rows = integer_at(kind, "rows").value_or(0), first = integer_at(kind, "first_line").value_or(0);
    const auto which = rows == 1 ? fmt::format("line {} of the trace is skipped", first)
                                 : fmt::format("{} rows of the trace are skipped, line {} first", rows, first);
    session.err << "note: " << which << ": " << printable(text_at(kind, "why")) << '\n';
  }
}

// Jobs that can never run: the first by name, the others by number.
void say_what_never_runs(Session& session, const json::value& report, const json::value& policy) {
  const bool has_lines = text_at(report, "format") != "history";
  const auto all = integer_at(policy, "can_never_run").value_or(0);
  const auto& named = items_of(member(policy, "can_never_run_first"));
  for (const auto& job : named) {
    const auto id = printable(text_at(job, "id"));
    const auto line = fmt::format("of line {} ", integer_at(job, "line").value_or(0));
    session.err << fmt::format("note: the job {}{}can never run: {}\n", id.empty() ? id : id + " ",
                               has_lines ? line : "", printable(text_at(job, "why")));
  }
  if (const auto more = all - std::ssize(named); more > 0)
    session.err << "note: nor can " << more << (more == 1 ? " more job\n" : " more jobs\n");
  if (const auto others = integer_at(policy, "never_started").value_or(0) - all; others > 0)
    session.err << "note: " << others << " jobs never started: no later event lets them start\n";
}

// Said also if there are none: the guide tells users to look at this number.
void say_reactions(Session& session, const json::value& reactions) {
  if (!reactions.is_object()) return;
  const auto all = integer_at(reactions, "all").value_or(0), moved = integer_at(reactions, "moved").value_or(0);
  if (all == 0) session.err << "note: no submission came soon after a job of the same user ended\n";
  else
    session.err << fmt::format(
        "note: {} of the {} submissions that came soon after a job of the same user ended would "
        "have come at another time under this policy; the simulation keeps their recorded times\n",
        moved, all);
}

void say_what_is_odd(Session& session, const json::value& report) {
  const auto& policy = items_of(member(report, "policies")).front();
  const auto say = [&](const char* path, const std::string& what) {
    if (const auto count = integer_at(policy, path).value_or(0); count > 0)
      session.err << "note: " << count << ' ' << what << '\n';
  };
  say_what_is_left_out(session, policy);
  say("moved_to_default", "jobs belong to queues that the policy does not have; they used the default queue");
  say("refused", "jobs were refused; the first: " + printable(text_at(policy, "first_refusal")));
  say_reactions(session, member(policy, "reactions"));
  say_what_never_runs(session, report, policy);
}

}  // namespace

std::string figure_text(std::string_view path, double value) {
  const auto* line = std::ranges::find(kLines, path, [](const Line& one) { return std::string_view(one.path); });
  return line == std::end(kLines) ? fmt::format("{:.6g}", value) : text_of_kind(line->kind, value);
}

void show_simulation(Session& session, const json::value& report) {
  show_table(session, report);
  for (const auto& policy : items_of(member(report, "policies"))) show_accuracy(session, policy);
  say_what_is_odd(session, report);
}

}  // namespace ym::cli
