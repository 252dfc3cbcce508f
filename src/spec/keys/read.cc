#include "spec/keys/read.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/loopback.h"
#include "spec/job/program.h"
#include "spec/text/labels.h"
#include "spec/text/quantities.h"
#include "spec/text/text_check.h"

namespace ym::keys {
namespace {

// "a", "a or b", "a, b or c"
std::string any_of(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return text;
}

// Of "host:port/path". An IPv6 address has brackets.
std::string_view host_of(std::string_view rest) {
  if (rest.starts_with('[')) return rest.substr(1, std::max<std::size_t>(rest.find(']'), 1) - 1);
  return rest.substr(0, rest.find_first_of(":/"));
}

}  // namespace

std::optional<bool> read(const Field& field, Flag) { return spec::read_flag(field); }
std::optional<std::int64_t> read(const Field& field, Whole kind) {
  return spec::read_whole_number(field, kind.least, kind.most);
}
std::optional<Duration> read(const Field& field, Span kind) {
  return spec::read_duration(field, kind.least, kind.most);
}
std::optional<Instant> read(const Field& field, Moment) { return spec::read_time(field); }
std::optional<std::int64_t> read(const Field& field, Amount) { return spec::read_cpus(field); }
std::optional<std::int64_t> read(const Field& field, Bytes kind) {
  const auto bytes = kind.unit_wanted ? spec::read_size(field) : spec::read_bytes(field);
  if (!bytes || *bytes >= kind.least) return bytes;
  field.wrong(fmt::format("is too small; write at least {}", format_bytes(kind.least)));
  return std::nullopt;
}
std::optional<std::string> read(const Field& field, Name) { return spec::read_name(field); }
std::optional<std::map<std::string, std::string>> read(const Field& field, Labels) { return spec::read_labels(field); }
std::optional<std::string> read(const Field& field, LabelKey) { return spec::read_label_key(field); }
std::optional<std::vector<std::string>> read(const Field& field, NodeNames) { return spec::read_node_names(field); }
std::optional<Program> read(const Field& field, ProgramText) { return spec::read_program(field); }
std::optional<std::map<std::string, std::string>> read(const Field& field, Variables) {
  return spec::read_environment(field);
}
std::optional<std::string> read(const Field& field, GpuType) { return spec::read_gpu_type(field); }

std::optional<Scope> read(const Field& field, ScopeText) {
  const auto text = spec::read_string(field);
  if (!text) return std::nullopt;
  auto scope = parse_scope(*text);
  if (!scope) field.wrong("must be site, project:NAME, queue:NAME or cluster:NAME");
  return scope;
}

std::optional<std::string> read(const Field& field, GranteeText) {
  auto text = spec::read_string(field);
  if (!text || (!text->empty() && *text != "group:")) return text;
  field.wrong("must be the name of a principal, or group:NAME");
  return std::nullopt;
}

std::optional<std::string> read(const Field& field, WebAddress) {
  auto url = spec::read_string(field);
  if (!url) return url;
  const std::string_view text = *url;
  const auto after = text.find("://");
  const auto scheme = text.substr(0, after == std::string_view::npos ? 0 : after);
  const auto host = after == std::string_view::npos ? std::string_view{} : host_of(text.substr(after + 3));
  if (text.find_first_of("?# \t\n") == std::string_view::npos && !host.empty() &&
      (scheme == "https" || (scheme == "http" && is_loopback(host))))
    return url;
  field.wrong("must be an https:// URL without a query; http:// is for this machine alone");
  return std::nullopt;
}

std::optional<std::string> read(const Field& field, ClaimPointer) {
  auto pointer = spec::read_string(field);
  if (!pointer || pointer->empty() || pointer->starts_with('/')) return pointer;
  field.wrong("must be a JSON pointer, for example /groups");
  return std::nullopt;
}

std::optional<std::map<std::string, std::string>> read(const Field& field, Claims) {
  const auto entries = spec::read_entries(field);
  if (!entries) return std::nullopt;
  if (entries->empty()) field.wrong("must name at least one claim");
  std::map<std::string, std::string> claims;
  for (const auto& [name, entry] : *entries)
    if (auto text = spec::read_scalar_text(entry)) claims.emplace(name, std::move(*text));
  return claims;
}

std::optional<std::string> read(const Field& field, Text kind) {
  auto text = spec::read_string(field);
  if (!text || !kind.most) return text;
  if (text->size() <= *kind.most && !spec::has_control_characters(*text)) return text;
  field.wrong(fmt::format("is too long, or has control characters; write at most {} bytes", *kind.most));
  return std::nullopt;
}

std::optional<std::string> read(const Field& field, Path) {
  auto path = spec::read_string(field);
  if (!path || path->starts_with('/')) return path;
  field.wrong("must be an absolute path");
  return std::nullopt;
}

std::optional<std::size_t> read_word(const Field& field, std::span<const std::string_view> words) {
  const auto text = spec::read_string(field);
  if (!text) return std::nullopt;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (*text == words[i]) return i;
  field.wrong(fmt::format("{} is not known here; write {}", spec::quoted(*text), any_of(words)));
  return std::nullopt;
}

void refuse_more_than(const Field& field, std::size_t most, std::string_view what) {
  if (most > 0 && field.value->items.size() > most) field.wrong(fmt::format("more than {} {}", most, what));
}

}  // namespace ym::keys
