// The ciphers of TLS 1.2 that this server and its clients take: with forward secrecy and authenticated encryption (RFC
// 9325, section 4.2). All of TLS 1.3 are such.
#pragma once

namespace ym {

// In the words of OpenSSL's SSL_CTX_set_cipher_list.
inline constexpr const char* kTlsCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

}  // namespace ym
