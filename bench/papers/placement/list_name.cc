#include "papers/placement/list_name.h"

namespace ym::sim::placement {

std::string list_name(std::string_view file) {
  constexpr std::string_view kBefore = "openb_pod_list_";
  if (const auto folder = file.rfind('/'); folder != std::string_view::npos) file.remove_prefix(folder + 1);
  if (file.starts_with(kBefore)) file.remove_prefix(kBefore.size());
  return std::string(file.substr(0, file.find('.')));
}

}  // namespace ym::sim::placement
