/** Looking at the web, or at a file, without a store: for people who want to know what a feed says, or where it is. */
import { readFile, stat } from 'node:fs/promises'
import {
  type Article,
  categoryOf,
  extractArticle,
  type FoundCategory,
  isPage,
  type ToldLanguage,
} from '../articles/index.ts'
import { systemClock } from '../clocks/system-clock.ts'
import { type Discovery, discover } from '../crawl/index.ts'
import { decodeText, givenAddress, type NotAFeed, type ParsedFeed, parseFeed } from '../feeds/index.ts'
import { type Credentials, failureHint, failureInWords, type WebAddress, withoutCredentials } from '../model/index.ts'
import { InputError, readAll } from './addresses.ts'
import type { Config } from './config.ts'
import { loadLanguageOf } from './load-language-of.ts'
import { httpNet } from './wire.ts'

/** Which feeds an address leads to, how they rank, and all that was asked to find out. */
export async function lookForFeeds(config: Config, word: string, signal: AbortSignal): Promise<Discovery> {
  const net = httpNet(config)
  try {
    return await discover(
      { ...addressOf(word), gapMs: config.hostGap },
      { net, clock: systemClock(), obeyRobots: config.robots },
      signal,
    )
  } finally {
    await net.close()
  }
}

/** Where a document may be that a person wants to look at: in a file, at an address, or (-) on standard input. */
export interface Whereabouts {
  word: string
  stdin: () => AsyncIterable<Uint8Array>
}

/** What the feed there says. */
export async function readDocument(
  config: Config,
  where: Whereabouts,
  signal: AbortSignal,
): Promise<ParsedFeed | NotAFeed> {
  const { body, url, contentType } = await bytesOf(config, where, signal)
  return parseFeed(body, { ...(url && { url }), ...(contentType && { contentType }) })
}

/** The article on a page, its language, and the category that the page names. */
export interface ExtractedPage {
  article: Article
  language: ToldLanguage
  category: FoundCategory
}

/** What the page there says. `url` is where a page is known to come from that is not fetched. */
export async function inspectPage(
  config: Config,
  where: Whereabouts & { url?: string },
  signal: AbortSignal,
): Promise<ExtractedPage> {
  const given = where.url === undefined ? '' : addressOf(where.url).url
  const { body, url = given, contentType } = await bytesOf(config, where, signal)
  if (!isPage(contentType ?? 'text/html', body))
    throw new InputError(
      `${withoutCredentials(where.word)} is not a page${contentType ? ` but ${contentType}` : ''}`,
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

async function bytesOf(
  config: Config,
  { word, stdin }: Whereabouts,
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
    const answer = await net.get({ ...addressOf(word), signal })
    if (!answer.ok) {
      const { failure } = answer
      const message = `${withoutCredentials(word)}: ${failureInWords(failure)}`
      throw new InputError(message, failureHint(failure) ?? 'check the address')
    }
    const { status, url, headers, body } = answer
    if (status !== 200)
      throw new InputError(
        `${withoutCredentials(word)}: ${failureInWords({ kind: 'http', status })}`,
        'check the address',
      )
    const contentType = headers['content-type']
    return { body, url, ...(contentType && { contentType }) }
  } finally {
    await net.close()
  }
}

function addressOf(word: string): { url: WebAddress; credentials?: Credentials } {
  const given = givenAddress(word)
  if (given) return given
  throw new InputError(
    `"${withoutCredentials(word)}" is neither a file nor an address`,
    'give a file, or an address such as https://example.org/feed',
  )
}
