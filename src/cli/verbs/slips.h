// Slips of the keyboard in a command line: verbs, options and words of closed sets that there are not, and which was
// meant.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ym::cli {

// Like CLI::IsMember, but it names the nearest word.
CLI::Validator one_of(std::vector<std::string> words);

// What is wrong with the words that CLI11 refused: "'cancle' is not a verb; did you mean cancel?", and else what it
// says itself. A verb or an option that there is not goes before what is missing because of that.
std::string refusal_of(const CLI::App& app, const CLI::ParseError& error);

// The word that stands where a verb should, and is none; empty: there is no such word.
std::string unknown_verb(const CLI::App& app);

}  // namespace ym::cli
