#include "sim/policies/elastic/published.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <memory>

namespace ym::sim::elastic {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostBytes = std::size_t{16} << 20;

struct CloseFile {
  void operator()(gzFile file) const { gzclose_r(file); }
};

Result<std::string> read_text(const std::string& path) {
  const std::unique_ptr<gzFile_s, CloseFile> file(gzopen(path.c_str(), "rb"));
  if (!file) return fail(ErrorCode::invalid, fmt::format("cannot read {}", path));
  std::string text;
  std::array<char, 65536> piece{};
  for (;;) {
    const int bytes = gzread(file.get(), piece.data(), piece.size());
    if (bytes < 0) return fail(ErrorCode::invalid, fmt::format("{}: its gzip stream is broken", path));
    if (bytes == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(bytes));
    if (text.size() > kMostBytes) return fail(ErrorCode::too_large, fmt::format("{} is too large", path));
  }
}

}  // namespace

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
