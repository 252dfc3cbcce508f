#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <map>
#include <set>

#include "cli/http/url.h"
#include "cli/input_file.h"
#include "cli/term/text.h"
#include "cli/verbs/queue_stops.h"
#include "cli/verbs/verb.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "model/resources.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct ApplyOptions {
  std::string file;
};
struct DeleteOptions {
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
    // A queue is a root if its parent is missing from the list.
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
  void add_below(const std::string& parent, std::size_t depth, const std::string& stop = "") {
    for (const auto* queue : children_[parent]) {
      const auto own = stop_of(*queue, stop);
      add(*queue, depth, own);
      add_below(name_of(*queue), depth + 1, own);
    }
  }

  // A hold of a parent counts for its children.
  static std::string stop_of(const json::value& queue, const std::string& above) {
    const auto own = text_at(queue, "policy/stop");
    if (own == "hold-and-drain" || above == "drained") return "drained";
    return own == "hold" || above == "held" ? "held" : "";
  }

  void add(const json::value& queue, std::size_t depth, const std::string& stop) {
    std::vector<std::string> first{
        std::string(2 * depth, ' ') + name_of(queue) + (stop.empty() ? "" : " (" + stop + ")"),
        text_at(queue, "counts/queued"), text_at(queue, "counts/held"), text_at(queue, "counts/active")};
    bool shown = false;
    for (const auto& usage : items_of(member(queue, "usage"))) {
      if (!wide_ && text_at(usage, "resource") != "gpus") continue;
      auto row = std::exchange(first, std::vector<std::string>(4));
      row.push_back(text_at(usage, "flavor"));
      row.push_back(text_at(usage, "resource"));
      for (const auto* field : {"nominal", "used", "borrowed", "lately"}) row.push_back(amount(usage, field));
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
                {"BORROWED", Table::Align::right},
                {"LATELY", Table::Align::right}}};
};

void show_queues(Session& session, const json::array& queues) {
  if (session.format == Format::name) print_each(session.out, queues, name_of);
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

// Decayed usage of each user, similar to `sshare`.
int users(Session& session, const NoOptions&) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto queues = api->list("/api/v1/queues", {}, kMostRows);
  if (!queues) return report(session, queues.error());
  if (!session.is_table()) {
    json::array all;
    for (const auto& queue : queues->items)
      for (auto user : items_of(member(queue, "users"))) {
        user.as_object()["queue"] = name_of(queue);
        all.push_back(std::move(user));
      }
    session.print(all);
    return 0;
  }
  using enum Table::Align;
  Table table({{"QUEUE"}, {"USER"}, {"FLAVOR"}, {"GPUS", right}, {"CPUS", right}, {"MEMORY", right}});
  for (const auto& queue : queues->items)
    for (const auto& user : items_of(member(queue, "users")))
      table.add({name_of(queue), text_at(user, "user"), text_at(user, "flavor"), text_at(user, "lately/gpus"),
                 text_at(user, "lately/cpus"), format_bytes(integer_at(user, "lately/memory").value_or(0))});
  table.print(session.out, session.terminal.width);
  return 0;
}

std::string limit(const json::value& quota, std::string_view field, bool memory) {
  const auto& value = member(quota, field);
  if (value.is_null()) return "-";
  const auto bytes = integer_at(quota, field);
  return memory && bytes ? format_bytes(*bytes) : text_of(value);
}

// Shows the queues as they were set. Their usage is not shown.
void show_quotas(Session& session, const json::array& queues) {
  if (!session.is_table()) return show_queues(session, queues);
  using enum Table::Align;
  Table table({{"QUEUE"},
               {"PARENT"},
               {"PREEMPT"},
               {"FLAVOR"},
               {"RESOURCE"},
               {"NOMINAL", right},
               {"BORROW", right},
               {"LEND", right}});
  for (const auto& queue : queues) {
    std::vector<std::string> first{name_of(queue), text_at(queue, "parent"), text_at(queue, "policy/preempt")};
    const auto& flavors = member(queue, "quota");
    if (!flavors.is_object() || flavors.get_object().empty()) {
      table.add(first);
      continue;
    }
    for (const auto& [flavor, kinds] : flavors.get_object())
      for (const auto& [kind, quota] : kinds.as_object()) {
        auto row = std::exchange(first, std::vector<std::string>(3));
        row.insert(row.end(), {flavor, kind});
        for (const auto* field : {"nominal", "borrow", "lend"}) row.push_back(limit(quota, field, kind == "memory"));
        table.add(std::move(row));
      }
  }
  table.print(session.out, session.terminal.width);
}

int apply(Session& session, const ApplyOptions& options) {
  const auto text = read_text_file(session, options.file);
  if (!text) return report(session, text.error());
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto reply = api->post("/api/v1/queues", {.content = *text, .content_type = "application/yaml"});
  if (!reply) return report_in_file(session, options.file, reply.error());
  show_quotas(session, items_of(member(*reply, "items")));
  return 0;
}

int delete_queues(Session& session, const DeleteOptions& options) {
  return for_each_id(
      session, options.names,
      [](Api& api, const std::string& name) { return api.remove("/api/v1/queues/" + percent_encoded(name)); },
      [&](const json::array& removals) {
        for (const auto& removal : removals) {
          const auto* gone = member(removal, "removed").if_bool();
          session.out << fmt::format(
              "{}  {}\n", printable(name_of(removal)),
              gone != nullptr && *gone ? "removed" : "takes no new jobs; the server removes it after its last job");
        }
      },
      "name");
}

}  // namespace

void add_queue(Verbs& verbs) {
  auto* verb = verbs.add("queue", "Show the queues with their quotas, or change them");
  auto options = std::make_shared<ApplyOptions>();
  auto* apply_verb = verb->add_subcommand("apply", "Create or replace the queues of a file");
  apply_verb->add_option("-f,--file", options->file, "A file with `queues:`; - for standard input")->required();
  verbs.on(apply_verb, options, apply);
  verbs.on(verb->add_subcommand("list", "The same as `ym queue`"), std::make_shared<NoOptions>(), queue);
  verbs.on(verb->add_subcommand("users", "Show decayed usage of each user in each queue"),
           std::make_shared<NoOptions>(), users);
  auto names = std::make_shared<DeleteOptions>();
  auto* delete_verb =
      verb->add_subcommand("delete", "Remove queues; a queue in use takes no new jobs and is removed later");
  delete_verb->add_option("NAME", names->names, "Names of queues")->required();
  verbs.on(delete_verb, names, delete_queues);
  add_queue_stops(verbs, *verb);
  verb->require_subcommand(0, 1);
  // The callback of `apply` runs after this one and takes precedence.
  verb->parse_complete_callback([&verbs] { verbs.chosen = [](Session& session) { return queue(session, {}); }; });
}

}  // namespace ym::cli
