/** Looking at the web, or at a file, without a store: for people who want to know what a feed says, or where it is. */
import { readFile, stat } from 'node:fs/promises'
import { type Exploration, explore } from '../crawl/index.ts'
import { systemClock } from '../drivers/index.ts'
import { type NotAFeed, normaliseAddress, type ParsedFeed, parseFeed } from '../feeds/index.ts'
import { failureInWords } from '../model/index.ts'
import { InputError, readAll } from './addresses.ts'
import type { Config } from './config.ts'
import { httpNet } from './wire.ts'

/** Which feeds an address leads to, how they rank, and all that was asked to find out. */
export async function lookForFeeds(config: Config, word: string, signal: AbortSignal): Promise<Exploration> {
  const net = httpNet(config)
  try {
    return await explore(
      { url: addressOf(word), gapMs: config.hostGap },
      { net, clock: systemClock(), obeyRobots: config.robots },
      signal,
    )
  } finally {
    await net.close()
  }
}

/** What the feed in a file, at an address, or (-) on standard input says. */
export async function readDocument(
  config: Config,
  word: string,
  stdin: () => AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<ParsedFeed | NotAFeed> {
  if (word === '-') return parseFeed(await readAll(stdin(), 'standard input', config.maxBody))
  const file = await stat(word).catch(() => undefined)
  if (file?.isFile()) {
    if (file.size > config.maxBody) throw new InputError(`${word} is larger than --max-body`, 'raise --max-body')
    return parseFeed(await readFile(word))
  }
  const net = httpNet(config)
  try {
    const answer = await net.get({ url: addressOf(word), signal })
    if (!answer.ok) throw new InputError(`${word}: ${failureInWords(answer.failure)}`, 'is the address right?')
    const { status, url, headers, body } = answer
    if (status !== 200)
      throw new InputError(`${word}: ${failureInWords({ kind: 'http', status })}`, 'is the address right?')
    const contentType = headers['content-type']
    return parseFeed(body, { url, ...(contentType && { contentType }) })
  } finally {
    await net.close()
  }
}

function addressOf(word: string): string {
  const url = normaliseAddress(word)
  if (url) return url
  throw new InputError(`"${word}" is neither a file here nor an address`, 'try something like https://example.org/feed')
}
