#include "papers/elastic/published.h"

#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <filesystem>

#include "sim/workload/tables_beside.h"

namespace ym::sim::elastic {
namespace json = boost::json;

Result<PublishedMeans> read_published(const std::string& folder, const std::string& experiment) {
  std::string path = fmt::format("{}/{}_summary.json", folder, experiment);
  if (!std::filesystem::exists(path)) path += ".gz";
  const auto text = read_text(path);
  if (!text) return std::unexpected(text.error());
  boost::system::error_code trouble;
  const json::value summary = json::parse(*text, trouble);
  const auto* object = trouble ? nullptr : summary.if_object();
  const auto* means = object != nullptr && object->contains("avgs") ? object->at("avgs").if_object() : nullptr;
  if (means == nullptr) return fail(ErrorCode::invalid, fmt::format("{}: there is no object 'avgs' in it", path));
  PublishedMeans published;
  for (const auto& [workload, mean] : *means) {
    if (!mean.is_number()) return fail(ErrorCode::invalid, fmt::format("{}: a mean is no number", path));
    published[std::string(workload)] = mean.to_number<double>();
  }
  return published;
}

}  // namespace ym::sim::elastic
