/**
 * The article crawl: pages that entries point at are fetched through the same terminals and at the same doors as polls, and
 * behind them. A page has no turn of its own: it goes when nobody else waits at its root, and of all hands only some are
 * for pages, so that a slow page never keeps a poll waiting for long.
 *
 * The store keeps a line for each host. What is taken from a line may go, or is handed back with the date at which its root
 * is free; a root that does not answer is left alone for longer each time, with all who wait for it.
 */
import type { Instant, Outcome, StoredArticle, Task, WebAddress } from '../../model/index.ts'
import { isSilence, lineRestMs, type Turn, tenantOf } from '../../politeness/index.ts'
import type { ArticleCatalogue, Catalogue, Clock, Leased } from '../../ports/index.ts'
import type { SetAside } from '../error-boundary.ts'
import type { Waiting } from './admission.ts'
import { type HostMemory, hostsVisited } from './host-memory.ts'
import type { Flights } from './in-flight-tasks.ts'
import type { RedirectPace } from './redirect-pacing.ts'
import type { HandBack } from './release-leases.ts'
import { articleTask } from './task-of.ts'

const SHARE = 1 / 2 // of all hands, ours
const MOST_ROOTS = 20_000 // whose silences are remembered

export interface PageTurnsParts {
  catalogue: Catalogue
  articleCatalogue: ArticleCatalogue
  clock: Clock
  redirectPace: RedirectPace
  hosts: Pick<HostMemory, 'mayGo' | 'recall'>
  handBack: Pick<HandBack, 'owe' | 'settle'>
  setAside: SetAside
  /** Tasks that are out, of all kinds. */
  flights: Flights
  /** So many that are due, under a lease of ours. */
  take: (now: Instant, limit: number) => Promise<Leased<StoredArticle>[]>
  /** Those that were let in go, or leave again. */
  send: (going: Task[]) => Promise<void>
  /** Work between taking and sending: if it fails, nothing of this stays out. */
  orRelease: (taken: Task[], work: () => Promise<void>) => Promise<void>
  hands: () => number
}

export interface PageTurns {
  /** Sends out pages that are due and may go. Returns how many. */
  tick(): Promise<number>
  /** How many more pages may be out, as things are. */
  freeHands(): number
  /** Counts, once for each outcome, how often in a row a root did not answer. */
  learn(outcomes: Outcome[]): void
  /** From when on other pages of its root may be fetched, after this. */
  lineDueAt(outcome: Outcome, now: Instant): Instant
  /** Others look after these. */
  forget(isTheirs: (root: string) => boolean): void
}

export function createPageTurns(parts: PageTurnsParts): PageTurns {
  const {
    catalogue,
    articleCatalogue,
    clock,
    redirectPace,
    hosts,
    handBack,
    setAside,
    flights,
    take,
    send,
    orRelease,
    hands,
  } = parts
  const silences = new Map<string, number>()

  function freeHands(): number {
    let pages = 0
    for (const { task } of flights.all()) if (task.kind === 'article') pages++
    const all = hands()
    const most = all === 0 ? 0 : Math.max(1, Math.floor(all * SHARE))
    return Math.min(all - flights.size, most - pages)
  }

  async function tick(): Promise<number> {
    let sent = 0
    for (;;) {
      const hands = freeHands()
      if (hands <= 0) return sent
      const now = clock.now()
      const taken = await take(now, hands)
      if (taken.length === 0) return sent
      const tasks = taken.map((article) => articleTask(article, 0, undefined))
      handBack.owe(tasks.map((task) => ({ task })))
      await orRelease(tasks, async () => {
        await hosts.recall(hostsVisited(tasks), now)
        const named = await feedsOf(taken)
        const going: Task[] = []
        const waiting: Waiting[] = []
        for (const [i, article] of taken.entries()) {
          const task = articleTask(article, redirectPace.gapMs(article.ledTo?.url ?? article.url, now), named[i])
          try {
            const turn = turnOf(task, now)
            if (turn.kind === 'wait') waiting.push({ task, until: turn.until })
            else going.push(flights.depart(task, now))
          } catch (error) {
            await setAside(task, error, `finding a turn for ${task.url}`)
          }
        }
        handBack.owe(waiting)
        await send(going)
        sent += going.length
      })
      await handBack.settle()
      if (taken.length < hands) return sent // there are no more
    }
  }

  /** The address of a feed that points at each: of one on the same host, if there is one. */
  async function feedsOf(articles: StoredArticle[]): Promise<(WebAddress | undefined)[]> {
    const pointing = await articleCatalogue.feedsOfArticles(articles.map(({ id }) => id))
    const held = await catalogue.feedsById([...new Set(pointing.flat())])
    const urlOf = new Map(held.flatMap((one) => (one ? [[one.feed.id, one.feed.url]] : [])))
    return pointing.map((ids, i) => {
      const urls = ids.flatMap((id) => urlOf.get(id) ?? [])
      const { host } = new URL(articles[i]!.url)
      return urls.find((url) => new URL(url).host === host) ?? urls[0]
    })
  }

  /** While a host is in trouble, its feeds find out when that is over. */
  function turnOf(task: Task, now: Instant): Turn {
    return hosts.mayGo(tenantOf(task.url), () => Number.POSITIVE_INFINITY, now) ?? redirectPace.enterLast(task, now)
  }

  function learn(outcomes: Outcome[]): void {
    for (const { task, result } of outcomes) {
      if (task.kind !== 'article') continue
      const root = tenantOf(task.url)
      const silent = isSilent(result) ? (silences.get(root) ?? 0) + 1 : 0
      silences.delete(root)
      if (silent === 0) continue
      silences.set(root, silent)
      const [oldest] = silences.keys()
      if (silences.size > MOST_ROOTS && oldest !== undefined) silences.delete(oldest)
    }
  }

  function lineDueAt({ task, result }: Outcome, now: Instant): Instant {
    return isSilent(result) ? now + lineRestMs(silences.get(tenantOf(task.url)) ?? 1) : now
  }

  function forget(isTheirs: (root: string) => boolean): void {
    for (const root of silences.keys()) if (isTheirs(root)) silences.delete(root)
  }

  return { tick, freeHands, learn, lineDueAt, forget }
}

function isSilent(result: Outcome['result']): boolean {
  return result.kind === 'failed' && isSilence(result.failure)
}
