#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>

#include "cli/audit_export.h"
#include "cli/audit_heads.h"
#include "cli/http/url.h"
#include "cli/term/table.h"
#include "cli/term/text.h"
#include "cli/verbs/typing_mistakes.h"
#include "cli/verbs/verb.h"
#include "cli/views/audit_formats.h"
#include "cli/views/json_view.h"
#include "net/sinks/sink.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct AuditOptions {
  std::string actor, verb, object, outcome;
  std::int64_t after = 0;
  std::size_t limit = 10'000;
  std::string format = "jsonl";
};

struct ExportOptions {
  AuditOptions records;
  bool follow = false;
  std::string to, to_ca, to_token, state;
};

std::vector<std::pair<std::string, std::string>> filters_of(const AuditOptions& options) {
  return {{"actor", options.actor}, {"verb", options.verb}, {"object", options.object}, {"outcome", options.outcome}};
}

Result<Api::List> read_records(Api& api, const AuditOptions& options) {
  auto parameters = filters_of(options);
  parameters.emplace_back("after", options.after > 0 ? std::to_string(options.after) : "");
  return api.list("/api/v1/audit", std::move(parameters), options.limit);
}

void say_if_more(Session& session, const Api::List& records) {
  if (records.more && !records.items.empty())
    session.err << fmt::format("there are more records; continue with --after {}\n",
                               text_at(records.items.back(), "seq"));
}

std::string outcome_of(const json::value& record) {
  const auto code = text_at(record, "code");
  return text_at(record, "outcome") + (code.empty() ? "" : ": " + code);
}

int list_records(Session& session, const AuditOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto records = read_records(*api, options);
  if (!records) return report(session, records.error());
  if (!session.is_table()) return session.print(records->items), 0;
  using enum Table::Align;
  Table table({{"SEQ", right}, {"TIME"}, {"ACTOR"}, {"VERB"}, {"OBJECT"}, {"OUTCOME"}, {"TIMES", right}, {"FROM"}});
  for (const auto& one : records->items)
    table.add({text_at(one, "seq"), text_at(one, "time"), printable(text_at(one, "actor")), text_at(one, "verb"),
               printable(text_at(one, "object")), outcome_of(one), text_of(member(one, "count")),
               printable(text_at(one, "source"))});
  table.print(session.out, session.format == Format::wide ? 0 : session.terminal.width);
  say_if_more(session, *records);
  return 0;
}

int follow_records(Session& session, const ExportOptions& options, AuditFormat format) {
  const bool is_json = format != AuditFormat::cef;
  const auto sink = net::Sink::open({.address = options.to,
                                     .ca_file = options.to_ca,
                                     .token_file = options.to_token,
                                     .kind = "audit",
                                     .content_type = is_json ? "application/x-ndjson" : "text/plain; charset=utf-8"});
  if (!sink) return report(session, Error{sink.error().code, "--to: " + sink.error().message});
  session.watch_interrupt();
  const auto done = follow_audit(session,
                                 {.filters = filters_of(options.records),
                                  .format = format,
                                  .after = options.records.after,
                                  .state = options.state},
                                 *sink);
  return done ? 0 : report(session, done.error());
}

int export_records(Session& session, const ExportOptions& wanted) {
  const auto& options = wanted.records;
  const auto format = parse_enum<AuditFormat>(options.format).value_or(AuditFormat::jsonl);
  if (wanted.follow) return follow_records(session, wanted, format);
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto records = read_records(*api, options);
  if (!records) return report(session, records.error());
  for (const auto& one : records->items) session.out << audit_line(one, format) << '\n';
  say_if_more(session, *records);
  return 0;
}

struct VerifyOptions {
  std::string against, key;
};

struct Verified {
  json::value part;  // the last one
  std::int64_t seals = 0, erased = 0;
  std::size_t compared = 0;
  std::int64_t from = 0;                // the first event in the database
  std::size_t older = 0;                // kept heads of segments of the history
  std::optional<std::int64_t> differs;  // the first kept head that is another one now
};

Result<Verified> verify_all(Api& api, const KeptHeads& kept) {
  Verified all;
  for (;;) {
    auto part = api.get(target(
        "/api/v1/audit/verification",
        {{"to", text_at(all.part, "to")}, {"chain", text_at(all.part, "chain")}, {"seal", text_at(all.part, "seal")}}));
    if (!part) return std::unexpected(part.error());
    all.part = std::move(*part);
    if (all.from == 0) all.from = integer_at(all.part, "from").value_or(1);
    all.erased += integer_at(all.part, "erased").value_or(0);
    for (const auto& head : items_of(member(all.part, "heads"))) {
      all.seals += integer_at(head, "to").value_or(0) >= all.from ? 1 : 0;
      const auto known = kept.find(integer_at(head, "to").value_or(0));
      if (known == kept.end()) continue;
      ++all.compared;
      if (known->second != text_at(head, "chain") && !all.differs) all.differs = known->first;
    }
    if (member(all.part, "more") != json::value(true)) break;
  }
  // The head with which the last segment ends is compared here, too.
  for (const auto& [to, chain] : kept) all.older += to + 1 < all.from ? 1 : 0;
  return all;
}

// Why the log is not what it was; empty: it is.
std::string fault_of(const Verified& all, const KeptHeads& kept) {
  if (const auto seq = text_at(all.part, "fault/seq"); !seq.empty())
    return fmt::format("event {}: {}", seq, text_at(all.part, "fault/message"));
  if (all.differs) return fmt::format("the seal at event {} is not the one of the kept head", *all.differs);
  if (const auto found = all.compared + all.older; found < kept.size())
    return fmt::format("{} of {} kept heads are not in the log: its end was cut off, or it was made anew",
                       kept.size() - found, kept.size());
  return {};
}

void show_valid(Session& session, const Verified& all, const KeptHeads& kept, bool with_key) {
  const auto to = integer_at(all.part, "to").value_or(0);
  const auto unsealed = integer_at(all.part, "as_of").value_or(0) - to;
  session.out << fmt::format("Events {} to {} are as they were sealed ({} seals); {} later ones are not sealed yet.\n",
                             all.from, to, all.seals, unsealed);
  if (all.erased > 0)
    session.out << fmt::format(
        "{} of these seals have events that an erasure rewrote; each erasure is an event, erasure.set.\n", all.erased);
  if (all.from > 1)
    session.out << "Earlier ones are in segments of the history: ym history verify on the server's machine.\n";
  if (const auto since = text_at(all.part, "unsealed_since"); !since.empty())
    session.out << fmt::format("The oldest of these is of {}; the server seals them once a minute.\n", since);
  session.out << fmt::format("Head: {} {}\n", to, text_at(all.part, "chain"));
  if (kept.empty()) session.out << "Only a kept head shows that the end was not cut off (--against).\n";
  else
    session.out << fmt::format(
        "{} kept heads are in the log{}{}.\n", all.compared,
        all.older == 0 ? "" : fmt::format(", {} are older than it (ym history verify --against)", all.older),
        with_key ? "" : "; their signatures were not verified (--key)");
}

int verify(Session& session, const VerifyOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  if (options.against.empty() && !options.key.empty())
    return report(session, Error{ErrorCode::invalid, "--key verifies kept heads: give --against FILE, too"});
  const auto kept = options.against.empty() ? Result<KeptHeads>(KeptHeads()) : read_heads(options.against, options.key);
  if (!kept) {
    report(session, kept.error());
    return kept.error().code == ErrorCode::conflict ? 1 : 2;
  }
  const auto all = verify_all(*api, *kept);
  if (!all) return report(session, all.error());
  const auto fault = fault_of(*all, *kept);
  const auto to = integer_at(all->part, "to").value_or(0);
  const auto unsealed = integer_at(all->part, "as_of").value_or(0) - to;
  if (!session.is_table()) {
    session.print(json::object{{"valid", fault.empty()},
                               {"fault", fault.empty() ? json::value(nullptr) : json::value(fault)},
                               {"from", all->from},
                               {"to", to},
                               {"chain", text_at(all->part, "chain")},
                               {"seals", all->seals},
                               {"erased", all->erased},
                               {"unsealed", unsealed},
                               {"unsealed_since", member(all->part, "unsealed_since")},
                               {"compared", all->compared},
                               {"older", all->older}});
  } else if (fault.empty()) {
    show_valid(session, *all, *kept, !options.key.empty());
  } else {
    session.out << fmt::format("The log is not as it was: {}\n", printable(fault));
  }
  return fault.empty() ? 0 : 1;
}

void add_filters(CLI::App& verb, AuditOptions& options) {
  verb.add_option("--actor", options.actor, "Only requests of this user");
  verb.add_option("--verb", options.verb, "Only this verb: a permission, jobs.cancel; or login");
  verb.add_option("--object", options.object, "Only this object: job:ID, queue:NAME, ...");
  verb.add_option("--outcome", options.outcome, "done or refused")->check(one_of({"done", "refused"}));
  verb.add_option("--after", options.after, "Only records after this event")->check(CLI::NonNegativeNumber);
  verb.add_option("--limit", options.limit, "At most this number of records")->check(CLI::PositiveNumber);
}

void add_sink(CLI::App& verb, ExportOptions& options) {
  auto* follow = verb.add_flag("--follow", options.follow,
                               "Give the records to --to for ever; waits where the server or that place is away");
  auto* to = verb.add_option(
      "--to", options.to,
      "Where the records go: syslog+tls://HOST:PORT, syslog://HOST:PORT (in clear), https://... or a file");
  auto* state = verb.add_option("--state", options.state, "File that keeps the place in the log over restarts");
  follow->needs(to)->needs(state)->excludes(verb.get_option("--limit"));
  to->needs(follow);
  state->needs(follow);
  verb.add_option("--to-ca", options.to_ca, "Authorities of --to, PEM; default: the system's")->needs(to);
  verb.add_option("--to-token-file", options.to_token, "File with a bearer token for a URL")->needs(to);
}

}  // namespace

void add_audit(Verbs& verbs) {
  auto* audit = verbs.add("audit", "Show who changed what, what was refused, and who read what belongs to others");
  audit->require_subcommand(1);
  auto shown = std::make_shared<AuditOptions>();
  auto* list = audit->add_subcommand("list", "Show records of requests, oldest first");
  add_filters(*list, *shown);
  verbs.on(list, shown, list_records);
  auto checked = std::make_shared<VerifyOptions>();
  auto* check =
      audit->add_subcommand("verify", "Check that no event was changed, removed or added; exits with 1 if one was");
  check->add_option("--against", checked->against, "File with kept heads (ym serve --audit-heads)");
  check->add_option("--key", checked->key,
                    "Key that verifies their signatures, yardmaster+...; the server's log shows it");
  verbs.on(check, checked, verify);
  auto given = std::make_shared<ExportOptions>();
  auto* out = audit->add_subcommand("export", "Write records in the format of another system, one a line");
  add_filters(*out, given->records);
  add_sink(*out, *given);
  out->add_option("--format", given->records.format, "jsonl, k8s (audit.k8s.io/v1), cadf, ocsf or cef")
      ->check(one_of({"jsonl", "k8s", "cadf", "ocsf", "cef"}))
      ->capture_default_str();
  verbs.on(out, given, export_records);
}

}  // namespace ym::cli
