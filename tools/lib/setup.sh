# Installs what is needed. Its functions take `product` for what building the programs and playing the demo need,
# or nothing for what the tests need, too.

debian_packages() {
  local lists=("$YM_ROOT/tools/debian-packages.txt")
  [ "${1:-}" = product ] || lists+=("$YM_ROOT/tools/debian-packages-tests.txt")
  sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "${lists[@]}"
}

is_debian_12() {
  [ -r /etc/os-release ] && (
    # shellcheck source=/dev/null
    . /etc/os-release
    [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ]
  )
}

listed() { paste -sd' ' | fold -s -w 88 | sed 's/^/    /'; }

explain_other_systems() {
  cat >&2 <<TEXT
tools/dev installs packages on Debian 12 only, and this is another system.

The programs need: clang 19 or newer (g++ 12 miscompiles coroutines), mold, CMake 3.25, Ninja;
Boost 1.81 or newer (JSON, URL, Asio, Beast), OpenSSL 3, SQLite 3, libpq, yaml-cpp, CLI11, fmt,
spdlog, prometheus-cpp, libsodium, RE2, libcsv, zlib, jemalloc, Chart.js. The demo needs Python 3.11
with PyTorch and venv. Debian 12 calls them:

$(debian_packages product | listed)

The tests also need GoogleTest, RapidCheck, the sanitizer runtimes of clang, clang-tidy,
clang-format, PostgreSQL and more. Debian 12 calls all of it together:

$(debian_packages | listed)

If they are installed here (the programs under Debian's names, e.g. clang++-19), go on with
YM_SKIP_SETUP=1 tools/dev ... ; otherwise a Debian 12 container is the quickest way.
TEXT
}

missing_packages() {
  # shellcheck disable=SC2046
  dpkg-query -W -f='${Package} ${db:Status-Status}\n' $(debian_packages "$@") 2>/dev/null |
    awk '$2 == "installed" {print $1}' | sort -u >"$YM_ROOT/build/.installed"
  debian_packages "$@" | sort -u | comm -23 - "$YM_ROOT/build/.installed"
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
    install -y --no-install-recommends "$@"
}

apt_update() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 update
}

has_package_lists() { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

# The package lists may be absent (a fresh container) or old; only then they are fetched.
install_packages() {
  has_package_lists && watched apt apt_install "$@" && return 0
  say "   updating the package lists"
  quietly apt-update apt_update && quietly apt apt_install "$@"
}

# dev_setup_packages [product]
dev_setup_packages() {
  [ "${YM_SKIP_SETUP:-}" = 1 ] && return 0
  mkdir -p "$YM_ROOT/build"
  if ! is_debian_12; then
    explain_other_systems
    return 1
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    complain "these packages are missing, and there is neither root nor sudo to install them: ${missing[*]}"
    return 1
  fi
  say "   installing ${#missing[@]} packages: ${missing[*]}"
  install_packages "${missing[@]}"
}

DEMO_PYTHON="$YM_ROOT/demo/requirements.txt"
TESTS_PYTHON="$YM_ROOT/tools/python-packages-tests.txt"

make_venv() {
  local venv=$1
  rm -rf "$venv"
  "$PYTHON" -m venv --system-site-packages "$venv" && add_to_venv "$venv" "$DEMO_PYTHON" &&
    "$venv/bin/python" -c 'import torch, sklearn.datasets, plotly'
}

add_to_venv() { "$1/bin/python" -m pip install --quiet --no-input --disable-pip-version-check -r "$2"; }

# What a part of the environment is made of: another word where it has to be made again.
made_of() { cat "$@" <("$PYTHON" -V) <(echo "$YM_ROOT/build/venv") | sha256sum | cut -c1-64; }

# Debian's scikit-learn and its Boost 1.74 cannot be installed beside Boost 1.81, hence
# a virtual environment of Debian's Python with Debian's torch. The tests add to it.
dev_setup_venv() {
  local venv="$YM_ROOT/build/venv" wanted
  wanted=$(made_of "$DEMO_PYTHON")
  if [ "$(cat "$venv/.made-of" 2>/dev/null)" != "$wanted" ]; then
    say "   making build/venv with scikit-learn and plotly"
    quietly venv make_venv "$venv" && echo "$wanted" >"$venv/.made-of" || return 1
  fi
  [ "${1:-}" = product ] && return 0
  wanted=$(made_of "$TESTS_PYTHON")
  [ "$(cat "$venv/.tests-made-of" 2>/dev/null)" = "$wanted" ] && return 0
  say "   adding mypy, schemathesis and Node to build/venv"
  quietly venv-tests add_to_venv "$venv" "$TESTS_PYTHON" && echo "$wanted" >"$venv/.tests-made-of"
}

# The OpenID provider that tests log in at: npm packages, as tests/e2e/openid/package-lock.json has them.
OPENID="$YM_ROOT/tests/e2e/openid"

install_openid() {
  local folder="$YM_ROOT/build/openid"
  rm -rf "$folder" && mkdir -p "$folder" || return 1
  cp "$OPENID/package.json" "$OPENID/package-lock.json" "$OPENID/.npmrc" "$folder/" || return 1
  (cd "$folder" && PATH="$YM_ROOT/build/venv/bin:$PATH" npm ci --ignore-scripts --no-audit --no-fund)
}

dev_setup_openid() {
  local stamp="$YM_ROOT/build/openid/.made-of" wanted
  [ "${1:-}" = product ] && return 0
  wanted=$(sha256sum <"$OPENID/package-lock.json" | cut -c1-64)
  [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return 0
  say "   installing the tests' OpenID provider into build/openid"
  if quietly openid install_openid; then
    echo "$wanted" >"$stamp"
  else
    say "   it cannot be installed: what needs an OpenID provider is skipped"
  fi
}

# A second real provider, for a test that is skipped without it: 180 MB from Maven, made ready once.
KEYCLOAK_VERSION=26.7.3
KEYCLOAK_SHA256=27a6535553c3cdcd083872ba40629efafb3475e3b758e0c6f691395561dd0f1f

dev_setup_keycloak() {
  local folder="$YM_ROOT/build/keycloak"
  [ -e "$folder/.ready" ] && return 0
  command -v mvn >/dev/null || install_packages maven || return 1
  say "   installing Keycloak $KEYCLOAK_VERSION into build/keycloak"
  quietly keycloak make_keycloak "$folder"
}

make_keycloak() {
  local folder=$1 new=$1.new zip
  local artifact=org.keycloak:keycloak-quarkus-dist:$KEYCLOAK_VERSION:zip
  rm -rf "$folder" "$new" && mkdir -p "$new" || return 1
  mvn -q -B dependency:get -Dartifact="$artifact" -Dtransitive=false &&
    mvn -q -B dependency:copy -Dartifact="$artifact" -DoutputDirectory="$new" || return 1
  zip="$new/keycloak-quarkus-dist-$KEYCLOAK_VERSION.zip"
  echo "$KEYCLOAK_SHA256  $zip" | sha256sum --check && "$PYTHON" -m zipfile -e "$zip" "$new" || return 1
  mv "$new/keycloak-$KEYCLOAK_VERSION" "$folder" && rm -rf "$new" && chmod +x "$folder"/bin/*.sh || return 1
  # It compiles its options into itself, for a minute or two of CPU. Started with --optimized it does not again.
  nice -n 10 "$folder/bin/kc.sh" build --db=dev-mem --health-enabled=true && touch "$folder/.ready"
}

# dev_setup [product]
dev_setup() { dev_setup_packages "$@" && dev_setup_venv "$@" && dev_setup_openid "$@"; }

# Real clusters for tests are started by scripts of the site's own, in the folder YM_LABS. That for Kubernetes is
# compiled once, which takes some minutes; tests that need it are skipped where it, or Go, is not there.
kube_lab() { echo "${YM_LABS:-$YM_ROOT/../shared/tools}/kube-lab.sh"; }

build_kube_lab() {
  local lab
  lab=$(kube_lab)
  if [ ! -r "$lab" ]; then
    say "   no $lab: what needs a Kubernetes API server is skipped"
    return 0
  fi
  quietly kube-lab bash "$lab" build || say "   it cannot be built: what needs a Kubernetes API server is skipped"
}

# Kueue, which tests put beside us: what it publishes, compiled once.
KUEUE_MODULE=sigs.k8s.io/kueue
KUEUE_VERSION=v0.17.0

build_kueue() {
  local folder="${YM_LAB_CACHE:-$HOME/.cache/yardmaster-lab}/kueue-$KUEUE_VERSION"
  [ -x "$folder/kueue" ] || [ ! -r "$(kube_lab)" ] && return 0
  quietly kueue make_kueue "$folder" || say "   Kueue cannot be built: what needs it is skipped"
}

make_kueue() {
  local folder=$1 go source
  go=$(command -v go || echo /usr/local/go/bin/go)
  # Where there is no network it is known soon.
  timeout 120 "$go" mod download "$KUEUE_MODULE@$KUEUE_VERSION" || return 1
  GOBIN="$folder/new" nice -n 10 "$go" install -trimpath -ldflags '-s -w' "$KUEUE_MODULE/cmd/kueue@$KUEUE_VERSION" || return 1
  source=$("$go" mod download -json "$KUEUE_MODULE@$KUEUE_VERSION" | sed -n 's/^.*"Dir": "\(.*\)",$/\1/p')
  [ -n "$source" ] && rm -rf "$folder/config" && cp -R --no-preserve=mode "$source/config" "$folder/" || return 1
  # Last, since it says that the rest is there.
  mv "$folder/new/kueue" "$folder/kueue" && rmdir "$folder/new"
}
