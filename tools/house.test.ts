/** Builds tiny houses in a temporary folder and walks through each kind of wall. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { besideComplaints } from './house/beside.ts'
import { readBricks } from './house/bricks.ts'
import { draw } from './house/drawing.ts'
import { layOut } from './house/layout.ts'
import type { Plan } from './house/plan.ts'
import { readPorts } from './house/ports.ts'
import { judge } from './house/walls.ts'

const PLAN: Plan = {
  floors: [
    { name: 'ground', rooms: ['cellar', 'stove', 'ports'] },
    { name: 'first', rooms: ['kitchen', 'bath'] },
    { name: 'second', rooms: ['study'] },
  ],
  only: { bath: ['stove', 'cellar/shelf.ts'] },
  types: { bath: ['ports'] },
  packages: { pans: ['kitchen'], '@good/soap': ['bath'] },
  within: { stove: ['ash', 'fire', 'pipe'] },
}

const CLEAN = {
  'cellar/index.ts': "export * from './shelf.ts'\n",
  'cellar/shelf.ts': "import { join } from 'node:path'\nexport const shelf = join('a', 'b')\n",
  'stove/index.ts': 'export const heat = 1\n',
  'kitchen/index.ts': "import { pan } from 'pans/iron'\nimport type { shelf } from '../cellar/index.ts'\n",
  'bath/index.ts': "import soap from '@good/soap/mild'\nimport { heat } from '../stove/index.ts'\n",
  'bath/hook.ts':
    "import { shelf } from '../cellar/shelf.ts'\nexport { type Tap, type Pipe } from '../ports/index.ts'\n",
  'bath/towel.ts': "import type { Tap } from '../ports/index.ts'\nimport { type Pipe } from '../ports/index.ts'\n",
  'study/index.ts': "export const kitchen = () => import('../kitchen/index.ts')\n",
}

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

it('has nothing to say against a house that keeps to its plan', () => {
  expect(complaintsOf({})).toEqual([])
})

it.each([
  {
    what: 'an import that goes upstairs',
    files: { 'cellar/up.ts': "\nimport '../kitchen/index.ts'\n" },
    says: ['src/cellar/up.ts:2 imports kitchen/index.ts: upward', 'circle: cellar, kitchen'],
  },
  {
    what: 'an import of a room on the same floor',
    files: { 'kitchen/next.ts': "import '../bath/index.ts'\n" },
    says: ['src/kitchen/next.ts:1 imports bath/index.ts: sideways'],
  },
  {
    what: 'a room below that the plan does not allow',
    files: { 'bath/wine.ts': "import '../cellar/index.ts'\n" },
    says: ['src/bath/wine.ts:1 imports cellar/index.ts: bath may use only stove, cellar/shelf.ts'],
  },
  {
    what: 'more than types of a room that lends only them',
    files: { 'bath/wet.ts': "import { tap, type Tap } from '../ports/index.ts'\n" },
    says: ['src/bath/wet.ts:1 imports ports/index.ts: bath may know only types of ports'],
  },
  {
    what: 'an import past the index.ts of a room',
    files: { 'study/thief.ts': "export { shelf } from '../cellar/shelf.ts'\n" },
    says: ['src/study/thief.ts:1 imports cellar/shelf.ts through the window'],
  },
  {
    what: 'a type taken through the window',
    files: { 'study/thief.ts': "type Shelf = typeof import('../cellar/shelf.ts')\n" },
    says: ['src/study/thief.ts:1 imports cellar/shelf.ts through the window'],
  },
  {
    what: 'a room that the plan does not know',
    files: { 'shed/index.ts': '' },
    says: ['src/shed is not a room of the plan'],
  },
  {
    what: 'a file that lies in no room',
    files: { 'loose.ts': '' },
    says: ['src/loose.ts is not a room of the plan'],
  },
  {
    what: 'a package in a room that it was not given to',
    files: { 'study/lunch.ts': "import { pan } from 'pans'\n" },
    says: ['src/study/lunch.ts:1 imports the package pans, which is not given to study: it lives in kitchen'],
  },
  {
    what: 'a package of which only types are taken, and that no room was given',
    files: { 'study/tv.ts': "import type { Channel } from '@shop/tv'\n" },
    says: ['src/study/tv.ts:1 imports the package @shop/tv, which is not given to study: house.json gives it to no'],
  },
  {
    what: 'a contract that is used by more than tests',
    files: { 'cellar/shelf.contract.ts': '', 'cellar/use.ts': "import './shelf.contract.ts'\n" },
    says: ['src/cellar/use.ts:1 imports cellar/shelf.contract.ts: it is for tests only'],
  },
  {
    what: 'a fixture that is used by more than tests',
    files: { 'cellar/jam.fixture.ts': '', 'cellar/use.ts': "import './jam.fixture.ts'\n" },
    says: ['src/cellar/use.ts:1 imports cellar/jam.fixture.ts: it is for tests only'],
  },
  {
    what: 'an import that leaves src',
    files: { 'study/out.ts': "import '../../bench/index.ts'\n" },
    says: ['src/study/out.ts:1 imports ../../bench/index.ts, which lies outside of src'],
  },
  {
    what: 'rooms that use each other in a circle',
    files: { 'stove/a.ts': "import '../cellar/index.ts'\n", 'cellar/b.ts': "import '../stove/index.ts'\n" },
    says: ['src/cellar/b.ts:1 ', 'src/stove/a.ts:1 ', 'rooms that use each other in a circle: cellar, stove'],
  },
  {
    what: 'files that import each other in a circle',
    files: {
      'study/a.ts': "import { b } from './b.ts'\n",
      'study/b.ts': "export { c as b } from './deep/c.ts'\n",
      'study/deep/c.ts': "export const c = () => import('../a.ts')\n",
    },
    says: ['in a circle: src/study/a.ts -> src/study/b.ts -> src/study/deep/c.ts -> src/study/a.ts'],
  },
  {
    what: 'files that know only types of each other',
    files: { 'study/a.ts': "import type { B } from './b.ts'\n", 'study/b.ts': "import type { A } from './a.ts'\n" },
    says: ['in a circle: src/study/a.ts -> src/study/b.ts -> src/study/a.ts'],
  },
  {
    what: 'a file that imports itself',
    files: { 'study/a.ts': "export * from './a.ts'\n" },
    says: ['in a circle: src/study/a.ts -> src/study/a.ts'],
  },
  {
    what: 'circles that hang together once, by the first of them, and of others beside',
    files: {
      'study/a.ts': "import './b.ts'\n",
      'study/b.ts': "import './a.ts'\nimport './c.ts'\n",
      'study/c.ts': "import './b.ts'\n",
      'bath/d.ts': "import './e.ts'\n",
      'bath/e.ts': "import './d.ts'\nimport './f.ts'\n",
      'bath/f.ts': '',
    },
    says: [
      'in a circle: src/bath/d.ts -> src/bath/e.ts -> src/bath/d.ts',
      'src/study/a.ts -> src/study/b.ts -> src/study/a.ts (1 more file hangs together with them)',
    ],
  },
  {
    what: 'a file of more than 400 lines',
    files: { 'study/long.ts': '\n'.repeat(401), 'study/just.ts': '\n'.repeat(400) },
    says: ['src/study/long.ts has 401 lines, and 400 are the most'],
  },
  {
    what: 'an import from a folder that comes later in its room',
    files: { 'stove/ash/up.ts': "import '../fire/hot.ts'\n", 'stove/fire/hot.ts': '' },
    says: ['src/stove/ash/up.ts:1 imports stove/fire/hot.ts: upward, fire comes after ash in stove'],
  },
  {
    what: 'a folder that has no place in a room whose folders are in order',
    files: { 'stove/soot/a.ts': "import '../fire/hot.ts'\n", 'stove/soot/b.ts': '', 'stove/fire/hot.ts': '' },
    says: ['src/stove/soot has no place in its room'],
  },
  {
    what: 'a port with more than 25 methods',
    files: {
      'ports/index.ts': "export type { Wide } from './wide.ts'\n",
      'ports/wide.ts': `export interface Just { ${methods(25)} }\nexport interface Wide { ${methods(26)} }\n`,
    },
    says: ['src/ports/wide.ts:2 Wide has 26 methods, and 25 are the most'],
  },
  {
    what: 'a port that has inherited most of its methods, or has functions for properties',
    files: {
      'ports/half.ts': `export interface Half { ${methods(20)} }\n`,
      'ports/index.ts': [
        "import type { Half } from './half.ts'",
        'type Listen = (word: string) => void',
        `export interface Heir extends Half, Pick<Rest, 'r1' | 'r2'> { on: Listen; off?: Listen; a(): void; size: number }`,
        `export type Sum = Half & { ${methods(9, 'n')} }`,
        'export interface Rest { r1(): void; r2(): void; r3(): void }',
        `export interface Wider extends Heir { z(): void }`,
      ].join('\n'),
    },
    says: ['src/ports/index.ts:4 Sum has 29 methods', 'src/ports/index.ts:6 Wider has 26 methods'],
  },
])('complains of $what', ({ files, says }) => {
  const complaints = complaintsOf(files)
  expect(complaints).toHaveLength(says.length)
  for (const [index, part] of says.entries()) expect(complaints[index]).toContain(part)
})

it('lets contracts use vitest and other contracts, and tests do as they like', () => {
  const files = {
    'cellar/shelf.contract.ts': "import { it } from 'vitest'\n",
    'stove/heat.contract.ts': "import '../stove/index.ts'\nimport './other.contract.ts'\n",
    'cellar/shelf.test.ts': "import '../study/index.ts'\nimport { it } from 'vitest'\n",
  }
  expect(complaintsOf(files)).toEqual([])
})

it('lets folders use those that come before them and what lies loose in their room, which may use them all', () => {
  const files = {
    'stove/index.ts': "export * from './pipe/long.ts'\n",
    'stove/iron.ts': '',
    'stove/ash/grey.ts': "import '../iron.ts'\nimport './fine.ts'\n",
    'stove/ash/fine.ts': '',
    'stove/pipe/long.ts': "import '../ash/grey.ts'\n",
  }
  expect(complaintsOf(files)).toEqual([])
})

it('says nothing of a wide port that the plan gives a reason for, but minds a reason that nobody needs', () => {
  const files = {
    'ports/index.ts': `export interface Wide { ${methods(26)} }\nexport interface Slim { ${methods(3)} }\n`,
  }
  expect(complaintsOf(files, { ...PLAN, wide: { Wide: 'the sum of all' } })).toEqual([])
  expect(complaintsOf(files, { ...PLAN, wide: { Wide: 'the sum of all', Slim: 'it was wide once' } })).toEqual([
    'house.json excuses the port Slim, which is not wide: take it out of "wide"',
  ])
  expect(complaintsOf(files, { ...PLAN, wide: { Wide: '' } })).toEqual([expect.stringContaining('Wide has 26 methods')])
})

it('counts no methods of numbers, lists and contracts', () => {
  const files = {
    'ports/index.ts': "export type Id = string & { readonly of: 'port' }\nexport type Ids = Id[]\n",
    'ports/wide.contract.ts': `export interface OnTrial { ${methods(26)} }\n`,
  }
  expect(complaintsOf(files)).toEqual([])
})

it('minds a name that two files export, unless one of them is for tests', () => {
  const files = {
    'cellar/jar.ts': 'export interface Jar {}\nexport const Jar = 1\n',
    'bath/jar.ts': 'export function Jar() {}\n',
    'bath/tub.ts': 'const shelf = 1\nexport { shelf }\n',
    'bath/heat.fixture.ts': 'export const heat = 2\n',
  }
  expect(complaintsOf(files)).toEqual([
    'Jar is exported by src/bath/jar.ts and src/cellar/jar.ts: let each say what it is',
  ])
})

it('does not take words in comments and strings for imports', () => {
  const text =
    "// import '../study/index.ts'\nexport const text = `import '../study/index.ts'`\nexport const tick = /`/\n"
  expect(complaintsOf({ 'cellar/words.ts': text })).toEqual([])
})

it('draws every room, brick and door, and always the same picture', () => {
  const root = build({ 'bath/wine.ts': "import '../cellar/index.ts'\n" })
  const bricks = readBricks(join(root, 'src'))
  const { doors } = judge(PLAN, bricks, [])
  const picture = draw(PLAN, bricks, doors)
  for (const { path, lines } of bricks) expect(picture).toContain(`<title>${path}: ${lines} lines</title>`)
  expect(picture).toContain('<title>study uses kitchen: 1 import</title>')
  expect(picture.match(/<path [^>]*url\(#wrong\)/g)).toHaveLength(1)
  expect(picture).not.toMatch(/NaN|undefined/)
  expect(draw(PLAN, readBricks(join(root, 'src')), judge(PLAN, bricks, []).doors)).toBe(picture)
})

it('draws the folders of a room as named panels round their bricks, in the order of the plan', () => {
  const root = build({
    'stove/pipe/long.ts': '\n',
    'stove/ash/grey.ts': '\n'.repeat(900),
    'stove/ash/deep/fine.ts': '\n',
  })
  const bricks = readBricks(join(root, 'src'))
  const { boxes } = layOut({ ...PLAN, within: { stove: ['pipe', 'ash'] } }, bricks)
  const stove = boxes.find(({ room }) => room === 'stove')!
  expect(stove.panels.map(({ folder, files }) => [folder, files])).toEqual([
    ['pipe', 1],
    ['ash', 2],
  ])
  for (const panel of stove.panels) {
    expect(holds(stove, panel)).toBe(true)
    for (const { brick, ...place } of stove.bricks)
      expect(holds(panel, place)).toBe(brick.path.startsWith(`stove/${panel.folder}/`))
  }
  expect(draw(PLAN, bricks, [])).toContain('class="folder">ash</text>')
})

it('lends what stands beside the house a few rooms, types of others, and a few packages', () => {
  const root = mkdtempSync(join(tmpdir(), 'freshet-beside-'))
  folders.push(root)
  const plan = { ...PLAN, beside: { web: { rooms: ['stove'], types: ['ports'], packages: ['pans'] } } }
  const lay = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  lay(
    'web/deep/good.ts',
    "import { heat } from '../../src/stove/index.ts'\nimport type { Tap } from '../../src/ports/index.ts'\n",
  )
  lay('web/Good.svelte', "<script>\n  import pan from 'pans/iron'\n  import Bad from './Bad.svelte'\n</script>\n")
  expect(besideComplaints(root, plan)).toEqual([])
  lay(
    'web/Bad.svelte',
    "<script>\n  import { tap } from '../src/ports/index.ts'\n  const later = () => import('../src/kitchen/index.ts')\n</script>\n",
  )
  lay('web/worse.ts', "import { shelf } from '../src/stove/ash.ts'\nimport soap from '@good/soap'\n")
  expect(besideComplaints(root, plan)).toEqual([
    'web/Bad.svelte imports src/ports/index.ts: web may know only types of ports',
    'web/Bad.svelte imports src/kitchen/index.ts, which house.json does not lend to web',
    'web/worse.ts imports src/stove/ash.ts, which house.json does not lend to web',
    'web/worse.ts imports the package @good/soap, which house.json does not lend to web',
  ])
})

it('as a command, ends with 1 for a broken wall and with 0 once it is mended, and leaves the drawing', () => {
  const root = build({ 'cellar/up.ts': "import '../study/index.ts'\n" })
  const run = () => spawnSync(process.execPath, [join(import.meta.dirname, 'house.ts'), root], { encoding: 'utf8' })
  const broken = run()
  expect(broken.stderr).toContain('src/cellar/up.ts:1 imports study/index.ts: upward')
  expect(broken.status).toBe(1)
  rmSync(join(root, 'src/cellar/up.ts'))
  expect(run().status).toBe(0)
  expect(readFileSync(join(root, 'docs/house.svg'), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
})

function complaintsOf(files: Record<string, string>, plan = PLAN): string[] {
  const src = join(build(files), 'src')
  const bricks = readBricks(src)
  return judge(plan, bricks, readPorts(src, bricks)).complaints
}

function methods(count: number, name = 'm'): string {
  return Array.from({ length: count }, (_, i) => `${name}${i}(): void`).join('; ')
}

type Place = Record<'x' | 'y' | 'w' | 'h', number>

function holds(outer: Place, { x, y, w, h }: Place): boolean {
  return x >= outer.x && y >= outer.y && x + w <= outer.x + outer.w && y + h <= outer.y + outer.h
}

/** The clean house, with some bricks added. */
function build(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'house-'))
  folders.push(root)
  for (const [path, text] of Object.entries<string>({ ...CLEAN, ...files })) {
    mkdirSync(join(root, 'src', dirname(path)), { recursive: true })
    writeFileSync(join(root, 'src', path), text)
  }
  writeFileSync(join(root, 'house.json'), JSON.stringify(PLAN))
  return root
}
