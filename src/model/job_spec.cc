#include "model/job_spec.h"

namespace ym {

ResourceVector TaskResources::vector() const {
  ResourceVector v;
  v[ResourceKind::gpus] = gpus;
  v[ResourceKind::cpus] = cpus;
  v[ResourceKind::memory] = memory_bytes;
  return v;
}

std::string_view to_string(Launcher launcher) { return launcher == Launcher::torchrun ? "torchrun" : "none"; }

std::optional<Launcher> parse_launcher(std::string_view text) {
  if (text == "none") return Launcher::none;
  if (text == "torchrun") return Launcher::torchrun;
  return std::nullopt;
}

std::string display(const Program& program) {
  std::string line;
  for (const auto& word : program.words) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace ym
