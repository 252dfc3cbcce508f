#include <fmt/format.h>

#include <filesystem>

#include "cli/audit_heads.h"
#include "cli/discovery.h"
#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/json_view.h"
#include "study/options/history_options.h"

namespace ym::cli {
namespace {

namespace json = boost::json;
using Wanted = HistoryOptions::Wanted;

void show_segments(Session& session, const json::array& rows) {
  using enum Table::Align;
  Table table({{"FROM", right}, {"TO", right}, {"JOBS", right}, {"BYTES", right}, {"FIRST"}, {"LAST"}, {"FILE"}});
  for (const auto& row : rows)
    table.add({text_of(member(row, "from")), text_of(member(row, "to")), text_of(member(row, "jobs")),
               text_of(member(row, "bytes")), text_at(row, "first_at"), text_at(row, "last_at"), text_at(row, "name")});
  table.print(session.out, session.terminal.width);
}

void show_jobs(Session& session, const json::array& rows) {
  Table table({{"ID"}, {"NAME"}, {"USER"}, {"QUEUE"}, {"STATE"}, {"SUBMITTED"}, {"ENDED"}});
  for (const auto& row : rows)
    table.add({text_at(row, "id"), printable(text_at(row, "name")), printable(text_at(row, "user")),
               printable(text_at(row, "queue")), text_at(row, "state"), text_at(row, "submitted_at"),
               text_at(row, "ended_at")});
  table.print(session.out, session.terminal.width);
}

void show_old_events(Session& session, const json::array& rows) {
  using enum Table::Align;
  Table table({{"SEQ", right}, {"TIME"}, {"TYPE"}, {"JOB"}, {"ACTOR"}, {"REASON"}});
  for (const auto& row : rows)
    table.add({text_of(member(row, "seq")), text_at(row, "time"), text_at(row, "type"), text_at(row, "job"),
               printable(text_at(row, "actor")), printable(text_at(row, "reason"))});
  table.print(session.out, session.terminal.width);
}

struct ShownHistory {
  HistoryOptions options;
  std::string against, key;      // of kept heads
  bool trusts_erasures = false;  // also those without an event in the segments
};

// The first kept head that is another one in the segment; empty: none.
std::string other_head(const json::value& row, const KeptHeads& kept) {
  for (const auto& head : items_of(member(row, "heads"))) {
    const auto known = kept.find(integer_at(head, "to").value_or(0));
    if (known != kept.end() && known->second != text_at(head, "chain"))
      return fmt::format("{}: the seal at event {} is not the one of the kept head", text_at(row, "name"),
                         known->first);
  }
  return {};
}

// What is wrong with the segment; empty: nothing.
std::string fault_of(const json::value& row, const ShownHistory& chosen, const KeptHeads& kept) {
  if (const auto fault = text_at(row, "fault"); !fault.empty()) return fault;
  if (auto other = other_head(row, kept); !other.empty()) return other;
  const auto unproved = integer_at(row, "unproved").value_or(0);
  if (unproved == 0 || chosen.trusts_erasures) return {};
  return fmt::format(
      "{}: {} of its seals have another list, and no event erasure.set in these segments says so; if erasures are in "
      "the "
      "database still, look there and use --trust-erasures",
      text_at(row, "name"), unproved);
}

// Whether all segments are as they were sealed, and none is missing between them.
int show_verified(Session& session, const json::array& rows, const ShownHistory& chosen, const KeptHeads& kept) {
  std::size_t wrong = 0;
  for (const auto& row : rows) {
    const auto fault = fault_of(row, chosen, kept);
    const auto erased = integer_at(row, "erased").value_or(0);
    const bool follows = fault.empty() && member(row, "follows") == json::value(true);
    wrong += fault.empty() ? 0 : 1;
    if (!session.is_table()) continue;
    if (!fault.empty()) session.out << fmt::format("{}\n", printable(fault));
    else if (!follows)
      session.out << fmt::format("{}: the segment before it is not here; its own seals are right\n",
                                 text_at(row, "name"));
    if (erased > 0)
      session.out << fmt::format("{}: an erasure rewrote events of {} of its seals\n", text_at(row, "name"), erased);
  }
  if (session.is_table())
    session.out << fmt::format("{} of {} segments are as they were sealed.\n", rows.size() - wrong, rows.size());
  return wrong == 0 ? 0 : 1;
}

int show(Session& session, const ShownHistory& chosen) {
  HistoryOptions options = chosen.options;
  if (!session.program.history) return report(session, Error{ErrorCode::invalid, "this program cannot read segments"});
  if (options.folder.empty()) {
    const auto state = default_state_dir(session.environment);
    if (!state) return report(session, state.error());
    options.folder = (*state / "history").string();
  }
  const auto kept = chosen.against.empty() ? Result<KeptHeads>(KeptHeads()) : read_heads(chosen.against, chosen.key);
  if (!kept) return report(session, kept.error());
  const auto done = session.program.history(options);
  if (!done) return report(session, done.error());
  const json::value value(*done);
  const auto& rows = items_of(member(value, "items"));
  if (!session.is_table()) session.print(json::value(rows));
  if (options.wanted == Wanted::verify) return show_verified(session, rows, chosen, *kept);
  if (session.is_table()) {
    if (options.wanted == Wanted::segments) show_segments(session, rows);
    else if (options.wanted == Wanted::jobs) show_jobs(session, rows);
    else show_old_events(session, rows);
  }
  if (member(value, "more") == json::value(true))
    session.err << fmt::format("there are more than {}; see --limit\n", options.limit);
  return 0;
}

}  // namespace

void add_history(Verbs& verbs) {
  auto* history = verbs.add("history", "Old jobs and events that have left the database (on the server's machine)");
  history->require_subcommand(1);
  for (const auto& [word, help, wanted] : {std::tuple{"list", "Show the segments", Wanted::segments},
                                           {"jobs", "Show old jobs", Wanted::jobs},
                                           {"events", "Show old events", Wanted::events},
                                           {"verify", "Check the seals of all segments", Wanted::verify}}) {
    auto shown = std::make_shared<ShownHistory>();
    HistoryOptions* options = &shown->options;
    options->wanted = wanted;
    auto* verb = history->add_subcommand(word, help);
    verb->add_option("--dir", options->folder, "Folder of the segments; default: history in the default state folder");
    if (wanted == Wanted::jobs || wanted == Wanted::events) {
      verb->add_option("JOB", options->job, wanted == Wanted::jobs ? "Id or name of a job" : "Id of a job");
      verb->add_option("--user", options->user,
                       wanted == Wanted::jobs ? "Jobs of this user" : "Events that this user caused");
      verb->add_option("--limit", options->limit, "Show this many at most")->capture_default_str();
    }
    if (wanted == Wanted::verify) {
      verb->add_option("--against", shown->against, "File with kept heads (ym serve --audit-heads)");
      verb->add_option("--key", shown->key, "Key that verifies their signatures, yardmaster+...");
      verb->add_flag("--trust-erasures", shown->trusts_erasures,
                     "Take seals that an erasure changed although its event is not in these segments");
    }
    if (wanted == Wanted::events) verb->add_option("--after", options->after, "Events after this one");
    verbs.on(verb, shown, show);
  }
}

}  // namespace ym::cli
