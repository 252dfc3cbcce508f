#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <set>

#include "cli/http/url.h"
#include "cli/job_view.h"
#include "cli/json_view.h"
#include "cli/submit.h"
#include "cli/verb.h"
#include "model/resources.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostRows = 100'000;

struct NoOptions {};
struct ApplyOptions {
  std::string file;
};
struct NodeOptions {
  std::string verb;
  std::string message;
  std::vector<std::string> names;
};

std::string amount(const json::value& usage, std::string_view field) {
  const auto& value = member(usage, field);
  if (value.is_null()) return field == "nominal" ? "unlimited" : "-";
  if (text_at(usage, "resource") != "memory") return text_of(value);
  const auto bytes = integer_at(usage, field);
  return bytes ? format_bytes(*bytes) : text_of(value);
}

class QueueTree {
 public:
  QueueTree(const json::array& queues, bool wide) : wide_(wide) {
    std::set<std::string> names;
    for (const auto& queue : queues) names.insert(name_of(queue));
    // A parent that is not in the list must not hide its children.
    for (const auto& queue : queues) {
      const auto parent = text_at(queue, "parent");
      children_[names.contains(parent) ? parent : ""].push_back(&queue);
    }
  }

  Table table() {
    add_below("", 0);
    return std::move(table_);
  }

 private:
  void add_below(const std::string& parent, std::size_t depth) {
    for (const auto* queue : children_[parent]) {
      add(*queue, depth);
      add_below(name_of(*queue), depth + 1);
    }
  }

  void add(const json::value& queue, std::size_t depth) {
    std::vector<std::string> first{std::string(2 * depth, ' ') + name_of(queue), text_at(queue, "counts/queued"),
                                   text_at(queue, "counts/held"), text_at(queue, "counts/active")};
    bool shown = false;
    for (const auto& usage : items_of(member(queue, "usage"))) {
      if (!wide_ && text_at(usage, "resource") != "gpus") continue;
      auto row = std::exchange(first, std::vector<std::string>(4));
      row.push_back(text_at(usage, "flavor"));
      row.push_back(text_at(usage, "resource"));
      for (const auto* field : {"nominal", "used", "borrowed"}) row.push_back(amount(usage, field));
      table_.add(std::move(row));
      shown = true;
    }
    if (!shown) table_.add(std::move(first));
  }

  bool wide_;
  std::map<std::string, std::vector<const json::value*>> children_;
  Table table_{{{"QUEUE"},
                {"QUEUED", Table::Align::right},
                {"HELD", Table::Align::right},
                {"ACTIVE", Table::Align::right},
                {"FLAVOR"},
                {"RESOURCE"},
                {"NOMINAL", Table::Align::right},
                {"USED", Table::Align::right},
                {"BORROWED", Table::Align::right}}};
};

void show_names(Session& session, const json::array& items) {
  for (const auto& item : items) session.out << name_of(item) << '\n';
}

void show_queues(Session& session, const json::array& queues) {
  if (session.format == Format::name) show_names(session, queues);
  else if (!session.is_table()) session.print(queues);
  else QueueTree(queues, session.format == Format::wide).table().print(session.out, session.terminal.width);
}

int queue(Session& session, const NoOptions&) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto queues = api->list("/api/v1/queues", {}, kMostRows);
  if (!queues) return report(session, queues.error());
  show_queues(session, queues->items);
  return 0;
}

int apply(Session& session, const ApplyOptions& options) {
  const auto text = read_input(session, options.file);
  if (!text) return report(session, text.error());
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto reply = api->post("/api/v1/queues", {.content = *text, .content_type = "application/yaml"});
  if (!reply) return report(session, reply.error());
  show_queues(session, items_of(member(*reply, "items")));
  return 0;
}

std::string share(const std::string& used, const std::string& total) { return used + "/" + total; }

std::vector<std::string> node_row(const json::value& node) {
  std::size_t gpus = 0, broken = 0;
  std::set<std::string> jobs;
  for (const auto& device : items_of(member(node, "devices"))) {
    ++gpus;
    const auto* healthy = member(device, "healthy").if_bool();
    if (healthy != nullptr && !*healthy) ++broken;
    if (auto job = text_at(device, "job"); !job.empty()) jobs.insert(std::move(job));
  }
  const auto* schedulable = member(node, "schedulable").if_bool();
  std::string state = schedulable != nullptr && !*schedulable ? "drained" : "ready";
  if (broken > 0) state += fmt::format(", {} GPUs broken", broken);
  if (const auto message = text_at(node, "message"); !message.empty()) state += " (" + message + ")";
  const auto bytes = [&](std::string_view path) { return format_bytes(integer_at(node, path).value_or(0)); };
  return {name_of(node),
          text_at(node, "cluster"),
          text_at(node, "gpu_type").empty() ? "-" : text_at(node, "gpu_type"),
          share(text_at(node, "used/gpus"), std::to_string(gpus)),
          share(text_at(node, "used/cpus"), text_at(node, "cpus")),
          share(bytes("used/memory"), bytes("memory")),
          state,
          fmt::format("{}", fmt::join(jobs, " "))};
}

void show_nodes(Session& session, const json::array& nodes) {
  if (session.format == Format::name) return show_names(session, nodes);
  if (!session.is_table()) return session.print(nodes);
  using enum Table::Align;
  Table table(
      {{"NODE"}, {"CLUSTER"}, {"TYPE"}, {"GPUS", right}, {"CPUS", right}, {"MEMORY", right}, {"STATE"}, {"JOBS"}});
  for (const auto& node : nodes) table.add(node_row(node));
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

void add_queue_verbs(Verbs& verbs) {
  auto* verb = verbs.app.add_subcommand("queue", "Show the queues with their quotas, or change them");
  auto options = std::make_shared<ApplyOptions>();
  auto* apply_verb = verb->add_subcommand("apply", "Create or replace the queues of a file");
  apply_verb->add_option("-f,--file", options->file, "A file with `queues:`; - for standard input")->required();
  verbs.on(apply_verb, options, apply);
  verb->require_subcommand(0, 1);
  // The callback of `apply` comes after this one and wins.
  verb->parse_complete_callback([&verbs] { verbs.chosen = [](Session& session) { return queue(session, {}); }; });
}

void add_node_verbs(Verbs& verbs) {
  verbs.on(verbs.app.add_subcommand("nodes", "Show the nodes and who uses them"), std::make_shared<NoOptions>(), nodes);
  auto* node = verbs.app.add_subcommand("node", "Take nodes out of service, or back into it");
  node->require_subcommand(1);
  for (const auto& [name, help] : std::initializer_list<std::pair<std::string, std::string>>{
           {"drain", "Start nothing more on these nodes; what runs there stays"},
           {"undrain", "Use these nodes again"}}) {
    auto options = std::make_shared<NodeOptions>();
    options->verb = name;
    auto* verb = node->add_subcommand(name, help);
    verb->add_option("NODE", options->names, "Names of nodes")->required();
    if (name == "drain") verb->add_option("--message", options->message, "Why, for others to read");
    verbs.on(verb, options, set_nodes);
  }
}

}  // namespace

void add_cluster(Verbs& verbs) {
  add_queue_verbs(verbs);
  add_node_verbs(verbs);
}

}  // namespace ym::cli
