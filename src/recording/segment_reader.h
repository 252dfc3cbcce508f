// SegmentReader: reads a segment of a recording line by line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "recording/lines.h"

namespace ym {

class SegmentReader {
 public:
  struct Missed {
    std::int64_t decisions = 0;
  };
  using Line = std::variant<Event, engine::Policy, DecidedLine, Missed>;

  // Reads up to the first policy. Errors: `io`; `corrupt`: it is not a recording, or has another format. Messages name
  // file and line.
  static Result<SegmentReader> open(const std::filesystem::path& path);
  SegmentReader(SegmentReader&&) noexcept;
  SegmentReader& operator=(SegmentReader&&) noexcept;
  ~SegmentReader();

  const std::string& version() const { return version_; }  // of the program that decided
  // The state at the beginning of the segment.
  const Tables& tables() const { return tables_; }
  const engine::Policy& policy() const { return policy_; }
  // Number of policies so far with a placement of earlier versions, which is read as fgd.
  std::int64_t former_scorings() const { return former_scorings_; }

  // Nothing at the end. A segment that a crash has cut off ends with its last whole line.
  Result<std::optional<Line>> next();

 private:
  struct File;
  explicit SegmentReader(std::unique_ptr<File> file);

  Result<void> read_opening();
  Result<bool> read_row(std::string_view name, const boost::json::value& value);
  Result<bool> read_other(std::string_view name, const boost::json::value& value);
  Result<bool> read_job(const boost::json::value& value);
  Result<bool> read_spec(const boost::json::value& value);
  Result<Line> read_line(std::string_view name, const boost::json::value& value);
  Result<Event> read_event(const boost::json::value& value) const;
  std::shared_ptr<const JobSpec> spec_of(const boost::json::value& job) const;

  std::unique_ptr<File> file_;
  std::string version_;
  Tables tables_;
  engine::Policy policy_;
  std::int64_t former_scorings_ = 0;
  std::map<SpecId, std::shared_ptr<const JobSpec>> specs_;
};

}  // namespace ym
