/**
 * bin/freshet.js on the older Node of the machine, if there is one: how most people start the program for the first time. A tiny program
 * stands in for ours to check exit codes and signals.
 */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest'
import { libraryEntry } from '../../tools/library-entry.ts'

const ROOT = join(import.meta.dirname, '../..')
const NEWER = join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`)
const STAND_IN = `
const [word, code] = process.argv.slice(2)
process.on('SIGTERM', () => { console.log('told to stop'); process.exit(7) })
console.log(word, process.version)
if (word === 'wait' || word === 'run') setInterval(() => {}, 1000)
else process.exitCode = Number(code)
`

const HEAP = 'export function keepHeapSmall() {}\n'

const oldNode = findOldNode()
let folder: string
let launcher: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'launcher-'))
  launcher = install('beside-node', NEWER)
})
afterAll(() => rmSync(folder, { recursive: true }))

it('answers --version on an old Node like on a new one', (context) => {
  const old = needOldNode(context)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const real = join(ROOT, 'bin/freshet.js')
  for (const node of [old, process.execPath]) {
    const run = spawnSync(node, [real, '--version'], { encoding: 'utf8' })
    expect(run).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
  }
})

it('restarts with the newer Node, and forwards arguments and the exit code', (context) => {
  const run = spawnSync(needOldNode(context), [launcher, 'two words', '3'], { encoding: 'utf8' })
  expect(run).toMatchObject({ status: 3, stderr: '' })
  expect(run.stdout).toMatch(/^two words v(2[4-9]|[3-9]\d)\./)
})

it.runIf(process.platform === 'linux')('limits the arenas of a long-running command, in the same process', async () => {
  const { MALLOC_ARENA_MAX: _, ...env } = process.env
  const arenasOf = async (...given: string[]) => {
    const child = spawn(process.execPath, [launcher, ...given], { stdio: ['ignore', 'pipe', 'inherit'], env })
    await once(child.stdout, 'data')
    const limit = /(?:^|\0)MALLOC_ARENA_MAX=(\d+)/.exec(readFileSync(`/proc/${child.pid}/environ`, 'utf8'))?.[1]
    child.kill('SIGKILL')
    await once(child, 'close')
    return limit
  }
  expect(await arenasOf('run')).toBe('2')
  expect(await arenasOf('wait')).toBeUndefined()
})

it('forwards signals, and waits until the program has stopped', async (context) => {
  const child = spawn(needOldNode(context), [launcher, 'wait'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (printed === '') child.kill('SIGTERM')
    printed += text
  })
  expect(await once(child, 'close')).toEqual([7, null])
  expect(printed).toContain('told to stop')
})

it('names the required version if there is no newer Node', (context) => {
  const old = needOldNode(context)
  const alone = install('alone')
  const run = spawnSync(old, [alone, 'x', '0'], { encoding: 'utf8' })
  expect(run).toMatchObject({ status: 1, stdout: '' })
  expect(run.stderr).toMatch(/^Freshet needs Node 24 or newer, and this is v[\d.]+: [^\n]+\n$/)
})

it('names the required version for the library, too, which an old Node cannot link', (context) => {
  const old = needOldNode(context)
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const index = "import { zstdCompressSync } from 'node:zlib'\nexport const openCrawl = () => typeof zstdCompressSync\n"
  const home = join(folder, 'library')
  lay(home, { 'dist/library/entry.js': libraryEntry(['openCrawl'], engines.node), 'dist/library/index.js': index })
  const use = `import { openCrawl } from ${JSON.stringify(join(home, 'dist/library/entry.js'))}; console.log(openCrawl())`
  const words = ['--input-type=module', '--eval', use]
  const run = spawnSync(old, words, { encoding: 'utf8' })
  expect(run).toMatchObject({ status: 1, stdout: '' })
  expect(run.stderr).toMatch(/\nError: freshet-crawler needs Node 24 or newer, and this is v[\d.]+: [^\n]+\n/)
  expect(spawnSync(process.execPath, words, { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: 'function\n' })
})

it('runs the sources in a checkout, without warnings about experimental features', () => {
  const program = "const word: string = 'from source'\nconsole.log(word)\n"
  const sources = { 'src/cli/main.ts': program, 'src/app/heap.ts': HEAP }
  const inCheckout = lay(join(folder, 'checkout'), { ...sources, 'dist/cli/main.js': STAND_IN })
  const run = spawnSync(process.execPath, [inCheckout], { encoding: 'utf8' })
  expect(run).toMatchObject({ status: 0, stdout: 'from source\n', stderr: '' })
})

function needOldNode(context: TestContext): string {
  if (!oldNode) context.skip('this machine has no Node older than 24')
  if (!existsSync(NEWER)) context.skip('npm has not installed a Node 24 beside us')
  return oldNode!
}

function findOldNode(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return folders
    .map((folder) => join(folder, 'node'))
    .find((node) => {
      if (!existsSync(node)) return false
      const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
      const major = Number(/^v(\d+)\./.exec(stdout ?? '')?.[1])
      return major >= 14 && major < 24
    })
}

/** The launcher as npm installs it: in node_modules, with the newer Node, if there is one, hoisted beside it. */
function install(where: string, newerNode?: string): string {
  const home = join(folder, where, 'node_modules')
  const bin = lay(join(home, 'freshet-crawler'), { 'dist/cli/main.js': STAND_IN, 'dist/app/heap.js': HEAP })
  if (newerNode) symlinkSync(newerNode, join(home, basename(newerNode)))
  return bin
}

function lay(root: string, files: Record<string, string>): string {
  for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true })
  return join(root, 'bin/freshet.js')
}
