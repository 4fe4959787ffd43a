/** Retired terms do not come back as names in the code or as words in the docs. See "Language" in CONTRIBUTING.md. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Bare participles: as names they do not tell what a value is. */
const PARTICIPLES = 'told said held brought carried asked gave strewn'
/** Words for which the field has another one. */
const METAPHORS = 'handout readership commonplace ferried errand crew keeper'
/** In docs, also these words for people, and archaic adverbs. */
const ARCHAIC = 'gladly seldom untold whoever'

/** Columns of stored tables, fixtures of the rules about names, and the changelog, which quotes old names. */
const ALLOWED = [
  /^src\/(model\/feed|politeness\/redirects)\.ts: .*\bheld\b/, // in stored JSON
  /^src\/stores\/sql\/(rows|poll-rows|poll-codes|packed-run\.test)\.ts: .*\b(errand|asked)\b/,
  /^(CHANGELOG\.md|tools\/vocabulary\.test\.ts):/,
]

it('has no bare participles or retired metaphors as names', () => {
  const words = alternatives(`${PARTICIPLES} ${METAPHORS}`)
  const declared = new RegExp(
    String.raw`\b(?:const|let|var|function|class|interface|type) [{[]?(?:${words})\b|[{(,[] ?(?:${words})(?=: [A-Za-z({[]+[,;)]| =>)|^\s+(?:readonly )?(?:${words})\??(?:: |\()`,
    'i',
  )
  expect(linesWith(declared, ['src/**/*.ts', 'web/**', 'bench/**/*.ts', 'test/**/*.ts', 'tools/**/*.ts'])).toEqual([])
})

it('has no retired words in the docs', () => {
  const retired = new RegExp(String.raw`\b(?:${alternatives(`${METAPHORS} ${ARCHAIC}`)})\b`, 'i')
  expect(linesWith(retired, ['*.md', 'docs/**/*.md', 'web/*.md'])).toEqual([])
})

function alternatives(words: string): string {
  return words.split(' ').join('|')
}

function linesWith(pattern: RegExp, globs: string[]): string[] {
  return globSync(globs, { cwd: ROOT })
    .filter((file) => /\.(ts|svelte|md|js)$/.test(file))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .map((line) => `${file}: ${line.trim()}`),
    )
    .filter((line) => pattern.test(line.replace(/^[^ ]+: /, '   ')) && !ALLOWED.some((allowed) => allowed.test(line)))
}
