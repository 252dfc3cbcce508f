#include "cli/contexts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/fd.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

std::unexpected<Error> not_contexts(const fs::path& path, std::string_view why) {
  return fail(ErrorCode::invalid,
              fmt::format("{}: {}; remove the file, and log in again with `ym login`", path.string(), why));
}

Connection read_context(const json::value& from) {
  return {.url = text_at(from, "url"),
          .token = Secret(text_at(from, "token")),
          .ca_file = text_at(from, "ca_file"),
          .fingerprint = text_at(from, "fingerprint")};
}

json::object written(const Connection& context) {
  json::object object{{"url", context.url}, {"token", context.token.reveal()}};
  if (!context.ca_file.empty()) object["ca_file"] = context.ca_file;
  if (!context.fingerprint.empty()) object["fingerprint"] = context.fingerprint;
  return object;
}

std::unexpected<Error> cannot_write(const fs::path& path) {
  return fail(ErrorCode::io, fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace

Result<fs::path> contexts_file(const EnvironmentReader& environment) {
  const auto variable = [&](const char* name) { return environment(name).value_or(""); };
  // The XDG specification: ignore relative paths.
  if (const auto xdg = variable("XDG_CONFIG_HOME"); xdg.starts_with('/'))
    return fs::path(xdg) / "yardmaster/contexts.json";
  if (const auto home = variable("HOME"); home.starts_with('/'))
    return fs::path(home) / ".config/yardmaster/contexts.json";
  return fail(ErrorCode::invalid, "the folder of contexts is not known: HOME is not set");
}

Result<Contexts> read_contexts(const EnvironmentReader& environment) {
  const auto path = contexts_file(environment);
  if (!path) return Contexts{};
  std::error_code failed;
  if (!fs::exists(*path, failed) && !failed) return Contexts{};
  std::ifstream file(*path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) return not_contexts(*path, "it cannot be read");
  boost::system::error_code bad;
  const auto parsed = json::parse(text, bad);
  const auto* all = bad ? nullptr : member(parsed, "contexts").if_object();
  if (all == nullptr) return not_contexts(*path, "it does not hold contexts");
  Contexts contexts{.current = text_at(parsed, "current"), .all = {}};
  for (const auto& [name, context] : *all) contexts.all.emplace(name, read_context(context));
  return contexts;
}

Result<void> write_contexts(const Contexts& contexts, const EnvironmentReader& environment) {
  const auto path = contexts_file(environment);
  if (!path) return std::unexpected(path.error());
  std::error_code failed;
  fs::create_directories(path->parent_path(), failed);
  json::object all;
  for (const auto& [name, context] : contexts.all) all[name] = written(context);
  const auto text = json::serialize(json::object{{"current", contexts.current}, {"contexts", std::move(all)}}) + "\n";
  const auto temporary = fs::path(path->string() + fmt::format(".{}", ::getpid()));
  {
    const Fd file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file || ::fchmod(file.get(), 0600) != 0 ||
        std::cmp_not_equal(::write(file.get(), text.data(), text.size()), text.size()))
      return cannot_write(temporary);
  }
  if (::rename(temporary.c_str(), path->c_str()) != 0) return cannot_write(*path);
  return {};
}

}  // namespace ym::cli
