// Typing mistakes in a command line: unknown verbs, options and words of closed sets, each with the nearest known
// one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ym::cli {

// Like CLI::IsMember, but names the nearest word.
CLI::Validator one_of(std::vector<std::string> words);

// The message for words that CLI11 refused: "'cancle' is not a verb; did you mean cancel?". For other mistakes it is
// CLI11's own message. An unknown verb or option is reported before a missing argument, because it may be the cause.
std::string refusal_of(const CLI::App& app, const CLI::ParseError& error);

// The unknown word at the place of a verb; empty: there is none.
std::string unknown_verb(const CLI::App& app);

}  // namespace ym::cli
