/** `freshet extract`: extracts the article from a page. */
import type { Command } from 'commander'
import { type ExtractedPage, InputError, inspectPage, NET_OPTIONS } from '../../app/index.ts'
import { markdownOf, sanitizeHtml } from '../../articles/index.ts'
import { configOf, type Flags, withExamples, withSettings } from '../command.ts'
import { EXIT, Exit } from '../exit.ts'
import { count, type Io, plainLine, printJson } from '../io.ts'

const FORMATS = ['json', 'html', 'markdown'] as const

export function extractCommand(command: Command, io: Io): void {
  command
    .description('Extract the article from a page.\nPrints its text and metadata, and where each fact was found.')
    .argument('<page>', 'File or address, or - for standard input.')
    .option('--url <address>', 'Address of the page, for files and standard input.')
    .option('--json', 'Print everything as one JSON object.')
    .option('--html', 'Print only the text, as clean HTML.')
    .option('--markdown', 'Print only the text, as Markdown.')
    .action(async (word: string, flags: Flags) => extract(io, word, flags))
  withSettings(command, NET_OPTIONS)
  withExamples(
    command,
    'freshet extract https://example.org/news/1',
    'freshet extract page.html --url https://example.org/news/1 --json',
    'curl -s https://example.org/news/1 | freshet extract - --markdown',
  )
}

async function extract(io: Io, word: string, flags: Flags): Promise<void> {
  if (FORMATS.filter((form) => flags[form]).length > 1)
    throw new InputError('--json, --html and --markdown cannot be combined', 'choose one of them')
  const url = typeof flags.url === 'string' ? { url: flags.url } : {}
  const page = await inspectPage(configOf(io, flags), { word, stdin: io.stdin, ...url }, io.interrupted)
  const { article } = page
  if (flags.json) printJson(io, { ...article, detected: { ...page, article: undefined } })
  else if (flags.html) await io.outWhenReady(sanitizeHtml(article.html, article.url))
  else if (flags.markdown) await io.outWhenReady(markdownOf(article.html))
  else printPage(io, page)
  if (article.text !== '') return
  io.note(`freshet: no article was found ${word === '-' ? 'in standard input' : `on ${word}`}`)
  throw new Exit(EXIT.failed)
}

function printPage(io: Io, { article, language, category }: ExtractedPage): void {
  const { published, modified } = article
  const rows: [string, { value: string | string[]; from: string } | undefined][] = [
    ['title', article.title],
    ['authors', article.authors],
    ['published', published && { value: published.iso, from: dateOrigin(published) }],
    ['modified', modified && { value: modified.iso, from: dateOrigin(modified) }],
    ['language', article.language],
    ['reads as', { value: language.value, from: language.from }],
    ['section', article.section],
    ['category', category.from === 'default' ? undefined : { value: category.value, from: 'page' }],
    ['keywords', article.keywords],
    ['site', article.siteName],
    ['canonical', article.canonicalUrl],
    ['image', article.image],
    ['about', article.description],
    ['paywall', article.paywall],
    ['text', { value: count(article.words, 'word'), from: article.textFrom }],
  ]
  for (const [name, fact] of rows) {
    if (!fact) continue
    const value = typeof fact.value === 'string' ? fact.value : fact.value.join(', ')
    io.out(plainLine(`${name.padEnd(10)} ${fact.from.padEnd(18)} ${value}`))
  }
  if (article.text) io.out(`\n${article.text}`)
}

function dateOrigin({ from, trust, dateOnly }: { from: string; trust: number; dateOnly: boolean }): string {
  return `${from}, ${Math.round(100 * trust)} %${dateOnly ? ', day' : ''}`
}
