#include "model/own_torchrun.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ym {
namespace {

using Words = std::vector<std::string_view>;

// Words of anything that may be a shell line, also after -c, split as well as is possible without a shell.
Words words_of(const Program& program) {
  constexpr std::string_view kBetween = " \t\r\n;&|\\\"'";
  Words words;
  for (std::string_view rest : program.words)
    while (!rest.empty()) {
      rest.remove_prefix(std::min(rest.find_first_not_of(kBetween), rest.size()));
      const auto end = std::min(rest.find_first_of(kBetween), rest.size());
      if (end > 0) words.push_back(rest.substr(0, end));
      rest.remove_prefix(end);
    }
  return words;
}

bool is_torchrun(const Words& words, std::size_t at) {
  if (words[at] == "torchrun" || words[at].ends_with("/torchrun")) return true;
  return at > 0 && words[at - 1] == "-m" &&
         (words[at] == "torch.distributed.run" || words[at] == "torch.distributed.launch");
}

// "1" for "--master_port 1" and for "--master-port=1". Empty: there is no such option.
std::string_view value_of(const Words& words, std::string_view option) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    const auto equals = words[at].find('=');
    std::string name(words[at].substr(0, equals));
    std::ranges::replace(name, '-', '_');
    if (name != option) continue;
    if (equals != std::string_view::npos) return words[at].substr(equals + 1);
    return at + 1 < words.size() ? words[at + 1] : std::string_view();
  }
  return {};
}

// True for "29500"; false for "0", "$PORT" and "".
bool is_fixed_port(std::string_view port) {
  return port.find_first_not_of("0123456789") == port.npos && port.find_first_not_of('0') != port.npos;
}

}  // namespace

std::optional<OwnTorchrun> own_torchrun(const Program& program) {
  const auto words = words_of(program);
  std::size_t at = 0;
  while (at < words.size() && !is_torchrun(words, at)) ++at;
  if (at == words.size()) return std::nullopt;
  const auto endpoint = value_of(words, "__rdzv_endpoint");
  const bool alone = std::ranges::find(words, "--standalone") != words.end();
  return OwnTorchrun{.names_port = is_fixed_port(value_of(words, "__master_port")) ||
                                   is_fixed_port(endpoint.substr(std::min(endpoint.rfind(':') + 1, endpoint.size()))),
                     .takes_fixed_port = value_of(words, "__rdzv_backend") == "c10d" && endpoint.empty() && !alone};
}

}  // namespace ym
