/** Every limit in docs/limits.md names the file that sets it and the test that exceeds it. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const DOCS = new URL('../docs/', import.meta.url)
const oneLine = (text: string) => text.replace(/\s+/g, ' ')
const page = readFileSync(new URL('limits.md', DOCS), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| bound |'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** The test names of a module, as written in its files. */
function testsOf(module: string): string {
  const files = globSync(`src/${module}/**/*.{test,contract}.ts`, { cwd: new URL('..', DOCS) })
  return files.map((file) => readFileSync(new URL(`../${file}`, DOCS), 'utf8')).join('\n')
}

describe('docs/limits.md', () => {
  it('has rows of three cells', () => {
    expect(rows.length).toBeGreaterThan(60)
    for (const row of rows) expect(row).toHaveLength(5)
  })

  it.each(rows.map(([, bound, , tested]) => [bound, tested]))('%s is tested', (_, tested = '') => {
    const [, module = '', sentence = ''] = /^(\w+): \*(.+)\*$/.exec(tested) ?? []
    expect(testsOf(module).includes(`'${sentence}'`), tested).toBe(true)
  })

  it.each(rows.flatMap(([, bound, statement = '']) => (statement === 'here' ? [] : [[bound, statement]])))(
    '%s is set where the table says',
    (_, statement = '') => {
      const [, file = '', words = ''] = /^\[[\w ]+\]\((.+)\) "(.+)"$/.exec(statement) ?? []
      expect(oneLine(readFileSync(new URL(file, DOCS), 'utf8'))).toContain(words)
    },
  )
})
