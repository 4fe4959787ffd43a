/**
/**
 * Applies users' rules to new entries, notifies users, makes digests, sends entries to destinations and webhooks with new results of saved
 * searches, and pings a hub when outgoing feeds change, while the server runs. If several processes serve one store, one leader does each;
 * another process takes over when it stops.
 */
import { type Crawler, createLeaderTasks } from '../crawl/index.ts'
import type { SendEntry } from '../destinations/index.ts'
import { createRuleRunner, loadProgress } from '../filtering/index.ts'
import type { UserId } from '../model/index.ts'
import { createDigestRunner, createNotifier } from '../notifications/index.ts'
import type { Leadership, Users, UserValues } from '../ports/index.ts'
import { createHubPings, createSendRunner, createWebhooks } from '../webhooks/index.ts'
import type { Log } from './log.ts'

type WebhookParts = Omit<Parameters<typeof createWebhooks>[0], 'random' | 'onFailure' | 'isStillOwner'>

interface Parts extends WebhookParts {
  crawler: Pick<Crawler, 'onEvent' | 'requestArticle'>
  users: Users
  userValues: UserValues
  sendEntry: SendEntry
  hub?: { url: string; publicUrl: string }
  /** Makes digests; absent if no user can ask for one. */
  digests?: Omit<Parameters<typeof createDigestRunner>[0], 'userValues' | 'clock'>
  /** The operator, for push services. */
  pushContact: string
  leadership: Leadership
  /** The unique name of this process. */
  name: string
}

interface ServerTasks {
  /** Call when an entry was queued for a destination. */
  wakeSends(): void
  /** Resolves once nothing is in flight. */
  stop(): Promise<void>
}

export function startServerTasks(parts: Parts, log: Log): ServerTasks {
  const { leadership, clock, name, crawler, hub, digests, pushContact, onInternalError = () => {} } = parts
  const ended = new AbortController()
  let wake = () => {}
  let wakeRules = () => {}
  let wakeSends = () => {}
  const stopListening = crawler.onEvent(({ kind }) => {
    if (kind === 'polled' || kind === 'pushed' || kind === 'found') {
      wake()
      wakeRules()
    }
  })
  const leaderTasks = createLeaderTasks({
    leadership,
    clock,
    name,
    emit: () => {},
    reportError: onInternalError,
    tasks: {
      async rules(signal, isStillOwner) {
        const runner = createRuleRunner({
          ...parts,
          requestArticle: crawler.requestArticle,
          onSendQueued: () => wakeSends(),
          isStillOwner,
        })
        wakeRules = runner.wake
        await runner.run(signal)
      },
      async sends(signal, isStillOwner) {
        const runner = createSendRunner({ ...parts, isStillOwner, random: Math.random })
        wakeSends = runner.wake
        await runner.run(signal)
      },
      /** Created for each term of leadership: the store has how far other leaders got meanwhile. */
      async webhooks(signal, isStillOwner) {
        const webhooks = createWebhooks({
          ...parts,
          isStillOwner,
          random: Math.random,
          onFailure: ({ id, name, origin }, words, isGivenUp) =>
            log.warn(
              `webhook ${id} (${name}) at ${origin} ${isGivenUp ? 'is disabled' : 'is retried later'}: ${words}`,
            ),
        })
        wake = webhooks.wake
        await webhooks.run(signal)
      },
      async notifications(signal, isStillOwner) {
        const waitingForRules = async (userId: UserId) => (await loadProgress(parts, userId))?.waiting ?? []
        await createNotifier({ ...parts, contact: pushContact, waitingForRules, isStillOwner }).run(signal)
      },
      ...(digests && {
        digests: (signal: AbortSignal, isStillOwner: () => boolean) =>
          createDigestRunner({
            ...parts,
            ...digests,
            isStillOwner,
            onFailure: (userId, trouble, isGivenUp) =>
              log.warn(`the digest of user ${userId} ${isGivenUp ? 'was not sent' : 'is sent later'}: ${trouble}`),
          }).run(signal),
      }),
      ...(hub && {
        hub: (signal: AbortSignal, isStillOwner: () => boolean) =>
          createHubPings({
            ...parts,
            hub,
            isStillOwner,
            onFailure: (words) => log.warn(`the hub ${hub.url} could not be pinged: ${words}`),
          }).run(signal),
      }),
    },
  })
  const finished = leaderTasks.run(ended.signal)
  return {
    wakeSends: () => wakeSends(),
    async stop() {
      stopListening()
      ended.abort()
      await finished
    },
  }
}
