/**
 * The article crawl: pages that entries point at are fetched through the same terminals and at the same doors as polls, and
 * behind them. A page has no turn of its own: it goes when nobody else waits at its root, and of all hands only some are
 * for pages, so that a slow page never keeps a poll waiting for long.
 *
 * The store keeps a line for each host. What is taken from a line may go, or is handed back with the date at which its root
 * is free; a root that does not answer is left alone for longer each time, with all who wait for it.
 */
import type { Failure, Instant, Millis, Outcome, Owned, StoredArticle, Task, WebAddress } from '../../model/index.ts'
import { isSilence, lineRestMs, type Turn, tenantOf } from '../../politeness/index.ts'
import type { Agenda, ArticleCatalogue, Catalogue, Clock } from '../../ports/index.ts'
import type { SetAside } from '../wall.ts'
import type { Flights } from './flights.ts'
import type { HostMemory } from './host-memory.ts'
import type { RedirectPace } from './redirect-pace.ts'
import { articleTask } from './tasks.ts'

const SHARE = 1 / 2 // of all hands, ours
const MOST_ROOTS = 20_000 // whose silences are remembered

export interface PageTurnsParts {
  agenda: Agenda
  catalogue: Catalogue
  articleCatalogue: ArticleCatalogue
  clock: Clock
  redirectPace: RedirectPace
  hosts: Pick<HostMemory, 'mayGo'>
  setAside: SetAside
  /** Tasks that are out, of all kinds. */
  flights: Flights
  /** Those that were let in go, or leave again. */
  send: (going: Task[]) => Promise<void>
  hands: () => number
  leaseMs: Millis
  owned: () => Owned | undefined
}

export interface PageTurns {
  /** Sends out pages that are due and may go. Returns how many. */
  tick(): Promise<number>
  /** How many more pages may be out, as things are. */
  freeHands(): number
  /** From when on other pages of its root may be fetched, after this. */
  lineDueAt(outcome: Outcome, now: Instant): Instant
  /** Others look after these. */
  forget(isTheirs: (root: string) => boolean): void
}

export function createPageTurns(parts: PageTurnsParts): PageTurns {
  const {
    agenda,
    catalogue,
    articleCatalogue,
    clock,
    redirectPace,
    hosts,
    setAside,
    flights,
    send,
    hands,
    leaseMs,
    owned,
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
      const dueAt = await agenda.nextArticleDueAt(owned()) // to ask is cheaper than to take nothing
      if (dueAt === undefined || dueAt > now) return sent
      const taken = await agenda.takeDueArticles(now, hands, now + leaseMs, owned())
      if (taken.length === 0) return sent
      const going: Task[] = []
      const waiting: Parameters<Agenda['handBackArticles']>[0] = []
      const named = await feedsOf(taken)
      for (const [i, article] of taken.entries()) {
        const task = articleTask(article, redirectPace.gapMs(article.ledTo?.url ?? article.url, now), named[i])
        try {
          const turn = turnOf(task, now)
          if (turn.kind === 'wait') waiting.push({ id: article.id, lease: article.lease, dueAt: turn.until })
          else going.push(flights.depart(task, now))
        } catch (error) {
          await setAside(task, error, `finding a turn for ${task.url}`)
        }
      }
      await send(going)
      if (waiting.length > 0) await agenda.handBackArticles(waiting)
      sent += going.length
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

  function lineDueAt({ task, result }: Outcome, now: Instant): Instant {
    const root = tenantOf(task.url)
    const failure: Failure | undefined = result.kind === 'failed' ? result.failure : undefined
    const silent = failure !== undefined && isSilence(failure) ? (silences.get(root) ?? 0) + 1 : 0
    silences.delete(root)
    if (silent === 0) return now
    silences.set(root, silent)
    const [oldest] = silences.keys()
    if (silences.size > MOST_ROOTS && oldest !== undefined) silences.delete(oldest)
    return now + lineRestMs(silent)
  }

  function forget(isTheirs: (root: string) => boolean): void {
    for (const root of silences.keys()) if (isTheirs(root)) silences.delete(root)
  }

  return { tick, freeHands, lineDueAt, forget }
}
