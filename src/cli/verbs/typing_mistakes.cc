#include "cli/verbs/typing_mistakes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/term/text.h"
#include "spec/text/suggest.h"

namespace ym::cli {
namespace {

bool is_option(const std::string& word) { return word.starts_with('-') && word.size() > 1; }

// The innermost verb that was read: `apply` in `ym queue apply`.
const CLI::App& innermost(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? app : innermost(*verbs.front());
}

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
  return names;
}

// Options of the verb and of all verbs above it, with their dashes.
std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* at = &app; at != nullptr; at = at->get_parent())
    for (const auto* option : at->get_options())
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Compares without dashes, because all options have them.
std::string nearest_option(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& option : options_of(app)) names.push_back(option.substr(2));
  const auto typed = word.substr(0, word.find('='));
  const auto begin = std::min(typed.find_first_not_of('-'), typed.size());
  const auto near = spec::nearest(typed.substr(begin), names);
  return near ? "--" + *near : "";
}

std::string no_option(const CLI::App& app, const std::string& word) {
  const auto near = nearest_option(app, word);
  const auto where = path_of(app);
  return fmt::format(
      "{} has no option {}; {}", where, printable(word),
      near.empty() ? fmt::format("`{} --help` lists them", where) : fmt::format("did you mean {}?", near));
}

std::string no_verb(const CLI::App& app, const std::string& word) {
  const auto near = spec::nearest(word, verbs_of(app));
  const auto where = app.get_parent() == nullptr ? std::string() : " of " + path_of(app);
  const auto advice = near                          ? fmt::format("; did you mean {}?", *near)
                      : app.get_parent() == nullptr ? std::string()
                                                    : fmt::format("; there are: {}", fmt::join(verbs_of(app), ", "));
  return fmt::format("'{}' is not a verb{}{}", printable(word), where, advice);
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> words) {
  const auto shown = fmt::format("{{{}}}", fmt::join(words, ","));
  return {[words = std::move(words)](std::string& word) -> std::string {
            if (std::ranges::find(words, word) != words.end()) return {};
            const auto near = spec::nearest(word, words);
            return fmt::format("'{}' is none of {}{}", printable(word), fmt::join(words, ", "),
                               near ? fmt::format("; did you mean {}?", *near) : "");
          },
          shown};
}

std::string unknown_verb(const CLI::App& app) {
  const auto& verb = innermost(app);
  if (verbs_of(verb).empty()) return {};
  const auto rest = app.remaining(true);
  const bool begins_with_word = !rest.empty() && !is_option(rest.front());
  return begins_with_word ? rest.front() : std::string();
}

std::string refusal_of(const CLI::App& app, const CLI::ParseError& error) {
  const auto& verb = innermost(app);
  if (const auto word = unknown_verb(app); !word.empty()) return no_verb(verb, word);
  const auto rest = app.remaining(true);
  const auto mistake = std::ranges::find_if(rest, is_option);
  if (mistake != rest.end()) return no_option(verb, *mistake);
  if (!rest.empty()) return fmt::format("{} takes no '{}'", path_of(verb), printable(rest.front()));
  return error.what();
}

}  // namespace ym::cli
