/**
 * Checks the commands in README and docs against the program: every command and option they name exists. Commands that need no network
 * are run as written, on a store filled from the village.
 */
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommandLine } from '../src/cli/program.fixture.ts'
import { createSteppedClock } from '../src/clocks/index.ts'
import { createVillage } from '../src/lab/index.ts'

const ROOT = join(import.meta.dirname, '..')
/** Commands with examples in `--help`, whose names and ids do not exist in this store. */
const GENERATED = join('docs', 'commands.md')
const HERE = process.cwd()
const lines = ['README.md', ...globSync('docs/*.md', { cwd: ROOT })].flatMap((file) =>
  commandLines(readFileSync(join(ROOT, file), 'utf8')).map((line) => ({ file, line })),
)
/**
 * Commands about one feed, entry or story of the reader's, for which the test substitutes an id; and remote servers, which do not exist.
 */
const RUN = /^((show|copies|export) \S|(feeds|entries|status|stories|audit|config|goal|regroup|lab (village|record))\b)/
const runnable = [...new Set(lines.filter(({ file }) => file !== GENERATED).map(({ line }) => line))].filter(
  (line) => RUN.test(line) && !/[<[…|]|--server/.test(line),
)

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'freshet-commands-'))
  process.chdir(folder) // commands write files into the current folder
  const village = createVillage({
    clock: createSteppedClock(Date.now()),
    sites: ['gazette', 'herald', 'mill'].map((name) => ({ name, feeds: [{ path: '/feed' }] })),
  })
  const { close } = await village.listen()
  await freshet(`add ${village.sites.map(({ home }) => home).join(' ')} --folder News --articles always`)
  await freshet('run --once --articles always')
  await close()
})
afterAll(() => {
  process.chdir(HERE)
  rmSync(folder, { recursive: true })
})

it('finds the command lines of the docs', () => {
  expect(lines.length).toBeGreaterThan(40)
  expect(runnable).toContain('export --markdown news.md')
  expect(commandLines('`freshet feeds`, `show <id>` | `freshet export a\\|b` and `npx freshet demo --for 3s`')).toEqual(
    ['feeds', 'export a|b', 'demo --for 3s'],
  )
})

it.each(lines)('$file: freshet $line', async ({ line }) => {
  const words = line.split(/\s+/)
  const [command = '', second = ''] = words
  if (command.startsWith('-')) return
  const hasCommands = ['lab', 'user', 'token', 'content', 'search', 'rule', 'label'].includes(command)
  const path = hasCommands && /^[a-z]+$/.test(second) ? `${command} ${second}` : command
  const help = await freshet(`${path} --help`)
  expect(help.code, help.notes).toBe(0)
  const known = help.out.join('\n')
  expect(known).toContain(`Usage: freshet ${path} `)
  for (const word of words) {
    const [option] = /^(?:--[a-z][a-z-]*|-[a-z](?![a-z]))/.exec(word) ?? []
    if (option) expect(known, `${option} in: freshet ${line}`).toMatch(new RegExp(`^ +(-\\w, )?${option}\\b`, 'm'))
  }
})

it.each(runnable)('runs as written: freshet %s', async (line) => {
  const { code, notes } = await freshet(line)
  const numbers = /\b[eg]\d+\b/.test(line) // ids differ in this store
  expect(notes).not.toMatch(/internal error/)
  if (!numbers) expect(code, notes).toBe(0)
})

it('creates the files that the export examples name', () => {
  expect(readFileSync('news.md', 'utf8')).toMatch(/^---\ntitle: /)
  expect(readdirSync('site')).toContain('index.html')
  expect(existsSync('pages.warc.gz')).toBe(true)
})

function freshet(line: string) {
  const environment = {
    FRESHET_STORE: join(folder, 'freshet.db'),
    FRESHET_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
    FRESHET_HOST_GAP: '0',
  }
  return runCommandLine(line.split(' '), { environment })
}

/** The words after `freshet` in code blocks and between backticks, without comments, pipes and line continuations. */
function commandLines(markdown: string): string[] {
  const whole = markdown.replace(/ \\\n\s*/g, ' ')
  const blocks = [...whole.matchAll(/^(?:npx )?freshet (.*)$/gm)].map(([, line = '']) => line)
  const inline = [...whole.matchAll(/`(?:npx )?freshet ([^`]+)`/g)].map(([, line = '']) => line)
  return [...blocks, ...inline].map((line) =>
    line
      .replaceAll('\\|', '|')
      .replace(/\s+#.*$/, '')
      .replace(/ [|>] .*$/, '')
      .trim(),
  )
}
