/** Builds tiny houses in a temporary folder and walks through each kind of wall. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { readBricks } from './house/bricks.ts'
import { draw } from './house/drawing.ts'
import { judge, type Plan } from './house/walls.ts'

const PLAN: Plan = {
  floors: [
    { name: 'ground', rooms: ['cellar', 'stove'] },
    { name: 'first', rooms: ['kitchen', 'bath'] },
    { name: 'second', rooms: ['study'] },
  ],
  only: { bath: ['stove'] },
  packages: { pans: ['kitchen'], '@good/soap': ['bath'] },
}

const CLEAN = {
  'cellar/index.ts': "export * from './shelf.ts'\n",
  'cellar/shelf.ts': "import { join } from 'node:path'\nexport const shelf = join('a', 'b')\n",
  'stove/index.ts': 'export const heat = 1\n',
  'kitchen/index.ts': "import { pan } from 'pans/iron'\nimport type { shelf } from '../cellar/index.ts'\n",
  'bath/index.ts': "import soap from '@good/soap/mild'\nimport { heat } from '../stove/index.ts'\n",
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
    says: ['src/bath/wine.ts:1 imports cellar/index.ts: bath may use only stove'],
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

it('does not take words in comments and strings for imports', () => {
  const text =
    "// import '../study/index.ts'\nexport const text = `import '../study/index.ts'`\nexport const tick = /`/\n"
  expect(complaintsOf({ 'cellar/words.ts': text })).toEqual([])
})

it('draws every room, brick and door, and always the same picture', () => {
  const root = build({ 'bath/wine.ts': "import '../cellar/index.ts'\n" })
  const bricks = readBricks(join(root, 'src'))
  const { doors } = judge(PLAN, bricks)
  const picture = draw(PLAN, bricks, doors)
  for (const { path, lines } of bricks) expect(picture).toContain(`<title>${path}: ${lines} lines</title>`)
  expect(picture).toContain('<title>study uses kitchen: 1 import</title>')
  expect(picture.match(/<path [^>]*url\(#wrong\)/g)).toHaveLength(1)
  expect(picture).not.toMatch(/NaN|undefined/)
  expect(draw(PLAN, readBricks(join(root, 'src')), judge(PLAN, bricks).doors)).toBe(picture)
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

function complaintsOf(files: Record<string, string>): string[] {
  return judge(PLAN, readBricks(join(build(files), 'src'))).complaints
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
