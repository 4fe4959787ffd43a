#!/usr/bin/env bash
# What tests start beside the program itself, from Debian's packages: PostgreSQL in the oldest version that we support (a newer
# one comes with the packages of npm), NATS, pgbouncer, a feed reader that somebody else wrote, and Java with Maven, by which Cassandra
# is fetched into a cache in the user's home; and what checks the files in deploy/: docker-compose, systemd-analyze, and, into the
# same cache, promtool (19 MB) and kubernetes-validate (23 MB, 150 MB unpacked). Only what is missing is installed;
# nothing is started, nor left running. Elsewhere than on Debian, or not as root, it says what to install.
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
  # A database that installs itself need not run: tests start their own.
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] ||
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends "${missing[@]}"
fi

# Of the whole package we need one program, and no service that starts itself.
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
