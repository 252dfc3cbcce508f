// The version of stored documents: which fields, kinds of events and names of closed sets they may have.
//
// A database says which version wrote it. A server of an earlier version refuses it then, in place of finding unknown
// fields, which look like damage. Servers of later versions read documents of all earlier ones.
#pragma once

#include <cstdint>

namespace ym::json {

// Of databases from before there was a version.
inline constexpr std::int64_t kFirstDocumentVersion = 1;

// One more with each release that stores something new. document_version_test.cc computes the fingerprint of all that
// is stored, and fails where it has changed.
inline constexpr std::int64_t kDocumentVersion = 2;
inline constexpr std::uint64_t kDocumentFingerprint = 0x9e20ba8504a2c6e8;

}  // namespace ym::json
