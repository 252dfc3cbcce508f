#include "api/http/self_signed.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <memory>

#include "base/assert.h"

namespace ym::api {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Extension = std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)>;

constexpr int kDaysValid = 3650;

std::unexpected<Error> broken() {
  const char* why = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return fail(ErrorCode::internal, fmt::format("no certificate could be made: {}", why ? why : "no memory"));
}

bool is_address(const std::string& name) {
  const std::unique_ptr<ASN1_OCTET_STRING, decltype(&ASN1_OCTET_STRING_free)> parsed(a2i_IPADDRESS(name.c_str()),
                                                                                     ASN1_OCTET_STRING_free);
  return parsed != nullptr;
}

std::string alternative_names(std::span<const std::string> names) {
  std::string text;
  for (const auto& name : names)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", is_address(name) ? "IP" : "DNS", name);
  return text;
}

bool extend(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()), X509_EXTENSION_free);
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool set_serial(X509* certificate) {
  std::uint64_t number = 0;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&number), sizeof number) != 1) return false;
  return ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), (number >> 1) | 1) == 1;
}

bool set_name(X509* certificate) {
  constexpr std::string_view kName = "Yardmaster";
  X509_NAME* name = X509_get_subject_name(certificate);
  const auto* text = reinterpret_cast<const unsigned char*>(kName.data());
  return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, static_cast<int>(kName.size()), -1, 0) == 1 &&
         X509_set_issuer_name(certificate, name) == 1;
}

bool set_times(X509* certificate, Instant now) {
  auto seconds = static_cast<std::time_t>(now.ms / 1000);
  return X509_time_adj_ex(X509_getm_notBefore(certificate), -1, 0, &seconds) != nullptr &&
         X509_time_adj_ex(X509_getm_notAfter(certificate), kDaysValid - 1, 0, &seconds) != nullptr;
}

Certificate make_certificate(EVP_PKEY* key, std::span<const std::string> names, Instant now) {
  Certificate made(X509_new(), X509_free);
  // An authority for itself only: clients that trust the file trust nothing that it could sign.
  const bool done = made && X509_set_version(made.get(), 2) == 1 && set_serial(made.get()) && set_name(made.get()) &&
                    set_times(made.get(), now) && X509_set_pubkey(made.get(), key) == 1 &&
                    extend(made.get(), NID_basic_constraints, "critical,CA:FALSE") &&
                    extend(made.get(), NID_key_usage, "critical,digitalSignature") &&
                    extend(made.get(), NID_ext_key_usage, "serverAuth") &&
                    extend(made.get(), NID_subject_key_identifier, "hash") &&
                    extend(made.get(), NID_subject_alt_name, alternative_names(names)) &&
                    X509_sign(made.get(), key, EVP_sha256()) > 0;
  if (!done) made.reset();
  return made;
}

std::string text_of(const Bio& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace

Result<SelfSigned> make_self_signed(std::span<const std::string> names, Instant now) {
  YM_ASSERT(!names.empty());
  std::string curve = "P-256";
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", curve.data()), EVP_PKEY_free);
  if (!key) return broken();
  const auto certificate = make_certificate(key.get(), names, now);
  if (!certificate) return broken();
  const Bio public_part(BIO_new(BIO_s_mem()), BIO_free), private_part(BIO_new(BIO_s_secmem()), BIO_free);
  if (!public_part || !private_part || PEM_write_bio_X509(public_part.get(), certificate.get()) != 1 ||
      PEM_write_bio_PrivateKey(private_part.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return broken();
  return SelfSigned{.certificate = text_of(public_part), .key = Secret(text_of(private_part))};
}

}  // namespace ym::api
