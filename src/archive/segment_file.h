// A segment of the history as a file: lines of JSON, in gzip.
//
//   {"yardmaster_history":1,"from":1,"to":5000,"before":{"to":0,"chain":""},"erased":[{"seal":7,"digest":"..."}]}
//                                               "erased": only if erasures explain seals in it (control/audit/seal.h)
//   {"seq":1,"time":1790000000000,"type":"job.submitted","v":1,"job":1,"attempt":null,"actor":"ann","reason":"",
//    "payload":"{...}","spec":"{...}"}          each event, with its columns as the database had them; "spec":null: as
//                                               in the last line that has one
//   {"job":{...},"spec":{...},"attempts":[...]}  each job that goes with it; "spec":null as above
//   {"seal":{...}}                               the event with the seal that ends with `to`, which comes later
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "control/audit/seal.h"
#include "store/stored_event.h"

namespace ym {

inline constexpr int kHistoryFormat = 1;

// The members of an array have one specification: a line that has that of the last line with one says so. Both begin
// with an empty text.
std::string line_of(const StoredColumns& event, std::string& last_spec);
// Errors: `corrupt`.
Result<StoredColumns> event_of(const boost::json::object& line, std::string& last_spec);

// The member "erased" of the first line. Nothing: it is no entry of it.
boost::json::array erased_seals_line(const ErasedSeals& seals);
std::optional<ErasedSeal> erased_seal_of(const boost::json::value& entry);

// Without a hash, that with which the name begins, whatever the content.
std::string segment_name(std::uint64_t from, std::uint64_t to, std::string_view sha256);

class SegmentLines {
 public:
  // Errors: `io`; `not_found`: there is no such file.
  static Result<SegmentLines> open(const std::filesystem::path& path);
  SegmentLines(SegmentLines&&) noexcept;
  ~SegmentLines();
  // Nothing: the end. Errors: `corrupt`, with the number of the line.
  Result<std::optional<boost::json::object>> next();

 private:
  struct Impl;
  explicit SegmentLines(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A file that gets its name when it is complete and on disk.
class NewSegment {
 public:
  // Errors of all: `io`. No two writers share a file.
  static Result<NewSegment> create(const std::filesystem::path& folder);
  NewSegment(NewSegment&&) noexcept;
  ~NewSegment();  // removes what has no name yet
  Result<void> add(std::string_view line);
  // Returns when the file is on disk. Its path is still temporary().
  Result<void> finish();
  const std::filesystem::path& temporary() const;
  // Gives it its name, durably.
  Result<void> rename(const std::string& name);

 private:
  struct Impl;
  explicit NewSegment(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The names in it are on disk when this returns. Errors: `io`.
Result<void> sync_folder(const std::filesystem::path& folder);

// SHA-256 of a file in lower-case hex. Errors: `io`.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace ym
