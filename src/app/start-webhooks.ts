/**
 * Has receivers told of what saved searches find, and a hub of which feeds of people have changed, for as long as the page and the API are
 * there by which people make them. Of several processes that serve one store, one at a time tells them, and another when that one is gone.
 */
import { type Crawler, createDuties } from '../crawl/index.ts'
import type { Leadership, People } from '../ports/index.ts'
import { createHubPings, createWebhooks } from '../webhooks/index.ts'
import type { Log } from './log.ts'

type Told = Omit<Parameters<typeof createWebhooks>[0], 'random' | 'onTrouble' | 'isSure'>

interface Parts extends Told {
  crawler: Pick<Crawler, 'onEvent'>
  people: People
  hub?: { url: string; publicUrl: string }
  leadership: Leadership
  /** Nobody else has this name. */
  name: string
}

/** Resolves, when it is called, once nothing is under way any more. */
export function startWebhooks(parts: Parts, log: Log): () => Promise<void> {
  const { leadership, clock, name, crawler, hub, onMistake = () => {} } = parts
  const ended = new AbortController()
  let wake = () => {}
  const stopHearing = crawler.onEvent(({ kind }) => {
    if (kind === 'polled' || kind === 'pushed' || kind === 'found') wake()
  })
  const duties = createDuties({
    leadership,
    clock,
    name,
    emit: () => {},
    trouble: onMistake,
    duties: {
      /** New ones each time: how far others have told since, the store knows. */
      async webhooks(signal, isSure) {
        const webhooks = createWebhooks({
          ...parts,
          isSure,
          random: Math.random,
          onTrouble: ({ id, name, origin }, words, isGivenUp) =>
            log.warn(
              `webhook ${id} (${name}) at ${origin} ${isGivenUp ? 'was given up' : 'is tried again later'}: ${words}`,
            ),
        })
        wake = webhooks.wake
        await webhooks.run(signal)
      },
      ...(hub && {
        hub: (signal: AbortSignal, isSure: () => boolean) =>
          createHubPings({
            ...parts,
            hub,
            isSure,
            onTrouble: (words) => log.warn(`the hub ${hub.url} was not told: ${words}`),
          }).run(signal),
      }),
    },
  })
  const running = duties.run(ended.signal)
  return async () => {
    stopHearing()
    ended.abort()
    await running
  }
}
