#include "cli/contexts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <utility>

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

constexpr std::streamsize kLargestFile = 1 << 20;

// Nothing: it cannot be read, or is too large.
std::optional<std::string> read_bounded(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return std::nullopt;
  std::ifstream file(path);
  std::string text(static_cast<std::size_t>(kLargestFile), '\0');
  if (!file) return std::nullopt;
  file.read(text.data(), kLargestFile);
  if (file.bad() || file.gcount() == kLargestFile) return std::nullopt;
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
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
  const auto text = read_bounded(*path);
  if (!text) return not_contexts(*path, "it cannot be read");
  boost::system::error_code bad;
  const auto parsed = json::parse(*text, bad);
  const auto* all = bad ? nullptr : member(parsed, "contexts").if_object();
  if (all == nullptr) return not_contexts(*path, "it does not hold contexts");
  Contexts contexts{.current = text_at(parsed, "current"), .all = {}};
  for (const auto& [name, context] : *all) {
    contexts.all.emplace(name, read_context(context));
    if (contexts.all.at(name).url.empty())
      return not_contexts(*path, fmt::format("context '{}' has no url", std::string(name)));
  }
  return contexts;
}

namespace {

std::string text_of_file(const Contexts& contexts) {
  json::object all;
  for (const auto& [name, context] : contexts.all) all[name] = written(context);
  return json::serialize(json::object{{"current", contexts.current}, {"contexts", std::move(all)}}) + "\n";
}

// By a file beside it: readers see the old content or the new one. A link stays one.
Result<void> replace(const fs::path& path, const std::string& text) {
  std::error_code failed;
  const auto target = fs::exists(path, failed) ? fs::canonical(path, failed) : path;
  std::string temporary = target.string() + ".XXXXXX";  // mkostemp fills it in
  const Fd file(::mkostemp(temporary.data(), O_CLOEXEC));
  const bool done = file && ::fchmod(file.get(), 0600) == 0 &&
                    std::cmp_equal(::write(file.get(), text.data(), text.size()), text.size()) &&
                    ::fsync(file.get()) == 0 && ::rename(temporary.c_str(), target.c_str()) == 0;
  if (done) return {};
  const auto failure = cannot_write(path);
  if (file) ::unlink(temporary.c_str());
  return failure;
}

}  // namespace

Result<void> update_contexts(const EnvironmentReader& environment, const std::function<void(Contexts&)>& change) {
  const auto path = contexts_file(environment);
  if (!path) return std::unexpected(path.error());
  std::error_code failed;
  fs::create_directories(path->parent_path(), failed);
  if (!failed) fs::permissions(path->parent_path(), fs::perms::owner_all, failed);
  const Fd lock(::open((path->string() + ".lock").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock || ::flock(lock.get(), LOCK_EX) != 0) return cannot_write(*path);
  auto contexts = read_contexts(environment);
  if (!contexts) return std::unexpected(contexts.error());
  change(*contexts);
  return replace(*path, text_of_file(*contexts));
}

}  // namespace ym::cli
