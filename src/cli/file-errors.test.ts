/** Folders in place of files, files in place of folders, and files with other content: a message, a hint and an exit code, never a stack. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommandLine } from './program.fixture.ts'

let folder: string
let junk: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'freshet-files-'))
  junk = join(folder, 'junk')
  await writeFile(junk, Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 251)))
  await freshet('import', '-')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const freshet = (...words: string[]) =>
  runCommandLine(words, {
    environment: { FRESHET_STORE: join(folder, 'test.db') },
    stdin: async function* () {
      yield Buffer.from('https://a.example/feed\n')
    },
  })

it.each<[string, () => string[], number, RegExp]>([
  ['a folder as settings', () => ['feeds', '--config', folder], 2, /is a folder\nhint: give --config/],
  [
    'a folder as the store',
    () => ['feeds', '--store', folder],
    3,
    /could not open .*: it is a folder\nhint: Name a file/,
  ],
  ['a file as a folder of traces', () => ['lab', 'record', '--tudcs', junk], 2, /junk is a file, not a folder/],
  ['anything as an archive', () => ['audit', '--archive', junk], 2, /junk is not a WARC file\nhint: give the folder/],
  [
    'anything as an archive to replay',
    () => ['lab', 'replay', '--warc', junk],
    2,
    /junk is not a WARC file\nhint: give/,
  ],
  ['anything as a list', () => ['import', junk], 2, /junk has no addresses: it starts with/],
  ['an order that there is not', () => ['entries', '--sort', 'nix'], 2, /--sort cannot be "nix"/],
])('reports %s', async (_, words, expected, message) => {
  const { code, notes } = await freshet(...words())
  expect([code, notes]).toEqual([expected, expect.stringMatching(message)])
  expect(notes).not.toMatch(/internal error|\n +at /)
})

it('imports the valid lines of a list, and names the others', async () => {
  const list = join(folder, 'list.txt')
  await writeFile(list, 'https://b.example/feed\nnot an address\n')
  const { code, out, notes } = await freshet('import', list)
  expect([code, out]).toEqual([1, ['1 address added, 0 known already, 1 refused']])
  expect(notes).toMatch(/^refused: not an address: this is not a web address/m)
})
