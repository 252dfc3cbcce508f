// The certificate of the server: which files it has, and that they are read again while it runs.
#pragma once

#include <optional>
#include <string>

#include "api/http/options.h"
#include "cli/options/serve_options.h"
#include "running.h"

namespace ym {

// The files to serve with. Nothing: plain HTTP. With --tls-self-signed it makes tls.pem and tls.key in the state folder
// if they are missing. Errors: `io`.
Result<std::optional<TlsFiles>> tls_files(const ServeOptions& options, Instant now);

// The file by which clients on this machine verify the certificate; empty: by the system's authorities, or there is
// none.
std::string authority_file(const ServeOptions& options);

// Warns of addresses of this server that its certificate does not name: clients refuse it there.
void warn_of_names(const Running& running, const ServeOptions& options);

// Looks whether the certificate's files have changed, and warns before the certificate expires.
class CertificateWatch {
 public:
  // Call it at least each second. It looks once a second.
  void look(Running& running, const ServeOptions& options);

 private:
  void warn_of_end(const TlsCertificate& certificate, Instant now);

  Instant looked_at_, warned_at_;
  std::string announced_;  // fingerprint
};

}  // namespace ym
