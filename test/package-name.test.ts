/**
 * `freshet` on the npm registry is another project's package, so `npx freshet` outside a checkout would run foreign code. Everything we
 * print or publish therefore uses our package name, and `npx freshet` appears only next to the word "checkout".
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const PLACES = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'package.json']
const FOLDERS = ['docs', 'src', 'bin', 'web', 'examples', '.github']
const TEXTS = /\.(md|ts|js|html|yml|json)$/

const texts = [...PLACES, ...FOLDERS.flatMap(filesIn)].map((file) => ({
  file,
  text: readFileSync(join(ROOT, file), 'utf8'),
}))

it('mentions npx freshet only next to the word checkout', () => {
  expect(texts.flatMap(({ file, text }) => wrongIn(text).map((passage) => `${file}: ${passage}`))).toEqual([])
})

it('detects commands that would run a foreign package', () => {
  expect(wrongIn('Type\n\n```sh\nnpx freshet demo\n```\n')).toHaveLength(1)
  expect(wrongIn('In a checkout, type\n\n```sh\nnpx freshet demo\n```\n\nthen `npx freshet-crawler run`')).toEqual([])
})

it('imports and installs the package by its own name', () => {
  const modules = Object.keys(MANIFEST.exports).flatMap((path) => (/^\.\/\w+$/.test(path) ? [path.slice(2)] : []))
  const imported = new RegExp(`(from|import\\() ?['"]freshet['"/]|[\`'" ]freshet/(${modules.join('|')})\\b`)
  const installed = /npm (install|i|exec)( -{1,2}\w+)* freshet(?!-crawler)/
  const wrong = texts.filter(({ text }) => imported.test(text) || installed.test(text))
  expect(wrong.map(({ file }) => file)).toEqual([])
  expect(MANIFEST.name).toBe('freshet-crawler')
  expect(Object.keys(MANIFEST.bin)).toEqual(['freshet'])
})

it('has a lock file with the same name, without registry hosts', () => {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  expect(JSON.parse(lock)).toMatchObject({ name: MANIFEST.name, packages: { '': { name: MANIFEST.name } } })
  expect(lock).not.toMatch(/"resolved"/)
})

/** Passages are separated by empty lines; a code block belongs to the passage before it. */
function wrongIn(text: string): string[] {
  const passages = text.replace(/\n\n```/g, '\n```').split(/\n\s*\n/)
  return passages.filter((passage) => /npx freshet(?!-crawler)/.test(passage) && !/checkout/i.test(passage))
}

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
}
