/** Builds small source trees in a temporary folder and breaks each rule. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { LayersConfig } from './layers/config.ts'
import { otherFolderViolations } from './layers/other-folders.ts'
import { readPorts } from './layers/ports.ts'
import { findViolations } from './layers/rules.ts'
import { readSourceFiles } from './layers/source-files.ts'

const CONFIG: LayersConfig = {
  layers: [
    { name: 'ground', modules: ['cellar', 'stove', 'ports'] },
    { name: 'first', modules: ['kitchen', 'bath'] },
    { name: 'second', modules: ['study'] },
  ],
  only: { bath: ['stove', 'cellar/shelf.ts'] },
  types: { bath: ['ports'] },
  byFile: { study: ['stove'] },
  packages: { pans: ['kitchen'], '@good/soap': ['bath'] },
  within: { stove: ['ash', 'fire', 'pipe'] },
  pure: { modules: ['stove'], builtins: ['node:buffer'] },
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
  'study/lamp.ts': "import { flame } from '../stove/fire/flame.ts'\n",
  'stove/fire/flame.ts': 'export const flame = 2\n',
}

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

it('reports nothing for a tree that keeps to its rules', () => {
  expect(violationsOf({})).toEqual([])
})

it.each([
  {
    what: 'an import upward',
    files: { 'cellar/up.ts': "\nimport '../kitchen/index.ts'\n" },
    says: ['src/cellar/up.ts:2 imports kitchen/index.ts: upward', 'cycle: cellar, kitchen'],
  },
  {
    what: 'an import of a module in the same layer',
    files: { 'kitchen/next.ts': "import '../bath/index.ts'\n" },
    says: ['src/kitchen/next.ts:1 imports bath/index.ts: sideways'],
  },
  {
    what: 'a module below that is not allowed',
    files: { 'bath/wine.ts': "import '../cellar/index.ts'\n" },
    says: ['src/bath/wine.ts:1 imports cellar/index.ts: bath may import only stove, cellar/shelf.ts'],
  },
  {
    what: 'a value where only types are allowed',
    files: { 'bath/wet.ts': "import { tap, type Tap } from '../ports/index.ts'\n" },
    says: ['src/bath/wet.ts:1 imports ports/index.ts: bath may import only types of ports'],
  },
  {
    what: 'an import past the index.ts of a module',
    files: { 'study/thief.ts': "export { shelf } from '../cellar/shelf.ts'\n" },
    says: ['src/study/thief.ts:1 imports cellar/shelf.ts, an internal file'],
  },
  {
    what: 'a type of an internal file',
    files: { 'study/thief.ts': "type Shelf = typeof import('../cellar/shelf.ts')\n" },
    says: ['src/study/thief.ts:1 imports cellar/shelf.ts, an internal file'],
  },
  {
    what: 'a module in no layer',
    files: { 'shed/index.ts': '' },
    says: ['src/shed is in no layer'],
  },
  {
    what: 'a file in no module',
    files: { 'loose.ts': '' },
    says: ['src/loose.ts is in no layer'],
  },
  {
    what: 'a package in a module that may not import it',
    files: { 'study/lunch.ts': "import { pan } from 'pans'\n" },
    says: ['src/study/lunch.ts:1 imports the package pans, which study may not: only kitchen may'],
  },
  {
    what: 'a type of a package that no module may import',
    files: { 'study/tv.ts': "import type { Channel } from '@shop/tv'\n" },
    says: ['src/study/tv.ts:1 imports the package @shop/tv, which study may not: layers.json allows it to no'],
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
    says: ['src/study/out.ts:1 imports ../../bench/index.ts, which is outside of src'],
  },
  {
    what: 'modules that import each other in a cycle',
    files: { 'stove/a.ts': "import '../cellar/index.ts'\n", 'cellar/b.ts': "import '../stove/index.ts'\n" },
    says: ['src/cellar/b.ts:1 ', 'src/stove/a.ts:1 ', 'modules that import each other in a cycle: cellar, stove'],
  },
  {
    what: 'files that import each other in a cycle',
    files: {
      'study/a.ts': "import { b } from './b.ts'\n",
      'study/b.ts': "export { c as b } from './deep/c.ts'\n",
      'study/deep/c.ts': "export const c = () => import('../a.ts')\n",
    },
    says: ['in a cycle: src/study/a.ts -> src/study/b.ts -> src/study/deep/c.ts -> src/study/a.ts'],
  },
  {
    what: 'files that import only types of each other',
    files: { 'study/a.ts': "import type { B } from './b.ts'\n", 'study/b.ts': "import type { A } from './a.ts'\n" },
    says: ['in a cycle: src/study/a.ts -> src/study/b.ts -> src/study/a.ts'],
  },
  {
    what: 'a file that imports itself',
    files: { 'study/a.ts': "export * from './a.ts'\n" },
    says: ['in a cycle: src/study/a.ts -> src/study/a.ts'],
  },
  {
    what: 'connected cycles once, by the first of them, and others apart',
    files: {
      'study/a.ts': "import './b.ts'\n",
      'study/b.ts': "import './a.ts'\nimport './c.ts'\n",
      'study/c.ts': "import './b.ts'\n",
      'bath/d.ts': "import './e.ts'\n",
      'bath/e.ts': "import './d.ts'\nimport './f.ts'\n",
      'bath/f.ts': '',
    },
    says: [
      'in a cycle: src/bath/d.ts -> src/bath/e.ts -> src/bath/d.ts',
      'src/study/a.ts -> src/study/b.ts -> src/study/a.ts (1 more file is connected to them)',
    ],
  },
  {
    what: 'a file of more than 400 lines',
    files: { 'study/long.ts': '\n'.repeat(401), 'study/just.ts': '\n'.repeat(400) },
    says: ['src/study/long.ts has 401 lines, and 400 are the most'],
  },
  {
    what: 'an import from a folder that comes later in its module',
    files: { 'stove/ash/up.ts': "import '../fire/hot.ts'\n", 'stove/fire/hot.ts': '' },
    says: ['src/stove/ash/up.ts:1 imports stove/fire/hot.ts: upward, fire comes after ash in stove'],
  },
  {
    what: 'a folder that is missing in the order of its module',
    files: { 'stove/soot/a.ts': "import '../fire/hot.ts'\n", 'stove/soot/b.ts': '', 'stove/fire/hot.ts': '' },
    says: ['src/stove/soot is not in the order of its module'],
  },
  {
    what: 'a function of more than 150 lines',
    files: { 'study/f.ts': `export function long() {${'\n'.repeat(150)}}\nfunction just() {${'\n'.repeat(149)}}\n` },
    says: ['src/study/f.ts:1 long has 151 lines, and 150 are the most'],
  },
  {
    what: 'a clock, chance, timers and I/O in a pure module',
    files: {
      'stove/impure.ts': [
        "import { readFileSync } from 'node:fs'",
        "import { isUtf8 } from 'node:buffer'",
        'export const at = Date.now() + Math.random()',
        'export const later = () => setTimeout(() => new Date(), 1)',
        'export const day = new Date(0) // Date.now()',
      ].join('\n'),
      'study/impure.ts': 'export const now = Date.now()\n',
    },
    says: [
      'src/stove/impure.ts:1 imports node:fs: stove is pure, and may use only node:buffer',
      'src/stove/impure.ts:3 uses Date.now: stove is pure',
      'src/stove/impure.ts:3 uses Math.random',
      'src/stove/impure.ts:4 uses setTimeout',
      'src/stove/impure.ts:4 uses new Date()',
    ],
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
])('reports $what', ({ files, says }) => {
  const violations = violationsOf(files)
  expect(violations).toHaveLength(says.length)
  for (const [index, part] of says.entries()) expect(violations[index]).toContain(part)
})

it('lets contracts use vitest and other contracts, and tests do as they like', () => {
  const files = {
    'cellar/shelf.contract.ts': "import { it } from 'vitest'\n",
    'stove/heat.contract.ts': "import '../stove/index.ts'\nimport './other.contract.ts'\n",
    'cellar/shelf.test.ts': "import '../study/index.ts'\nimport { it } from 'vitest'\n",
  }
  expect(violationsOf(files)).toEqual([])
})

it('lets folders use those that come before them and files at the top of their module, which may import them all', () => {
  const files = {
    'stove/index.ts': "export * from './pipe/long.ts'\n",
    'stove/iron.ts': '',
    'stove/ash/grey.ts': "import '../iron.ts'\nimport './fine.ts'\n",
    'stove/ash/fine.ts': '',
    'stove/pipe/long.ts': "import '../ash/grey.ts'\n",
  }
  expect(violationsOf(files)).toEqual([])
})

it('accepts a wide port with a reason, and reports a reason that is not needed', () => {
  const files = {
    'ports/index.ts': `export interface Wide { ${methods(26)} }\nexport interface Slim { ${methods(3)} }\n`,
  }
  expect(violationsOf(files, { ...CONFIG, widePorts: { Wide: 'the sum of all' } })).toEqual([])
  expect(violationsOf(files, { ...CONFIG, widePorts: { Wide: 'the sum of all', Slim: 'it was wide once' } })).toEqual([
    'layers.json excuses the port Slim, which is not wide: remove it',
  ])
  expect(violationsOf(files, { ...CONFIG, widePorts: { Wide: '' } })).toEqual([
    expect.stringContaining('Wide has 26 methods'),
  ])
})

it('accepts a long function that is listed, as long as it does not grow', () => {
  const files = { 'study/f.ts': `export function long() {${'\n'.repeat(159)}}\n` }
  const listing = (lines: number) => violationsOf(files, { ...CONFIG, longFunctions: { 'study/f.ts long': lines } })
  expect(listing(160)).toEqual([])
  expect(listing(159)).toEqual([expect.stringContaining('long has 160 lines, and 159 are the most')])
  expect(violationsOf({}, { ...CONFIG, longFunctions: { 'study/f.ts long': 160 } })).toEqual([
    'layers.json lists the long function study/f.ts long, which is not long: remove it',
  ])
})

it('counts no methods of numbers, lists and contracts', () => {
  const files = {
    'ports/index.ts': "export type Id = string & { readonly of: 'port' }\nexport type Ids = Id[]\n",
    'ports/wide.contract.ts': `export interface OnTrial { ${methods(26)} }\n`,
  }
  expect(violationsOf(files)).toEqual([])
})

it('reports a name that two files export, unless one of them is for tests', () => {
  const files = {
    'cellar/jar.ts': 'export interface Jar {}\nexport const Jar = 1\n',
    'bath/jar.ts': 'export function Jar() {}\n',
    'bath/tub.ts': 'const shelf = 1\nexport { shelf }\n',
    'bath/heat.fixture.ts': 'export const heat = 2\n',
  }
  expect(violationsOf(files)).toEqual(['Jar is exported by src/bath/jar.ts and src/cellar/jar.ts: rename one of them'])
})

it('does not take words in comments and strings for imports', () => {
  const text =
    "// import '../study/index.ts'\nexport const text = `import '../study/index.ts'`\nexport const tick = /`/\n"
  expect(violationsOf({ 'cellar/words.ts': text })).toEqual([])
})

it('allows a folder beside src a few modules, types of others, and a few packages', () => {
  const root = mkdtempSync(join(tmpdir(), 'freshet-layers-'))
  folders.push(root)
  const config = { ...CONFIG, otherFolders: { web: { modules: ['stove'], types: ['ports'], packages: ['pans'] } } }
  const lay = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  lay(
    'web/deep/good.ts',
    "import { heat } from '../../src/stove/index.ts'\nimport type { Tap } from '../../src/ports/index.ts'\n",
  )
  lay('web/Good.svelte', "<script>\n  import pan from 'pans/iron'\n  import Bad from './Bad.svelte'\n</script>\n")
  expect(otherFolderViolations(root, config)).toEqual([])
  lay(
    'web/Bad.svelte',
    "<script>\n  import { tap } from '../src/ports/index.ts'\n  const later = () => import('../src/kitchen/index.ts')\n</script>\n",
  )
  lay('web/worse.ts', "import { shelf } from '../src/stove/ash.ts'\nimport soap from '@good/soap'\n")
  expect(otherFolderViolations(root, config)).toEqual([
    'web/Bad.svelte imports src/ports/index.ts: web may import only types of ports',
    'web/Bad.svelte imports src/kitchen/index.ts, which layers.json does not allow to web',
    'web/worse.ts imports src/stove/ash.ts, which layers.json does not allow to web',
    'web/worse.ts imports the package @good/soap, which layers.json does not allow to web',
  ])
})

it('as a command, exits with 1 for a violation and with 0 without', () => {
  const root = build({ 'cellar/up.ts': "import '../study/index.ts'\n" })
  const run = () => spawnSync(process.execPath, [join(import.meta.dirname, 'layers.ts'), root], { encoding: 'utf8' })
  const first = run()
  expect(first.stderr).toContain('src/cellar/up.ts:1 imports study/index.ts: upward')
  expect(first.status).toBe(1)
  rmSync(join(root, 'src/cellar/up.ts'))
  expect(run().status).toBe(0)
})

function violationsOf(files: Record<string, string>, config = CONFIG): string[] {
  const src = join(build(files), 'src')
  const sourceFiles = readSourceFiles(src)
  return findViolations(config, sourceFiles, readPorts(src, sourceFiles))
}

function methods(count: number, name = 'm'): string {
  return Array.from({ length: count }, (_, i) => `${name}${i}(): void`).join('; ')
}

/** A tree without violations, with some files added. */
function build(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'layers-'))
  folders.push(root)
  for (const [path, text] of Object.entries<string>({ ...CLEAN, ...files })) {
    mkdirSync(join(root, 'src', dirname(path)), { recursive: true })
    writeFileSync(join(root, 'src', path), text)
  }
  writeFileSync(join(root, 'layers.json'), JSON.stringify(CONFIG))
  return root
}
