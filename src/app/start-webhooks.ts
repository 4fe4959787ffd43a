/** Has receivers told of what saved searches find, for as long as the page and the API are there by which people make them. */
import type { Crawler } from '../crawl/index.ts'
import { createWebhooks } from '../webhooks/index.ts'
import type { Log } from './log.ts'

type Parts = Omit<Parameters<typeof createWebhooks>[0], 'random' | 'onTrouble'> & { crawler: Pick<Crawler, 'onEvent'> }

/** Resolves, when it is called, once nothing is under way any more. */
export function startWebhooks(parts: Parts, log: Log): () => Promise<void> {
  const ended = new AbortController()
  const webhooks = createWebhooks({
    ...parts,
    random: Math.random,
    onTrouble: ({ id, name, origin }, words, isGivenUp) =>
      log.warn(`webhook ${id} (${name}) at ${origin} ${isGivenUp ? 'was given up' : 'is tried again later'}: ${words}`),
  })
  const stopHearing = parts.crawler.onEvent(({ kind }) => {
    if (kind === 'polled' || kind === 'pushed' || kind === 'found') webhooks.wake()
  })
  const running = webhooks.run(ended.signal)
  return async () => {
    stopHearing()
    ended.abort()
    await running
  }
}
