#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "cli/http/url.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct CreateReservationOptions {
  std::string name, from, until, duration, flavor, cluster, message;
  std::vector<std::string> nodes, users, queues;
  std::int64_t count = 0;
  bool ignore_jobs = false;
};
struct DeleteReservationOptions {
  std::vector<std::string> names;
};

std::vector<std::string> texts_of(const json::value& list) {
  std::vector<std::string> texts;
  for (const auto& item : items_of(list)) texts.push_back(text_of(item));
  return texts;
}

// The users and queues, such as "eve, queue team"; or that it is for maintenance.
std::string allowed_text(const json::value& reservation) {
  auto allowed = texts_of(member(reservation, "users"));
  for (const auto& queue : texts_of(member(reservation, "queues"))) allowed.push_back("queue " + queue);
  return allowed.empty() ? "none (maintenance)" : fmt::format("{}", fmt::join(allowed, ", "));
}

// The first names, and the number of the others.
std::string nodes_of(const json::value& reservation) {
  constexpr std::size_t kShown = 4;
  auto nodes = texts_of(member(reservation, "nodes"));
  const std::size_t all = nodes.size();
  nodes.resize(std::min(all, kShown));
  return fmt::format("{}{}", fmt::join(nodes, ","), all > kShown ? fmt::format(" +{}", all - kShown) : "");
}

void show_reservations(Session& session, const json::array& reservations) {
  Table table({{"RESERVATION"}, {"FROM"}, {"UNTIL"}, {"NODES"}, {"FOR"}, {"MESSAGE"}});
  for (const auto& one : reservations)
    table.add({printable(name_of(one)), text_at(one, "from"), text_at(one, "until"), printable(nodes_of(one)),
               printable(allowed_text(one)), printable(text_at(one, "message"))});
  table.print(session.out, session.terminal.width);
}

void print(Session& session, const json::array& reservations) {
  if (session.format == Format::name) return print_each(session.out, reservations, name_of);
  if (!session.is_table()) return session.print(reservations);
  show_reservations(session, reservations);
}

int list_reservations(Session& session, const NoOptions&) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto page = api->list("/api/v1/reservations", {}, kMostRows);
  if (!page) return report(session, page.error());
  print(session, page->items);
  return 0;
}

json::array array_of(const std::vector<std::string>& texts) {
  json::array list;
  for (const auto& text : texts) list.emplace_back(text);
  return list;
}

json::object body_of(const CreateReservationOptions& options) {
  json::object body{{"name", options.name}};
  for (const auto& [key, text] : {std::pair{"from", &options.from}, std::pair{"until", &options.until},
                                  std::pair{"duration", &options.duration}, std::pair{"flavor", &options.flavor},
                                  std::pair{"cluster", &options.cluster}, std::pair{"message", &options.message}})
    if (!text->empty()) body[key] = *text;
  for (const auto& [key, list] :
       {std::pair{"nodes", &options.nodes}, std::pair{"users", &options.users}, std::pair{"queues", &options.queues}})
    if (!list->empty()) body[key] = array_of(*list);
  if (options.count > 0) body["node_count"] = options.count;
  if (options.ignore_jobs) body["ignore_jobs"] = true;
  return body;
}

int create_reservation(Session& session, const CreateReservationOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  auto made = api->post("/api/v1/reservations", {.content = json::serialize(body_of(options))});
  if (!made) return report(session, made.error());
  json::array one;
  one.push_back(std::move(*made));
  print(session, one);
  return 0;
}

int remove_reservation(Session& session, const DeleteReservationOptions& options) {
  return for_each_id(
      session, options.names,
      [](Api& api, const std::string& name) { return api.remove("/api/v1/reservations/" + percent_encoded(name)); },
      [&](const json::array& removals) {
        for (const auto& removal : removals) session.out << fmt::format("{}  removed\n", printable(name_of(removal)));
      },
      "name");
}

}  // namespace

void add_reservation(Verbs& verbs) {
  auto* reservation = verbs.add("reservation", "Reserve nodes for a time: for users and queues, or for maintenance");
  reservation->require_subcommand(1);
  verbs.on(reservation->add_subcommand("list", "Show the reservations"), std::make_shared<NoOptions>(),
           list_reservations);
  auto options = std::make_shared<CreateReservationOptions>();
  auto* verb =
      reservation->add_subcommand("create", "Create a reservation; without --users and --queues it is for maintenance");
  verb->add_option("NAME", options->name, "Name of the reservation")->required();
  verb->add_option("--from", options->from, "Begin, 2026-11-23T08:00:00Z; default: now");
  verb->add_option("--until", options->until, "End");
  verb->add_option("--duration", options->duration, "Length, 4h; instead of --until");
  verb->add_option("--nodes", options->nodes, "Names of nodes, n1 or n[1-4]");
  verb->add_option("--count", options->count, "Number of nodes, instead of --nodes")->check(CLI::PositiveNumber);
  verb->add_option("--flavor", options->flavor, "With --count: flavor of the nodes");
  verb->add_option("--cluster", options->cluster, "With --count: cluster of the nodes");
  verb->add_option("--users", options->users, "Users that may use the nodes, a,b")->delimiter(',');
  verb->add_option("--queues", options->queues, "Queues that may use the nodes, a,b; queues below them are included")
      ->delimiter(',');
  verb->add_option("--message", options->message, "Purpose, shown to users");
  verb->add_flag("--ignore-jobs", options->ignore_jobs, "Jobs that run when it begins go on");
  verbs.on(verb, options, create_reservation);
  auto gone = std::make_shared<DeleteReservationOptions>();
  auto* remove_verb = reservation->add_subcommand("delete", "Remove reservations");
  remove_verb->add_option("NAME", gone->names, "Names of reservations")->required();
  verbs.on(remove_verb, gone, remove_reservation);
}

}  // namespace ym::cli
