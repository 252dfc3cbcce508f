// Rows and events as JSON: how stores keep them and how they can be exported.
//
// encode, parse and decode give back an equal value: texts may be any bytes, so they are
// parsed with `allow_invalid_utf8`. Decoding checks everything: what does
// not have exactly the expected shape is an error `corrupt` that names the field.
// A field added later gets a default on decoding, so that old rows stay readable; one that is
// mostly empty is left out while it is.
// The specs of jobs are kept apart (an array's jobs share one): a job refers to its
// spec by id, and the caller passes it in.
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

// The spec that a job, as encoded above, refers to: what decode_job wants beside it.
Result<SpecId> spec_id_of(const boost::json::value& job);

// Precondition of decode_job, and of decode_event for job.submitted: a spec.
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

// Puts a row of this table into `tables`; its name. Precondition: there is such a table.
Result<std::string> decode_into(Tables& tables, std::string_view table, const boost::json::value& value);
template <class Row>
Result<Row> decode_row(const boost::json::value& value) {
  Tables tables;
  const auto name = decode_into(tables, Row::kTable, value);
  if (!name) return std::unexpected(name.error());
  return std::move(rows_of<Row>(tables).at(*name));
}

}  // namespace ym::json
