#include "cli/verbs/access_lists.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "cli/http/url.h"
#include "cli/term/table.h"
#include "cli/term/text.h"

namespace ym::cli {

namespace json = boost::json;

void print_rows(Session& session, const json::array& rows, std::string_view id,
                void (*show)(Session&, const json::array&)) {
  if (session.format == Format::name) {
    for (const auto& row : rows) session.out << printable(text_at(row, id)) << '\n';
    return;
  }
  if (!session.is_table()) return session.print(rows);
  show(session, rows);
}

int show_list(Session& session, const std::string& path, std::string_view id,
              void (*show)(Session&, const json::array&)) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto page = api->list(path, {}, kMostRows);
  if (!page) return report(session, page.error());
  print_rows(session, page->items, id, show);
  return 0;
}

int post_row(Session& session, const std::string& path, const json::object& body,
             const std::function<void(const json::value&)>& say) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto made = api->post(path, {.content = json::serialize(body)});
  if (!made) return report(session, made.error());
  if (session.is_table()) say(*made);
  else session.print(*made);
  return 0;
}

int remove_row(Session& session, const std::string& path, const std::string& name) {
  return for_each_id(
      session, {name}, [&](Api& api, const std::string& one) { return api.remove(path + percent_encoded(one)); },
      [&](const json::array& removals) {
        for (const auto& removal : removals)
          session.out << fmt::format("{}  removed\n", printable(text_at(removal, "name")));
      },
      "name");
}

void show_bindings(Session& session, const json::array& bindings) {
  Table table({{"BINDING"}, {"ROLE"}, {"TO"}, {"SCOPE"}, {"UNTIL"}, {"BY"}});
  for (const auto& one : bindings) {
    const auto until = text_at(one, "expires_at");
    table.add({text_at(one, "id"), printable(text_at(one, "role")), printable(text_at(one, "to")),
               printable(text_at(one, "scope")), until.empty() ? "-" : until, printable(text_at(one, "created_by"))});
  }
  table.print(session.out, session.terminal.width);
}

std::vector<std::string> texts_at(const json::value& row, std::string_view name) {
  std::vector<std::string> texts;
  for (const auto& item : items_of(member(row, name))) texts.push_back(text_of(item));
  return texts;
}

}  // namespace ym::cli
