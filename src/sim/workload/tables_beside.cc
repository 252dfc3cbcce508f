#include "sim/workload/tables_beside.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

namespace ym::sim {
namespace {

constexpr std::size_t kMostBesideBytes = std::size_t{16} << 20;

struct CloseBeside {
  void operator()(gzFile file) const { gzclose_r(file); }
};

std::optional<std::string> problem_with(gzFile file) {
  int code = Z_OK;
  gzerror(file, &code);
  if (code == Z_OK) return std::nullopt;
  if (code == Z_ERRNO) return std::strerror(errno);
  return code == Z_BUF_ERROR ? "it is cut off: its gzip stream does not end" : "its gzip stream is broken";
}

}  // namespace

Result<std::string> table_beside(const std::string& trace, const std::string& name) {
  const auto folder = std::filesystem::path(trace).parent_path() / "..";
  const std::string path = (folder / name).lexically_normal().string();
  std::error_code ignored;
  for (const auto& one : {path, path + ".gz"})
    if (std::filesystem::exists(one, ignored)) return one;
  return fail(
      ErrorCode::invalid,
      fmt::format("{}: there is neither {} nor {}.gz, which the run times of its jobs depend on; if the trace has "
                  "another format, name it with --format",
                  trace, path, path));
}

Result<std::string> read_text(const std::string& path) {
  const std::unique_ptr<gzFile_s, CloseBeside> file(gzopen(path.c_str(), "rb"));
  if (!file) return fail(ErrorCode::invalid, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  std::string text;
  std::array<char, 65536> piece{};
  for (int got = 0; (got = gzread(file.get(), piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > kMostBesideBytes)
      return fail(ErrorCode::invalid, fmt::format("{}: it has more than 16 MiB", path));
  }
  if (const auto problem = problem_with(file.get())) return fail(ErrorCode::invalid, path + ": " + *problem);
  return text;
}

}  // namespace ym::sim
