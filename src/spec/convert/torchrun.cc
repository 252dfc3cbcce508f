#include "spec/convert/torchrun.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

namespace ym::convert {
namespace {

constexpr std::array<std::string_view, 10> kOfTheLauncher{"nnodes",     "node-rank", "rdzv-backend", "rdzv-endpoint",
                                                          "rdzv-id",    "rdzv-conf", "master-addr",  "master-port",
                                                          "local-addr", "standalone"};
constexpr std::array<std::string_view, 6> kWithoutValue{"standalone", "module", "no-python",
                                                        "run-path",   "help",   "use-env"};
constexpr std::array<std::string_view, 17> kVariables{"MASTER_ADDR",      "MASTER_PORT",       "RANK",
                                                      "WORLD_SIZE",       "LOCAL_RANK",        "NODE_RANK",
                                                      "GROUP_RANK",       "LOCAL_WORLD_SIZE",  "PET_NNODES",
                                                      "PET_NODE_RANK",    "PET_RDZV_ID",       "PET_RDZV_CONF",
                                                      "PET_RDZV_BACKEND", "PET_RDZV_ENDPOINT", "PET_MASTER_ADDR",
                                                      "PET_STANDALONE",   "PET_MASTER_PORT"};

bool is_in(std::span<const std::string_view> list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

std::string_view base_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

// The number of words that start torchrun; 0: they do not.
std::size_t words_of_torchrun(std::span<const std::string> words) {
  if (words.empty()) return 0;
  if (base_name(words[0]) == "torchrun") return 1;
  const bool module = words.size() > 2 && base_name(words[0]).starts_with("python") && words[1] == "-m";
  return module && (words[2] == "torch.distributed.run" || words[2] == "torch.distributed.launch") ? 3 : 0;
}

// An option of torchrun, in one spelling: --nproc_per_node=8.
struct Option {
  std::string name, value;
  std::size_t words = 1;
};

std::optional<Option> option_at(std::span<const std::string> words) {
  const std::string_view word = words.front();
  if (!word.starts_with("--") || word.size() < 3) return std::nullopt;
  const auto equals = word.find('=');
  Option option{.name = std::string(word.substr(2, equals == word.npos ? equals : equals - 2)), .value = {}};
  std::ranges::replace(option.name, '_', '-');
  if (equals != word.npos) {
    option.value = word.substr(equals + 1);
  } else if (!is_in(kWithoutValue, option.name) && words.size() > 1) {
    option.value = words[1];
    option.words = 2;
  }
  return option;
}

struct Taken {
  Words run, left_out;
  std::string workers, restarts;
};

Taken take_options(std::span<const std::string> words) {
  Taken taken;
  bool no_python = false;
  while (!words.empty()) {
    // -m MODULE ends the options of torchrun.
    const auto option = option_at(words);
    if (!option) break;
    if (option->name == "nproc-per-node") taken.workers = option->value;
    else if (option->name == "max-restarts") taken.restarts = option->value;
    else if (option->name == "no-python") no_python = true;
    else if (option->name == "module") taken.run.emplace_back("-m");
    else if (is_in(kOfTheLauncher, option->name)) taken.left_out.push_back("--" + option->name);
    else if (option->name != "use-env")
      taken.run.insert(taken.run.end(), words.begin(), words.begin() + std::ptrdiff_t(option->words));
    words = words.subspan(option->words);
  }
  // After options, the launcher cannot see that the module is not a script.
  if (no_python && !taken.run.empty()) taken.run.emplace_back("--no_python");
  taken.run.insert(taken.run.end(), words.begin(), words.end());
  return taken;
}

// The words of a script that is one plain command, in which a shell only replaces variables.
std::optional<Words> plain_command(std::string_view script) {
  Words words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  while (!script.empty() && (script.back() == '\n' || script.back() == ' ')) script.remove_suffix(1);
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (c == '\\' && i + 1 < script.size() && script[i + 1] == '\n') ++i, end_word();
    else if (c == ' ' || c == '\t') end_word();
    else if (std::string_view("\n\r\\'\"`;|&<>*?[]#~!").find(c) != std::string_view::npos) return std::nullopt;
    else word += c;
  }
  end_word();
  if (!words.empty() && words.front() == "exec") words.erase(words.begin());
  return words;
}

bool is_shell(std::span<const std::string> words) {
  if (words.size() != 3 || !words[1].starts_with('-') || !words[1].ends_with('c')) return false;
  constexpr std::array<std::string_view, 3> kShells{"sh", "bash", "dash"};
  return is_in(kShells, base_name(words[0]));
}

// Without words that only a shell understands.
bool is_literal(const Taken& taken) {
  return std::ranges::none_of(taken.run,
                              [](const std::string& word) { return word.find_first_of("$(){}") != word.npos; }) &&
         !taken.workers.contains('$') && !taken.restarts.contains('$');
}

void use(Part& part, Taken taken, Remarks& remarks) {
  part.torchrun = true;
  part.run = std::move(taken.run);
  // The command line takes precedence.
  if (!taken.workers.empty()) {
    set_workers(part, taken.workers);
    part.workers.clear();
  }
  if (!taken.restarts.empty() && taken.restarts != "0")
    set_variable(part.env, "PET_MAX_RESTARTS", std::move(taken.restarts));
  if (!taken.left_out.empty())
    remarks.note(part.at, fmt::format("sets {} for torchrun, which is left out: the launcher sets where ranks meet",
                                      fmt::join(taken.left_out, ", ")));
  if (part.run.empty()) part.at.wrong("has nothing after torchrun; write the script that it starts");
}

void take_from_shell(Part& part, Remarks& remarks) {
  const std::string& script = part.run[2];
  const auto words = plain_command(script);
  const std::size_t head = words ? words_of_torchrun(*words) : 0;
  if (head > 0) {
    auto taken = take_options(std::span(*words).subspan(head));
    if (is_literal(taken)) return use(part, std::move(taken), remarks);
  }
  if (script.contains("torchrun") || script.contains("torch.distributed.run"))
    remarks.warn(part.at,
                 "starts torchrun in a shell script, which stays unchanged; to let ranks find each other, write "
                 "launcher: torchrun, and run: [SCRIPT, ARGUMENTS]");
}

}  // namespace

void take_torchrun(Part& part, Remarks& remarks) {
  if (is_shell(part.run)) return take_from_shell(part, remarks);
  const std::size_t head = words_of_torchrun(part.run);
  if (head > 0) use(part, take_options(std::span<const std::string>(part.run).subspan(head)), remarks);
}

void drop_torchrun_variables(Part& part, Remarks& remarks) {
  Words dropped;
  for (const auto name : kVariables)
    if (variable(part.env, name)) {
      dropped.emplace_back(name);
      drop_variable(part.env, name);
    }
  if (!dropped.empty())
    remarks.note(part.at,
                 fmt::format("sets {}, which is left out: the launcher torchrun sets it", fmt::join(dropped, ", ")));
}

bool is_torchrun_variable(std::string_view name) { return is_in(kVariables, name); }

void set_workers(Part& part, std::string_view workers) {
  const auto devices = part.amounts.profile.empty() ? std::max<std::int64_t>(part.amounts.gpus, 1) : 1;
  const bool as_ever =
      workers == std::to_string(devices) || ((workers == "auto" || workers == "gpu") && part.amounts.gpus > 0);
  drop_variable(part.env, "PET_NPROC_PER_NODE");
  if (!as_ever) set_variable(part.env, "PET_NPROC_PER_NODE", std::string(workers));
}

bool is_number(std::string_view workers) {
  return !workers.empty() && workers.find_first_not_of("0123456789") == workers.npos;
}

void settle_workers(Part& part, StartedBy started, Remarks& remarks) {
  const auto& workers = started.by_torchrun || !part.torchrun ? part.workers : part.program_workers;
  if (workers.empty() || variable(part.env, "PET_NPROC_PER_NODE")) return;
  const auto& at = part.workers_at.value_or(part.at);
  // The script's torchrun reads the variable itself, as it did in its pod.
  if (started.in_script) return set_variable(part.env, "PET_NPROC_PER_NODE", workers);
  if (!part.torchrun)
    return remarks.warn(
        at, fmt::format("{} is left out; torchrun does not start the program, so it must start its processes itself",
                        spec::quoted(workers)));
  set_workers(part, workers);
  if (started.by_torchrun) return;
  if (is_number(workers) && workers != "1")
    remarks.warn(at, fmt::format("{} is for torchrun, which does not start the program in Kubernetes: it ran once in "
                                 "each pod. Here the launcher starts it {} times on each node; if it starts its "
                                 "processes itself, write env: {{PET_NPROC_PER_NODE: 1}}",
                                 spec::quoted(workers), workers));
  else if (workers != part.workers && !part.workers.empty())
    remarks.note(
        at, fmt::format(
                "{} is for torchrun, which does not start the program: it runs once on each node, as it did in its pod",
                spec::quoted(part.workers)));
}

}  // namespace ym::convert
