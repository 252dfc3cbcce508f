// The version of stored documents: which fields, event types and names of closed sets they may have.
//
// A database stores the version that wrote it. A server of an earlier version then refuses it. Without the version it
// would find unknown fields, which look like damage. A server reads the documents of all earlier versions.
#pragma once

#include <cstdint>

namespace ym::json {

// The version of databases that were written before there was a version.
inline constexpr std::int64_t kFirstDocumentVersion = 1;

// Increased by one with each release that stores something new. document_version_test.cc computes the fingerprint of
// all that is stored, and fails if it has changed.
inline constexpr std::int64_t kDocumentVersion = 2;
inline constexpr std::uint64_t kDocumentFingerprint = 0x9a651221c38df2f7;

}  // namespace ym::json
