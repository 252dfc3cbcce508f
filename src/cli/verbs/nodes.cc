#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <set>

#include "cli/http/url.h"
#include "cli/verbs/verb.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "model/cluster.h"
#include "model/resources.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct NodeOptions {
  std::string verb;
  std::string message;
  std::vector<std::string> names;
};

std::string share(const std::string& used, const std::string& total) { return used + "/" + total; }

std::vector<std::string> node_row(const json::value& node) {
  std::int64_t gpus_milli = 0;
  std::size_t broken = 0, foreign = 0;
  std::int64_t hidden = 0;
  std::set<std::string> jobs, whys;
  for (const auto& device : items_of(member(node, "devices"))) {
    gpus_milli += slice_milli(text_at(device, "profile")).value_or(kMilli);
    const auto* healthy = member(device, "healthy").if_bool();
    if (healthy != nullptr && !*healthy) ++broken;
    if (auto why = text_at(device, "message"); !why.empty()) whys.insert(std::move(why));
    const auto* foreign_use = member(device, "foreign").if_bool();
    if (foreign_use != nullptr && *foreign_use) ++foreign;
    // An older server sends one job at most.
    if (auto job = text_at(device, "job"); !job.empty()) jobs.insert(std::move(job));
    for (const auto& job : items_of(member(device, "jobs"))) jobs.insert(text_of(job));
    hidden += integer_at(device, "hidden_jobs").value_or(0);
  }
  if (hidden > 0) jobs.insert("(others)");
  const auto* schedulable = member(node, "schedulable").if_bool();
  std::string state = schedulable != nullptr && !*schedulable ? "drained" : "ready";
  if (const auto withheld = text_at(node, "withheld"); !withheld.empty()) state = withheld;
  if (foreign > 0) state += fmt::format(", {} GPU{} used by others", foreign, foreign == 1 ? "" : "s");
  if (broken > 0) state += fmt::format(", {} GPU{} unhealthy", broken, broken == 1 ? "" : "s");
  if (!whys.empty()) state += fmt::format(": {}", fmt::join(whys, "; "));
  if (const auto message = text_at(node, "message"); !message.empty()) state += " (" + message + ")";
  const auto bytes = [&](std::string_view path) { return format_bytes(integer_at(node, path).value_or(0)); };
  return {name_of(node),
          text_at(node, "cluster"),
          text_at(node, "gpu_type").empty() ? "-" : text_at(node, "gpu_type"),
          share(text_at(node, "used/gpus"), format_thousandths(gpus_milli)),
          share(text_at(node, "used/cpus"), text_at(node, "cpus")),
          share(bytes("used/memory"), bytes("memory")),
          state,
          fmt::format("{}", fmt::join(jobs, " "))};
}

// "cpu limit: cgroup v2, time limit: supervisor"
std::string enforcement_of(const json::value& node) {
  std::vector<std::string> parts;
  if (const auto* enforcement = member(node, "enforcement").if_object())
    for (const auto& [what, how] : *enforcement)
      parts.push_back(fmt::format("{}: {}", std::string_view(what), text_of(how)));
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

void show_nodes(Session& session, const json::array& nodes) {
  if (session.format == Format::name) return print_each(session.out, nodes, name_of);
  if (!session.is_table()) return session.print(nodes);
  using enum Table::Align;
  std::vector<Table::Column> columns{{"NODE"},        {"CLUSTER"},       {"TYPE"},  {"GPUS", right},
                                     {"CPUS", right}, {"MEMORY", right}, {"STATE"}, {"JOBS"}};
  const bool wide = session.format == Format::wide;
  if (wide) columns.push_back({"ENFORCED"});
  Table table(columns);
  for (const auto& node : nodes) {
    auto row = node_row(node);
    if (wide) row.push_back(enforcement_of(node));
    table.add(std::move(row));
  }
  table.print(session.out, session.terminal.width);
}

int nodes(Session& session, const NoOptions&) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto list = api->list("/api/v1/nodes", {}, kMostRows);
  if (!list) return report(session, list.error());
  show_nodes(session, list->items);
  return 0;
}

int set_nodes(Session& session, const NodeOptions& options) {
  PostBody body;
  if (!options.message.empty()) body.content = json::serialize(json::object{{"message", options.message}});
  auto api = session.connect();
  if (!api) return report(session, api.error());
  json::array done;
  int code = 0;
  for (const auto& name : options.names) {
    auto node = api->post(fmt::format("/api/v1/nodes/{}/{}", percent_encoded(name), options.verb), body);
    if (node) done.push_back(std::move(*node));
    else code = worse(code, report(session, node.error()));
  }
  if (!done.empty() || !session.is_table()) show_nodes(session, done);
  return code;
}

}  // namespace

void add_nodes(Verbs& verbs) {
  verbs.on(verbs.add("nodes", "Show the nodes, and which jobs use them"), std::make_shared<NoOptions>(), nodes);
  auto* node = verbs.add("node", "Take nodes out of service, or put them back");
  node->require_subcommand(1);
  for (const auto& [name, help] : std::initializer_list<std::pair<std::string, std::string>>{
           {"drain", "Start no new attempts on these nodes; running ones stay"},
           {"undrain", "Start attempts on these nodes again"}}) {
    auto options = std::make_shared<NodeOptions>();
    options->verb = name;
    auto* verb = node->add_subcommand(name, help);
    verb->add_option("NODE", options->names, "Names of nodes")->required();
    if (name == "drain") verb->add_option("--message", options->message, "Reason, shown in ym nodes");
    verbs.on(verb, options, set_nodes);
  }
}

}  // namespace ym::cli
