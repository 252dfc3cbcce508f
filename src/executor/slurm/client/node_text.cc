#include "executor/slurm/client/node_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/whole_number.h"
#include "executor/slurm/client/hostlist.h"
#include "executor/slurm/client/job_text.h"

namespace ym::slurm {
namespace {

using Pairs = std::map<std::string, std::string>;

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '/' || c == ':';
  });
}

std::string value(const Pairs& pairs, const std::string& name) {
  const auto found = pairs.find(name);
  return found == pairs.end() || found->second == "(null)" || found->second == "N/A" ? "" : found->second;
}

std::int64_t number(const Pairs& pairs, const std::string& name, bool& good) {
  const auto text = value(pairs, name);
  const auto read = text.empty() ? 0 : whole_number<std::int64_t>(text);
  good = good && read && *read >= 0;
  return read.value_or(0);
}

std::vector<std::string> words(std::string_view text, char separator) {
  std::vector<std::string> list;
  for (const auto word : split(text, separator))
    if (!word.empty()) list.emplace_back(word);
  return list;
}

// "IDLE*+DRAIN": the marks after a state count as states too.
std::vector<std::string> states_of(std::string_view text) {
  auto states = words(text, '+');
  const auto count = states.size();
  for (std::size_t i = 0; i < count; ++i) {
    while (!states[i].empty() && std::ispunct(static_cast<unsigned char>(states[i].back())) != 0) {
      const char mark = states[i].back();
      states[i].pop_back();
      if (mark == '*') states.emplace_back("NOT_RESPONDING");
      if (mark == '~') states.emplace_back("POWERED_DOWN");
      if (mark == '#') states.emplace_back("POWERING_UP");
      if (mark == '%') states.emplace_back("POWERING_DOWN");
      if (mark == '$') states.emplace_back("MAINTENANCE");
      if (mark == '@' || mark == '^') states.emplace_back("REBOOT_ISSUED");
    }
  }
  return states;
}

// "Not responding [slurm@2026-11-24T00:10:00]"
std::string reason_of(std::string text) {
  const auto author = text.rfind(" [");
  return author == std::string::npos ? text : text.substr(0, author);
}

std::optional<NodeRow> node_of(const Pairs& pairs) {
  bool good = true;
  NodeRow row{.name = value(pairs, "NodeName"),
              .cpus = number(pairs, pairs.contains("CPUEfctv") ? "CPUEfctv" : "CPUTot", good),
              .cpus_used = number(pairs, "CPUAlloc", good),
              .memory_mib = number(pairs, "RealMemory", good),
              .memory_mib_used = number(pairs, "AllocMem", good),
              .gres = value(pairs, "Gres"),
              .gres_used = value(pairs, "GresUsed"),
              .features = words(value(pairs, "ActiveFeatures"), ','),
              .partitions = words(value(pairs, "Partitions"), ','),
              .states = states_of(value(pairs, "State")),
              .reason = reason_of(value(pairs, "Reason")),
              .booted = parse_slurm_time(value(pairs, "BootTime")),
              .registered = parse_slurm_time(value(pairs, "SlurmdStartTime"))};
  if (!good || !is_plain_host(row.name)) return std::nullopt;
  return row;
}

// Switch levels count from the nodes: 0 is the innermost.
void add_switch(const Pairs& pairs, std::map<std::string, Pairs>& labels) {
  const auto nodes = expand_hosts(value(pairs, "Nodes"));
  if (!nodes) return;
  const bool block = pairs.contains("BlockName");
  const auto level = value(pairs, "Level");
  const auto label = block ? "block" : level.empty() || level == "0" ? "switch" : "switch-" + level;
  for (const auto& node : *nodes) labels[node].emplace(label, value(pairs, block ? "BlockName" : "SwitchName"));
}

}  // namespace

std::map<std::string, std::string> parse_pairs(std::string_view line) {
  Pairs pairs;
  std::string* last = nullptr;
  for (const auto word : split(line, ' ')) {
    const auto at = word.find('=');
    if (at != std::string_view::npos && is_name(word.substr(0, at))) {
      last = &pairs[std::string(word.substr(0, at))];
      *last = word.substr(at + 1);
    } else if (last != nullptr && !word.empty()) {
      last->append(" ").append(word);
    }
  }
  return pairs;
}

Result<std::vector<NodeRow>> parse_nodes(std::string_view text) {
  std::vector<NodeRow> rows;
  for (const auto line : split(text, '\n')) {
    if (line.empty()) continue;
    auto row = node_of(parse_pairs(line));
    if (!row)
      return fail(ErrorCode::corrupt,
                  fmt::format("Slurm's list of nodes has an invalid line: \"{}\"", line.substr(0, 120)));
    rows.push_back(std::move(*row));
  }
  return rows;
}

std::map<std::string, std::map<std::string, std::string>> parse_topology(std::string_view text) {
  std::map<std::string, Pairs> labels;
  for (const auto line : split(text, '\n')) add_switch(parse_pairs(line), labels);
  return labels;
}

Result<Facts> parse_config(std::string_view text) {
  std::map<std::string, std::string, std::less<>> config;
  for (const auto line : split(text, '\n')) {
    const auto at = line.find('=');
    if (at == std::string_view::npos) continue;
    auto name = line.substr(0, at), said = line.substr(at + 1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    while (!said.empty() && said.front() == ' ') said.remove_prefix(1);
    config.emplace(name, said);
  }
  if (!config.contains("SLURM_VERSION")) return fail(ErrorCode::corrupt, "scontrol show config shows no version");
  Facts facts{.version = config["SLURM_VERSION"],
              .keeps_accounts = config["AccountingStorageType"] == "accounting_storage/slurmdbd",
              .preempts = !config["PreemptType"].empty() && config["PreemptType"] != "preempt/none",
              .whole_nodes = config["SelectType"].ends_with("/linear")};
  const auto& wait = config["KillWait"];
  if (const auto read = whole_number<std::int64_t>(std::string_view(wait).substr(0, wait.find(' ')));
      read && *read >= 0)
    facts.kill_wait = seconds(std::min<std::int64_t>(*read, 86'400));
  return facts;
}

std::map<std::string, PartitionRow> parse_partitions(std::string_view text) {
  std::map<std::string, PartitionRow> partitions;
  for (const auto line : split(text, '\n')) {
    const auto pairs = parse_pairs(line);
    const auto name = value(pairs, "PartitionName");
    if (name.empty()) continue;
    partitions[name] = {.is_default = value(pairs, "Default") == "YES",
                        .most_minutes = parse_minutes(value(pairs, "MaxTime")),
                        .most_nodes = whole_number<std::int64_t>(value(pairs, "MaxNodes")),
                        .whole_nodes = value(pairs, "OverSubscribe") == "EXCLUSIVE"};
  }
  return partitions;
}

std::optional<std::int64_t> parse_minutes(std::string_view text) {
  std::int64_t days = 0;
  const auto dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto read = whole_number<std::int64_t>(text.substr(0, dash));
    if (!read) return std::nullopt;
    days = *read;
    text.remove_prefix(dash + 1);
  }
  std::vector<std::int64_t> numbers;
  for (const auto piece : split(text, ':')) {
    const auto read = whole_number<std::int64_t>(piece);
    if (!read || *read < 0 || *read > 100'000'000) return std::nullopt;
    numbers.push_back(*read);
  }
  if (numbers.size() > 3 || days < 0 || days > 100'000) return std::nullopt;
  // With days, the first number is hours. Without days, one number is minutes, and two are minutes and seconds.
  const bool hours_first = dash != std::string_view::npos || numbers.size() == 3;
  numbers.resize(3, 0);
  if (!hours_first) return numbers[0] + (numbers[1] > 0 ? 1 : 0);
  return days * 1440 + numbers[0] * 60 + numbers[1] + (numbers[2] > 0 ? 1 : 0);
}

std::map<std::string, std::int64_t> parse_gpus(std::string_view gres) {
  std::map<std::string, std::int64_t> gpus;
  std::string plain;  // without parentheses, where commas mean something else
  int depth = 0;
  for (const char c : gres) {
    if (c == '(') ++depth;
    if (depth == 0) plain += c;
    if (c == ')') depth = std::max(depth - 1, 0);
  }
  for (const auto item : split(plain, ',')) {
    const auto fields = split(item, ':');
    if (fields.front() != "gpu" || fields.size() > 3 || fields.size() < 2) continue;
    const auto count = whole_number<std::int64_t>(fields.back());
    if (count && *count >= 0 && *count <= 1024) gpus[fields.size() == 3 ? std::string(fields[1]) : ""] += *count;
  }
  return gpus;
}

}  // namespace ym::slurm
