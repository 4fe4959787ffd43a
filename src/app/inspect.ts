/** Inspects feeds and pages without a store, for `freshet discover`, `parse` and `extract`. */
import { readFile, stat } from 'node:fs/promises'
import {
  type Article,
  categoryOf,
  type DetectedLanguage,
  extractArticle,
  type FoundCategory,
  isPage,
} from '../articles/index.ts'
import { systemClock } from '../clocks/system-clock.ts'
import { type Discovery, discover } from '../crawl/index.ts'
import {
  decodeText,
  type NotAFeed,
  type ParsedFeed,
  parseFeed,
  parsePastedAddress,
  parseUserAddress,
} from '../feeds/index.ts'
import {
  describeFailure,
  type FeedCredentials,
  failureHint,
  type WebAddress,
  withoutCredentials,
} from '../model/index.ts'
import { InputError, readAll } from './addresses.ts'
import { httpNet } from './composition.ts'
import type { Config } from './config.ts'
import { loadLanguageOf } from './load-language-of.ts'

/** Finds the feeds of an address, with their scores and all requests that were made. */
export async function discoverFeeds(config: Config, word: string, signal: AbortSignal): Promise<Discovery> {
  const net = httpNet(config)
  try {
    return await discover(
      { ...parseWebAddress(word, parsePastedAddress), gapMs: config.hostGap },
      { net, clock: systemClock(), obeyRobots: config.robots },
      signal,
    )
  } finally {
    await net.close()
  }
}

/** Location of a document: a file, an address, or - for standard input. */
export interface DocumentLocation {
  word: string
  stdin: () => AsyncIterable<Uint8Array>
}

/** Reads and parses a feed. */
export async function readDocument(
  config: Config,
  location: DocumentLocation,
  signal: AbortSignal,
): Promise<ParsedFeed | NotAFeed> {
  const { body, url, contentType } = await readBytes(config, location, signal)
  return parseFeed(body, { ...(url && { url }), ...(contentType && { contentType }) })
}

/** The article on a page, its detected language, and its category. */
export interface ExtractedPage {
  article: Article
  language: DetectedLanguage
  category: FoundCategory
}

/** Reads a page and extracts its article. `url`: the address of a page that is read from a file or standard input. */
export async function inspectPage(
  config: Config,
  location: DocumentLocation & { url?: string },
  signal: AbortSignal,
): Promise<ExtractedPage> {
  const parsed = location.url === undefined ? '' : parseWebAddress(location.url).url
  const { body, url = parsed, contentType } = await readBytes(config, location, signal)
  if (!isPage(contentType ?? 'text/html', body))
    throw new InputError(
      `${withoutCredentials(location.word)} is not a page${contentType ? ` but ${contentType}` : ''}`,
      'give the address of an HTML page',
    )
  const article = extractArticle(decodeText(body, contentType).text, url, systemClock().now())
  const languageOf = await loadLanguageOf()
  const { section, keywords } = article
  return {
    article,
    language: languageOf(article.text, { page: article.language?.value }),
    category: categoryOf([], [...(section ? [section.value] : []), ...(keywords?.value ?? [])]),
  }
}

async function readBytes(
  config: Config,
  { word, stdin }: DocumentLocation,
  signal: AbortSignal,
): Promise<{ body: Uint8Array; url?: string; contentType?: string }> {
  if (word === '-') return { body: await readAll(stdin(), 'standard input', config.maxBody) }
  const file = await stat(word).catch(() => undefined)
  if (file?.isFile()) {
    if (file.size > config.maxBody) throw new InputError(`${word} is larger than --max-body`, 'raise --max-body')
    return { body: await readFile(word) }
  }
  const net = httpNet(config)
  try {
    const response = await net.get({ ...parseWebAddress(word), signal })
    if (!response.ok) {
      const { failure } = response
      const message = `${withoutCredentials(word)}: ${describeFailure(failure)}`
      throw new InputError(message, failureHint(failure) ?? 'check the address')
    }
    const { status, url, headers, body } = response
    if (status !== 200)
      throw new InputError(
        `${withoutCredentials(word)}: ${describeFailure({ kind: 'http', status })}`,
        'check the address',
      )
    const contentType = headers['content-type']
    return { body, url, ...(contentType && { contentType }) }
  } finally {
    await net.close()
  }
}

function parseWebAddress(
  word: string,
  parse: typeof parseUserAddress = parseUserAddress,
): { url: WebAddress; credentials?: FeedCredentials } {
  const parsed = parse(word)
  if (parsed) return parsed
  throw new InputError(
    `"${withoutCredentials(word)}" is neither a file nor an address`,
    'give a file, or an address such as https://example.org/feed',
  )
}
