#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

void show_decisions(Session& session, std::string_view title, const json::value& decided) {
  session.out << "  " << title << ":\n";
  const auto& decisions = items_of(member(decided, "decisions"));
  for (const auto& decision : decisions) session.out << "    " << printable(decision.as_string()) << '\n';
  if (decisions.empty()) session.out << "    nothing\n";
}

void show_difference(Session& session, const json::value& difference) {
  session.out << fmt::format("\nat {}, after event {}:\n", printable(text_at(difference, "time")),
                             integer_at(difference, "version").value_or(0));
  show_decisions(session, "recorded", member(difference, "recorded"));
  show_decisions(session, "now", member(difference, "replayed"));
}

void show_replay(Session& session, const json::value& report) {
  const auto count = [&](const char* field) { return integer_at(report, field).value_or(0); };
  session.out << fmt::format("{} decisions of version {}, {} events, {} to {}\n", count("decisions"),
                             printable(text_at(report, "version")), count("events"),
                             printable(text_at(report, "first")), printable(text_at(report, "last")));
  session.out << fmt::format("{} the same to the last byte", count("same"));
  if (count("same_but_reasons") > 0)
    session.out << fmt::format(", {} differ only in why jobs wait", count("same_but_reasons"));
  session.out << fmt::format(", {} different\n", count("different"));
  if (count("former_scoring") > 0)
    session.err << fmt::format(
        "ym: warning: {} times the recording sets placement to final-waste, which is not supported any more; fgd is "
        "used\n",
        count("former_scoring"));
  if (count("missed") > 0) session.err << "note: " << count("missed") << " decisions were not recorded\n";
  for (const auto& difference : items_of(member(report, "differences"))) show_difference(session, difference);
}

int replay(Session& session, const ReplayArguments& arguments) {
  if (!session.program.replay)
    return report(session, Error{ErrorCode::invalid, "this program cannot replay recordings"});
  const auto done = session.program.replay(arguments);
  if (!done) return report(session, done.error());
  const json::value value(*done);
  if (session.is_table()) show_replay(session, value);
  else session.print(value);
  return integer_at(value, "different").value_or(0) == 0 ? 0 : 1;
}

}  // namespace

void add_replay(Verbs& verbs) {
  auto arguments = std::make_shared<ReplayArguments>();
  auto* verb = verbs.add("replay", "Repeat recorded decisions, and compare");
  verb->add_option("RECORDING", arguments->recordings, "Segments that `ym serve --record` wrote, or their folder")
      ->required();
  verb->add_option("--policy", arguments->policy, "File with queues and settings for the decisions");
  verb->add_option("--differences", arguments->most_differences, "Show this number of differences; 0: all")
      ->capture_default_str();
  verbs.on(verb, arguments, replay);
}

}  // namespace ym::cli
