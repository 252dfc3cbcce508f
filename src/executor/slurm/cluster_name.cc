#include "executor/slurm/cluster_name.h"

#include <strings.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace ym::slurm {
namespace {

std::string conf_file(const std::string& conf) {
  if (!conf.empty()) return conf;
  const char* named = std::getenv("SLURM_CONF");
  return named ? named : "/etc/slurm/slurm.conf";
}

}  // namespace

// "ClusterName=lab  # comment": keys in any letter case, the last one counts.
std::string cluster_name_in(std::string_view text) {
  constexpr std::string_view kKey = "clustername";
  std::string name;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(" \t");
    const auto equals = line.find('=');
    if (begin == std::string::npos || equals == std::string::npos) continue;
    const auto key = line.substr(begin, line.find_first_of(" \t=", begin) - begin);
    if (key.size() != kKey.size() || ::strncasecmp(key.c_str(), kKey.data(), kKey.size()) != 0) continue;
    std::istringstream(line.substr(equals + 1, line.find('#') - equals - 1)) >> name;
  }
  return name;
}

std::string cluster_name(const std::string& conf) {
  std::stringstream text;
  text << std::ifstream(conf_file(conf)).rdbuf();
  return cluster_name_in(text.str());
}

}  // namespace ym::slurm
