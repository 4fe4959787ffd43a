#!/usr/bin/env bash
# Installs the programs that tests start, from Debian's packages: PostgreSQL in the oldest supported version (a newer one comes from npm),
# NATS, pgbouncer, an independent feed reader, and Java with Maven, which downloads Cassandra into a cache in the user's home; and
# validators for deploy/: docker-compose, systemd-analyze, and, into the same cache, promtool (19 MB) and kubernetes-validate (23 MB, 150 MB
# unpacked). Installs only what is missing; starts nothing. Without Debian or root it prints what to install.
set -euo pipefail

has() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ]; }
has_postgres() { has postgres || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; }

missing=()
has_postgres || missing+=(postgresql)
has nats-server || missing+=(nats-server)
has newsboat || missing+=(newsboat)
has pgbouncer || missing+=(pgbouncer)
has java || missing+=(openjdk-17-jre-headless)
has mvn || missing+=(maven)
has systemd-analyze || missing+=(systemd)
has docker-compose || docker compose version >/dev/null 2>&1 || missing+=(docker-compose)
cache="${XDG_CACHE_HOME:-$HOME/.cache}/freshet"
has_kubernetes_validate() { has kubernetes-validate || [ -x "$cache/python/bin/kubernetes-validate" ]; }
has_kubernetes_validate || python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)

if [ ${#missing[@]} = 0 ]; then
  echo 'every server that tests need is here'
elif ! has apt-get || [ "$(id -u)" != 0 ]; then
  echo "missing: ${missing[*]}. As root on Debian this would install them; elsewhere, install what your system calls so." >&2
  exit 1
else
  # A database that is installed need not run: tests start their own.
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] ||
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends "${missing[@]}"
fi

# We need one program of this package, and no service that starts by itself.
if ! has promtool && ! [ -x "$cache/bin/promtool" ]; then
  folder=$(mktemp -d)
  chmod 755 "$folder"
  (cd "$folder" && { apt-get download -qq prometheus 2>/dev/null || { apt-get update -qq && apt-get download -qq prometheus; }; } && dpkg-deb --fsys-tarfile prometheus_*.deb | tar x ./usr/bin/promtool)
  mkdir -p "$cache/bin"
  mv "$folder/usr/bin/promtool" "$cache/bin/promtool"
  rm -r "$folder"
fi
if ! has_kubernetes_validate; then
  python3 -m venv "$cache/python"
  "$cache/python/bin/pip" install --quiet --disable-pip-version-check 'kubernetes-validate==1.37.*'
fi

"$(dirname "$0")/../node_modules/.bin/node" "$(dirname "$0")/cassandra.ts" --only-fetch
