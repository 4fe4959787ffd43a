/** Converts HTML to Markdown (CommonMark, with GitHub's tables). Text stays text: special characters are escaped. */
import { withoutControls } from '../../model/index.ts'
import { htmlToPassages, type Passage, type PassageFormat } from './passages.ts'

export function markdownOf(html: string): string {
  let markdown = ''
  let before: Passage | undefined
  for (const passage of htmlToPassages(html, MARKDOWN)) {
    markdown += (before ? between(before, passage) : '') + written(passage)
    before = passage
  }
  return withoutControls(markdown)
}

/** An empty line, except between list items; inside a quotation, an empty quoted line. */
function between(before: Passage, after: Passage): string {
  if (isItem(before) && isItem(after)) return '\n'
  const shared = sharedStart(before.indent, after.indent)
  return `\n${shared.includes('>') ? shared.slice(0, shared.lastIndexOf('>') + 1) : ''}\n`
}

function isItem({ lead, indent }: Passage): boolean {
  return lead !== indent
}

function sharedStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}

const MARKDOWN: PassageFormat = {
  text: escaped,
  element(name, inside, address) {
    if (name === 'a') return address ? around('[', inside, `](${addressed(address)})`) : inside
    const marker = MARKERS.get(name)
    return marker === undefined ? inside : around(marker, inside, marker)
  },
  image: (alt, address) => `![${escaped(alt)}](${addressed(address)})`,
  lineBreak: '\\\n',
}

const MARKERS: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['code', '`'],
  ['del', '~~'],
  ['em', '*'],
  ['i', '*'],
  ['s', '~~'],
  ['samp', '`'],
  ['strong', '**'],
])

/** Emphasis markers next to a space would have no effect. */
function around(before: string, inside: string, after: string): string {
  const [, leading = '', middle = '', trailing = ''] = /^(\s*)(.*?)(\s*)$/s.exec(inside) ?? []
  const text = before === '`' ? middle.replace(/\\([\\`*_[\]<>#&~|])/g, '$1').replaceAll('`', "'") : middle
  return `${leading}${before}${text}${after}${trailing}`
}

function written({ kind, level, lead, indent, text, rows }: Passage): string {
  switch (kind) {
    case 'heading':
      return `${lead}${'#'.repeat(level)} ${text.replace(/\\?\n/g, ' ')}`
    case 'rule':
      return `${lead}---`
    case 'code':
      return lead + fenced(text).replaceAll('\n', `\n${indent}`)
    case 'table':
      return lead + tableOf(rows).replaceAll('\n', `\n${indent}`)
    case 'paragraph':
      return (
        lead +
        text
          .split('\n')
          .map((line) => line.replace(BLOCK_SIGN, '$1\\$2'))
          .join(`\n${indent}`)
      )
  }
}

/** Text that would start a heading, a list or a quotation at the beginning of a line. */
const BLOCK_SIGN = /^(\d{0,9})([-+>#.)=](?=\s|$|[-=#])|\.(?=\s)|\)(?=\s))/

function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

function tableOf(rows: readonly string[][]): string {
  const columns = Math.max(...rows.map((cells) => cells.length))
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, i) => (cells[i] ?? '').replaceAll('|', '\\|')).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n')
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<~]|&(?=#?\w{1,31};)/g, '\\$&')
}

function addressed(address: string): string {
  return /[\s()<>]/.test(address)
    ? address.replace(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    : address
}
