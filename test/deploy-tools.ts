/** Programs that validate the files in deploy/ and compose.yaml. tools/servers.sh installs missing ones. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'freshet')

function found(name: string, ...others: string[]): string | undefined {
  const inPath = (process.env.PATH ?? '').split(':').map((folder) => join(folder, name))
  return [...inPath, ...others].find((path) => existsSync(path))
}

export const PROMTOOL = found('promtool', join(CACHE, 'bin/promtool'))
export const KUBERNETES_VALIDATE = found('kubernetes-validate', join(CACHE, 'python/bin/kubernetes-validate'))
export const SYSTEMD_ANALYZE = found('systemd-analyze')

function composeLoader(): string[] | undefined {
  const alone = found('docker-compose')
  if (alone) return [alone]
  const docker = found('docker')
  return docker && spawnSync(docker, ['compose', 'version']).status === 0 ? [docker, 'compose'] : undefined
}

/** The command and its leading arguments. */
export const COMPOSE = composeLoader()

/** For the name of a test that needs one. */
export const unless = (tool: unknown, name: string) => (tool ? '' : ` (skipped: there is no ${name}; npm run servers)`)

/** Its output and exit code. */
export function checked(command: string, words: readonly string[], options: { cwd?: string; input?: string } = {}) {
  const { status, stdout, stderr } = spawnSync(command, words, { ...options, encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}
