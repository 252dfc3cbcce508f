// Input of http_load: a body, or a script of requests with times.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

[[noreturn]] inline void die(const std::string& message) {
  fmt::print(stderr, "http_load: {}\n", message);
  std::exit(2);
}

struct Line {
  std::chrono::milliseconds due;
  std::string body;
};

inline std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) die("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::vector<Line> read_script(const std::string& path) {
  std::vector<Line> lines;
  std::istringstream text(read_whole(path));
  for (std::string line; std::getline(text, line);) {
    long due = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), due);
    if (error != std::errc() || *end != ' ') die("a line of the script does not begin with its time");
    lines.push_back({std::chrono::milliseconds(due), line.substr(static_cast<std::size_t>(end + 1 - line.data()))});
  }
  return lines;
}
