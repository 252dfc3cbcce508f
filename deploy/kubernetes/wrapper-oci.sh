#!/bin/sh
# The same image as Containerfile's, without a container engine: an OCI archive for `ctr images import` and others.
#
#   wrapper-oci.sh ROOT NAME:TAG OUT.tar     ROOT from wrapper-root.sh
set -eu
[ $# = 3 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
root=$1 name=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/blobs/sha256"
case $(uname -m) in x86_64) arch=amd64;; aarch64) arch=arm64;; *) arch=$(uname -m);; esac

# Moves FILE among the blobs, and says its digest and size.
blob() {
  digest=$(sha256sum < "$1" | cut -d' ' -f1)
  size=$(wc -c < "$1" | tr -d ' ')
  mv "$1" "$work/blobs/sha256/$digest"
}
tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$work/layer" .
blob "$work/layer"; layer=$digest layer_size=$size
cat > "$work/config" <<EOF
{"architecture": "$arch", "os": "linux", "rootfs": {"type": "layers", "diff_ids": ["sha256:$layer"]},
 "config": {"Entrypoint": ["/bin/sh", "-c", "exec cp /ym-tools/* \"\$1\"", "ym-tools"], "Cmd": ["/ym"]}}
EOF
blob "$work/config"; config=$digest config_size=$size
v=application/vnd.oci.image
cat > "$work/manifest" <<EOF
{"schemaVersion": 2, "mediaType": "$v.manifest.v1+json",
 "config": {"mediaType": "$v.config.v1+json", "digest": "sha256:$config", "size": $config_size},
 "layers": [{"mediaType": "$v.layer.v1.tar", "digest": "sha256:$layer", "size": $layer_size}]}
EOF
blob "$work/manifest"
echo '{"imageLayoutVersion": "1.0.0"}' > "$work/oci-layout"
cat > "$work/index.json" <<EOF
{"schemaVersion": 2, "manifests": [{"mediaType": "$v.manifest.v1+json", "digest": "sha256:$digest", "size": $size,
  "annotations": {"io.containerd.image.name": "$name", "org.opencontainers.image.ref.name": "$name"}}]}
EOF
tar -C "$work" -cf "$out" oci-layout index.json blobs
