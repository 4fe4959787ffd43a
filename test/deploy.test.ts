/**
 * deploy/ and compose.yaml name commands, settings and metrics that exist, and the programs they are for accept them.
 */
import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SECRETS } from '../src/app/config.ts'
import { environmentOf, OPTION_NAMES } from '../src/app/index.ts'
import { COMMANDS } from '../src/cli/command-list.ts'
import { connectNats } from '../src/queues/nats/connection.ts'
import { freePort } from '../tools/free-port.ts'
import { COMPOSE, checked, KUBERNETES_VALIDATE, PROMTOOL, SYSTEMD_ANALYZE, unless } from './deploy-tools.ts'
import { NATS_BINARY, WITHOUT_NATS } from './nats-server.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const within = (folder: string) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`)
const files = [
  'compose.yaml',
  'Dockerfile',
  ...['kubernetes', 'systemd', 'prometheus'].flatMap((one) => within(`deploy/${one}`)),
]
const fromFiles = SECRETS.map((name) => `${environmentOf(name)}_FILE`)
const variables = new Set([...OPTION_NAMES.map(environmentOf), ...fromFiles, 'FRESHET_CONFIG'])
const commands = new Set(COMMANDS.map(({ name }) => name))
const flags = new Set(OPTION_NAMES.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)))

describe.each(files)('%s', (file) => {
  const text = read(file)

  it('uses settings that exist', () => {
    const named = [...text.matchAll(/\bFRESHET_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.filter((name) => !variables.has(name))).toEqual([])
    const given = [
      ...text.matchAll(/freshet \w+ --([a-z-]+)/g),
      ...text.matchAll(/(?:command|args|CMD).*?--([a-z-]+)/g),
    ]
    const foreign = new Set(['build', 'name', 'from-file', 'fleet'])
    expect(given.map(([, flag = '']) => flag).filter((flag) => !flags.has(flag) && !foreign.has(flag))).toEqual([])
  })

  it('is indented with spaces', () => {
    expect(text).not.toContain('\t')
  })
})

it('starts roles that exist', () => {
  const units = within('deploy/systemd').map((file) => /ExecStart=\/usr\/bin\/env freshet (\w+)/.exec(read(file))?.[1])
  const composed = [...read('compose.yaml').matchAll(/command: \[(controller|fetcher|indexer|serve)/g)].map(
    ([, role]) => role,
  )
  const pods = [...read('deploy/kubernetes/freshet.yaml').matchAll(/args: \["(\w+)"/g)].map(([, role]) => role)
  for (const role of [...units, ...composed, ...pods]) expect(commands).toContain(role)
  expect([units.length, composed.length, pods.length]).toEqual([5, 4, 4])
})

it('gives fetchers no store address', () => {
  const pods = read('deploy/kubernetes/freshet.yaml')
    .split('---')
    .filter((one) => /role: fetcher/.test(one))
  for (const pod of pods) expect(pod).not.toMatch(/freshet-store|FRESHET_STORE/)
  const [, fetcher = ''] = /\n {2}fetcher:\n([\s\S]*?)\n {2}indexer:/.exec(read('compose.yaml')) ?? []
  expect(fetcher).toContain('FRESHET_QUEUE')
  expect(fetcher).not.toMatch(/FRESHET_STORE|\*store/)
})

it('uses metrics that /metrics has', () => {
  const source = ['src/server/routes/metrics.ts', 'src/server/metrics/arrival-delays.ts'].map(read).join('\n')
  const board = JSON.stringify(JSON.parse(read('deploy/grafana/freshet.json')))
  const named = [...`${read('deploy/prometheus/freshet-rules.yaml')}${board}`.matchAll(/\bfreshet_[a-z_]+/g)]
  expect(named.length).toBeGreaterThan(20)
  for (const [name] of named) expect(source).toContain(`'${name}'`)
})

it('runs as an unprivileged user on a read-only root file system', () => {
  expect(read('Dockerfile')).toMatch(/\nUSER 65534/)
  expect(read('compose.yaml')).toContain('read_only: true')
  expect(read('deploy/kubernetes/freshet.yaml').match(/readOnlyRootFilesystem: true/g)).toHaveLength(4)
  for (const copied of read('Dockerfile').matchAll(/COPY --from=build \S+ \/src\/(\w+)/g)) {
    const [, path = ''] = copied
    if (path !== 'dist' && path !== 'node_modules')
      expect(existsSync(join(ROOT, path)) || path === 'package').toBe(true)
  }
})

it('has liveness and readiness probes for every role', () => {
  const pods = read('deploy/kubernetes/freshet.yaml')
    .split('---')
    .filter((one) => one.includes('kind: Deployment'))
  expect(pods).toHaveLength(4)
  for (const pod of pods) {
    expect(pod).toMatch(/livenessProbe: \{ httpGet: \{ path: \/livez/)
    expect(pod).toMatch(/readinessProbe: \{ httpGet: \{ path: \/readyz/)
  }
  expect(read('compose.yaml').match(/healthcheck:/g)).toHaveLength(6)
})

it('has no password in addresses or the environment', () => {
  for (const file of files) expect(read(file), file).not.toMatch(/:\/\/[\w$]+:[^@\s/]+@|_PASSWORD: \$/)
})

const work = mkdtempSync(join(tmpdir(), 'freshet-deploy-'))
afterAll(() => rmSync(work, { recursive: true }))

describe.skipIf(!PROMTOOL)(`Prometheus${unless(PROMTOOL, 'promtool')}`, () => {
  it('loads its configuration and our rules', () => {
    const { status, said: output } = checked(PROMTOOL!, [
      'check',
      'config',
      join(ROOT, 'deploy/prometheus/prometheus.yaml'),
    ])
    expect(status, output).toBe(0)
    const rules = read('deploy/prometheus/freshet-rules.yaml').match(/^ +- alert: /gm)!.length
    expect(output).toContain(`SUCCESS: ${rules} rules found`)
  })
})

describe.skipIf(!KUBERNETES_VALIDATE)(`Kubernetes${unless(KUBERNETES_VALIDATE, 'kubernetes-validate')}`, () => {
  it('knows every field', () => {
    const words = ['--strict', join(ROOT, 'deploy/kubernetes/freshet.yaml')]
    const { status, said: output } = checked(KUBERNETES_VALIDATE!, words)
    expect(status, output).toBe(0)
    expect(output.match(/passed for resource/g)).toHaveLength(8)
  })
})

describe.skipIf(!SYSTEMD_ANALYZE)(`systemd${unless(SYSTEMD_ANALYZE, 'systemd-analyze')}`, () => {
  it.each(within('deploy/systemd'))('takes %s as it is', (file) => {
    copyFileSync(join(ROOT, file), join(work, basename(file)))
    const unit = join(work, basename(file).replace('@.', '@1.'))
    const { status, said: output } = checked(SYSTEMD_ANALYZE!, ['verify', '--man=no', unit])
    const ours = output.split('\n').filter((line) => line.includes('freshet'))
    expect([status, ours]).toEqual([0, []])
  })
})

describe.skipIf(!COMPOSE)(`Docker Compose${unless(COMPOSE, 'docker-compose')}`, () => {
  const config = () => {
    const [command, ...words] = COMPOSE!
    return checked(command!, [...words, '-f', join(ROOT, 'compose.yaml'), 'config'], { cwd: ROOT })
  }

  it('loads all services, with secrets from files', () => {
    const { status, said: output } = config()
    expect(status, output).toBe(0)
    for (const name of ['postgres', 'nats', 'controller', 'fetcher', 'indexer', 'serve'])
      expect(output).toMatch(new RegExp(`^  ${name}:`, 'm'))
  })
})

describe.skipIf(!NATS_BINARY)(`the start of NATS in compose.yaml${WITHOUT_NATS}`, () => {
  it('accepts passwords with special characters', async () => {
    const secrets = join(work, 'secrets')
    mkdirSync(secrets)
    const passwords = { controller: 'a#b"c\\d', fetcher: '12345', indexer: "it's $HOME & more", server: '{x: [1]}' }
    for (const [role, password] of Object.entries(passwords)) writeFileSync(join(secrets, role), `${password}\n`)
    const conf = join(work, 'nats.conf')
    writeFileSync(conf, read('deploy/nats/nats.conf').replace('"/data"', JSON.stringify(join(work, 'jetstream'))))
    const [, script = ''] = /command:\n {6}- \|\n([\s\S]*?)\n {4}volumes:/.exec(read('compose.yaml')) ?? []
    const port = await freePort()
    const shell = script
      .replaceAll('$$', '$')
      .replace('/run/secrets', secrets)
      .replace('nats-server -c /etc/nats/nats.conf -m 8222', `${NATS_BINARY} -c ${conf} -a 127.0.0.1 -p ${port}`)
    const server = spawn('sh', ['-c', shell], { stdio: 'ignore' })
    try {
      for (const [role, password] of Object.entries(passwords)) {
        const address = `nats://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}`
        const connect = () => connectNats({ servers: [address], name: 'x' })
        let link: Awaited<ReturnType<typeof connect>> | undefined
        for (let tries = 0; !link && tries < 100; tries++) {
          link = await connect().catch((error: Error) => {
            if (!/refused/.test(error.message)) throw error // it is not ready yet
            return undefined
          })
          if (!link) await new Promise((resolve) => setTimeout(resolve, 50))
        }
        expect(link?.isUp(), role).toBe(true)
        await link?.close()
      }
    } finally {
      server.kill()
    }
  })
})
