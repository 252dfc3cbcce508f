#include "cli/session.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>

#include "base/assert.h"
#include "cli/term/text.h"
#include "cli/views/json_view.h"
#include "spec/text/mistakes.h"

namespace ym::cli {

Result<Api> Session::connect() const {
  const auto found = discover(flags, environment);
  if (!found) return std::unexpected(found.error());
  auto transport = connector(found->connection);
  if (!transport) return std::unexpected(transport.error());
  const auto absent =
      found->state.empty()
          ? std::string()
          : fmt::format(
                "no server is running here: {} does not answer, and {} names it; start it with `ym serve --state {}`",
                found->connection.url, (found->state / "server.json").string(), found->state.string());
  return Api(std::move(*transport), absent);
}

void Session::print(const boost::json::value& value) const {
  YM_ASSERT(format == Format::json || format == Format::yaml);
  if (format == Format::json) print_json(out, value);
  else print_yaml(out, value);
}

Result<std::string> current_folder() {
  std::error_code failed;
  const auto folder = std::filesystem::current_path(failed);
  if (!failed) return folder.string();
  return fail(ErrorCode::invalid, "the current folder was deleted; change to another one");
}

namespace {

// The same form as the server's problems, so that a script parses only one.
boost::json::object problem_of(const Error& error) {
  boost::json::array errors;
  for (const auto& field : error.fields) errors.push_back({{"pointer", field.pointer}, {"message", field.message}});
  const auto code = to_string(error.code);
  return {{"type", fmt::format("urn:yardmaster:problem:{}", code)},
          {"code", code},
          {"detail", error.message},
          {"errors", std::move(errors)}};
}

void report_text(Session& session, const Error& error) {
  const auto lines = mistakes(error);
  const bool counted = lines.size() > 1 && lines.size() == error.fields.size();
  if (counted) session.err << fmt::format("ym: {} mistakes\n", lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    session.err << (i == 0 && !counted ? "ym: " : "  ") << printable(lines[i]) << '\n';
}

// Tells a missing token from a wrong one.
void say_which_token(Session& session) {
  const auto found = discover(session.flags, session.environment);
  if (found && !found->token_from.empty())
    session.err << fmt::format("the token of {} was sent; it was revoked, or it belongs to another server\n",
                               printable(found->token_from));
  else if (found)
    session.err << "no token was given: name its file in YM_TOKEN_FILE; an administrator makes one with `ym token "
                   "create --for NAME`, and the server's own is admin.token in its state folder\n";
}

}  // namespace

int report(Session& session, const Error& error) {
  if (session.format == Format::json || session.format == Format::yaml) {
    session.err << boost::json::serialize(problem_of(error)) << '\n';
    return to_int(exit_code_of(error.code));
  }
  report_text(session, error);
  if (error.code == ErrorCode::unauthenticated) say_which_token(session);
  return to_int(exit_code_of(error.code));
}

int for_each_id(Session& session, const std::vector<std::string>& ids,
                const std::function<Result<boost::json::value>(Api&, const std::string&)>& act,
                const std::function<void(const boost::json::array&)>& show, std::string_view key) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  boost::json::array done;
  int code = 0;
  for (const auto& id : ids) {
    auto result = act(*api, id);
    const auto* group = result ? member(*result, "items").if_array() : nullptr;
    if (group != nullptr) done.insert(done.end(), group->begin(), group->end());
    else if (result) done.push_back(std::move(*result));
    else code = worse(code, report(session, result.error()));
  }
  if (session.is_table()) {
    if (!done.empty()) show(done);
  } else if (session.format == Format::name) {
    for (const auto& item : done) session.out << text_at(item, key) << '\n';
  } else {
    session.print(done);
  }
  return code;
}

}  // namespace ym::cli
