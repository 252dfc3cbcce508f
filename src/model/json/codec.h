// JSON of rows and events, for stores and exports.
//
// Decoding an encoded value gives an equal value. Texts may be any bytes, so they are parsed with `allow_invalid_utf8`.
// Decoding is strict: a value without exactly the expected shape is an error `corrupt` that names the field. A field
// that was added later gets a default on decoding, so that old rows stay readable. A field that is mostly empty is left
// out while it is empty. Specs of jobs are stored separately, because the jobs of an array share one: a job refers to
// its spec by id, and the caller passes the spec.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <string>

#include "base/result.h"
#include "model/event.h"
#include "model/tables.h"

namespace ym::json {

std::string encode(const JobSpec& spec);
std::string encode(const Job& job);  // without the spec
std::string encode(const Attempt& attempt);
// The payload without its type name. `job.submitted` carries the job without its spec.
std::string encode(const EventPayload& payload);

// The id of the spec of an encoded job. decode_job needs that spec.
Result<SpecId> spec_id_of(const boost::json::value& job);

// Precondition of decode_job, and of decode_event for job.submitted: `spec` is not null.
Result<JobSpec> decode_spec(const boost::json::value& value);
Result<Job> decode_job(const boost::json::value& value, std::shared_ptr<const JobSpec> spec);
Result<Attempt> decode_attempt(const boost::json::value& value);
// `spec` is needed for job.submitted only.
Result<EventPayload> decode_event(std::string_view type, const boost::json::value& value,
                                  std::shared_ptr<const JobSpec> spec);

// --- rows with a name (model/tables.h)
template <class Row>
using RowPointer = const Row*;
using AnyNamedRow = VariantOf<OfNamedTables<RowPointer>::Tuple>;
// Precondition: not null.
std::string encode(AnyNamedRow row);
template <class Row>
  requires requires { Row::kTable; }
std::string encode(const Row& row) {
  return encode(AnyNamedRow(&row));
}

// Puts a row of this table into `tables`. Returns its name. Precondition: there is such a table.
Result<std::string> decode_into(Tables& tables, std::string_view table, const boost::json::value& value);
template <class Row>
Result<Row> decode_row(const boost::json::value& value) {
  Tables tables;
  const auto name = decode_into(tables, Row::kTable, value);
  if (!name) return std::unexpected(name.error());
  return std::move(rows_of<Row>(tables).at(*name));
}

}  // namespace ym::json
