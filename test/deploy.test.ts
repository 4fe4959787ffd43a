/** What people copy from deploy/ and compose.yaml names commands, settings and figures that there are. No engine is at hand to try more. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { environmentOf, OPTION_NAMES } from '../src/app/index.ts'
import { COMMANDS } from '../src/cli/command-list.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const within = (folder: string) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`)
const files = [
  'compose.yaml',
  'Dockerfile',
  ...['kubernetes', 'systemd', 'prometheus'].flatMap((one) => within(`deploy/${one}`)),
]
const variables = new Set([...OPTION_NAMES.map(environmentOf), 'FRESHET_CONFIG'])
const commands = new Set(COMMANDS.map(({ name }) => name))
const flags = new Set(OPTION_NAMES.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)))

describe.each(files)('%s', (file) => {
  const text = read(file)

  it('has settings that there are', () => {
    const named = [...text.matchAll(/\bFRESHET_[A-Z_]+\b/g)].map(([name]) => name)
    expect(named.filter((name) => !variables.has(name))).toEqual([])
    const given = [
      ...text.matchAll(/freshet \w+ --([a-z-]+)/g),
      ...text.matchAll(/(?:command|args|CMD).*?--([a-z-]+)/g),
    ]
    const foreign = new Set(['user', 'pass', 'build', 'name', 'from-literal', 'fleet'])
    expect(given.map(([, flag = '']) => flag).filter((flag) => !flags.has(flag) && !foreign.has(flag))).toEqual([])
  })

  it('is indented by blanks', () => {
    expect(text).not.toContain('\t')
  })
})

it('starts roles that there are', () => {
  const units = within('deploy/systemd').map((file) => /ExecStart=\/usr\/bin\/env freshet (\w+)/.exec(read(file))?.[1])
  const composed = [...read('compose.yaml').matchAll(/command: \[(controller|terminal|keeper|serve)/g)].map(
    ([, role]) => role,
  )
  const pods = [...read('deploy/kubernetes/freshet.yaml').matchAll(/args: \["(\w+)"/g)].map(([, role]) => role)
  for (const role of [...units, ...composed, ...pods]) expect(commands).toContain(role)
  expect([units.length, composed.length, pods.length]).toEqual([5, 4, 4])
})

it('gives terminals no address of a store', () => {
  const pods = read('deploy/kubernetes/freshet.yaml')
    .split('---')
    .filter((one) => /role: terminal/.test(one))
  for (const pod of pods) expect(pod).not.toContain('freshet-store')
  const [, terminal = ''] = /\n {2}terminal:\n([\s\S]*?)\n {2}keeper:/.exec(read('compose.yaml')) ?? []
  expect(terminal).toContain('FRESHET_QUEUE')
  expect(terminal).not.toMatch(/FRESHET_STORE|\*store/)
})

it('looks at figures that /metrics has', () => {
  const source = ['src/server/routes/metrics.ts', 'src/server/metrics/arrivals.ts'].map(read).join('\n')
  const board = JSON.stringify(JSON.parse(read('deploy/grafana/freshet.json')))
  const named = [...`${read('deploy/prometheus/freshet-rules.yaml')}${board}`.matchAll(/\bfreshet_[a-z_]+/g)]
  expect(named.length).toBeGreaterThan(20)
  for (const [name] of named) expect(source).toContain(`'${name}'`)
})

it('runs as nobody on a root that cannot be written', () => {
  expect(read('Dockerfile')).toMatch(/\nUSER 65534/)
  expect(read('compose.yaml')).toContain('read_only: true')
  expect(read('deploy/kubernetes/freshet.yaml').match(/readOnlyRootFilesystem: true/g)).toHaveLength(4)
  for (const copied of read('Dockerfile').matchAll(/COPY --from=build \S+ \/src\/(\w+)/g)) {
    const [, path = ''] = copied
    if (path !== 'dist' && path !== 'node_modules')
      expect(existsSync(join(ROOT, path)) || path === 'package').toBe(true)
  }
})
