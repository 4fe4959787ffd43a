#!/usr/bin/env bash
# What tests start beside the program itself, from Debian's packages: PostgreSQL in the oldest version that we support (a newer
# one comes with the packages of npm), NATS, pgbouncer, a feed reader that somebody else wrote, and Java with Maven, by which Cassandra
# is fetched into a cache in the home of who runs this. Only what is missing is installed;
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

"$(dirname "$0")/../node_modules/.bin/node" "$(dirname "$0")/cassandra.ts" --only-fetch
