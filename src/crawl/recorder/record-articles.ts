/**
 * What fetches of pages mean: the article that was read, or that it is one that we have, or when to try again, if ever.
 *
 * Which page it is, is told by where redirects led, or by the canonical address that it names. That is believed within its
 * root and not for the front page; and where we have another article at that address, only if both have the same title:
 * there are sites whose every page names the same one.
 */
import { dateVerdict } from '../../articles/index.ts'
import { pageAddress } from '../../feeds/index.ts'
import {
  type ArticleFacts,
  type ArticleId,
  bucketOf,
  type Entry,
  type Failure,
  type Feed,
  type FeedId,
  type Instant,
  type Outcome,
  type PageReading,
  type RawPage,
  type StoredArticle,
  type WebAddress,
} from '../../model/index.ts'
import { isRefusal, pageRetryAt, rootOf, tenantOf } from '../../politeness/index.ts'
import type { ArticleCatalogue, ArticleRecord, ArticleResult, Catalogue, Clock, Ledger } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { isOfStore, type SetAside } from '../error-boundary.ts'
import type { RetryTransient } from '../retried-steps.ts'
import { leaseOf } from '../task.ts'
import { classifiedFacts } from './classify.ts'
import type { CommittedWrites } from './committed-writes.ts'
import type { Policy } from './policy.ts'
import { createRepeatedTexts, REPEATED_TEXT } from './repeated-texts.ts'

const CHUNK = 10

export interface PageRecorderParts {
  catalogue: Catalogue
  articleCatalogue: ArticleCatalogue
  ledger: Ledger
  clock: Clock
  random: () => number
  /** From when on other pages of its root may be fetched, after this. */
  lineDueAt: (outcome: Outcome, now: Instant) => Instant
  committed: Pick<CommittedWrites, 'pages'>
  retryTransient: RetryTransient
  setAside: SetAside
  emit: (event: CrawlEvent) => void
}

const MOST_HOPS = 5 // from host to host, as within one
const ENDLESS: Failure = { kind: 'redirects', detail: `they lead from host to host, more than ${MOST_HOPS} times` }

const REFUSED_AS_REPEATED: Exclude<ArticleResult, { kind: 'elsewhere' }> = {
  kind: 'failed',
  failure: REPEATED_TEXT,
  state: 'refused',
}

/** One that was read, at its address. */
interface ReadArticle {
  id: ArticleId
  facts?: ArticleFacts
}

export function createPageRecorder({
  catalogue,
  articleCatalogue,
  ledger,
  clock,
  random,
  lineDueAt,
  committed,
  retryTransient,
  setAside,
  emit,
}: PageRecorderParts): {
  record(outcomes: Outcome[], policy: Pick<Policy, 'languageOf'>): Promise<void>
} {
  const repeatedTexts = createRepeatedTexts()

  /** Few at a time: each may have megabytes, which the store packs before it writes them. */
  async function record(outcomes: Outcome[], policy: Pick<Policy, 'languageOf'>): Promise<void> {
    for (let from = 0; from < outcomes.length; from += CHUNK)
      await recordChunk(outcomes.slice(from, from + CHUNK), policy)
  }

  /** Together; if the store refuses that, one by one, so that one bad record harms no other. */
  async function recordChunk(outcomes: Outcome[], policy: Pick<Policy, 'languageOf'>): Promise<void> {
    try {
      await recordTogether(outcomes, policy)
    } catch (error) {
      if (isOfStore(error)) throw error
      if (outcomes.length > 1) for (const one of outcomes) await recordChunk([one], policy)
      else for (const { task, at } of outcomes) await setAside(task, error, `recording the page ${task.url}`, at)
    }
  }

  async function recordTogether(outcomes: Outcome[], { languageOf }: Pick<Policy, 'languageOf'>): Promise<void> {
    const { articles, firsts, feeds, known } = await retryTransient('prepare records', () => keptOf(outcomes))
    const records: ArticleRecord[] = []
    const takenBack: ArticleRecord[] = []
    for (const [i, outcome] of outcomes.entries()) {
      const article = articles[i]
      if (!article) continue // its entries were removed while the task was out
      const about = (facts: ArticleFacts, text: string) =>
        withVerdict(classifiedFacts(facts, text, firsts[i], feeds.get(firsts[i]?.feedId), languageOf), firsts[i])
      const read = resultOf(outcome, article, about, known, random())
      const { result, before } = withoutRepeated(read, article, firsts[i])
      if (result.kind === 'read') known.set(result.pageUrl, { id: article.id, facts: result.facts })
      for (const id of before)
        takenBack.push({ id, at: outcome.at, lineDueAt: lineDueAt(outcome, clock.now()), result: REFUSED_AS_REPEATED })
      records.push({
        id: article.id,
        at: outcome.at,
        ...leaseOf(outcome.task),
        lineDueAt: lineDueAt(outcome, clock.now()),
        result,
      })
    }
    const recorded = await committed.pages(records)
    if (takenBack.length > 0) await committed.pages(takenBack)
    for (const [i, { id, at, result }] of records.entries()) {
      const outcome = outcomes.find(({ task }) => task.kind === 'article' && task.articleId === id)
      if (recorded[i] && outcome && result.kind !== 'elsewhere') emit(pageEvent(outcome, id, at, result))
    }
  }

  /** The stored articles of these pages, and the first entries and feeds that link to them. */
  async function keptOf(outcomes: Outcome[]) {
    const ids = outcomes.map(articleIdOf)
    const articles = await articleCatalogue.articlesById(ids)
    const firsts = (await articleCatalogue.entriesOfArticles(ids)).map(([first]) => first)
    const feeds = await feedsOf(firsts.flatMap((first) => (first ? [first.feedId] : [])))
    return { articles, firsts, feeds, known: await knownOf(outcomes) }
  }

  /** A text that other pages of its site have, too, is not the article's. */
  function withoutRepeated(result: ArticleResult, { id, root, url }: StoredArticle, first: Entry | undefined) {
    if (result.kind !== 'read') return { result, before: [] }
    const { repeated, before } = repeatedTexts.isRepeated(root, result.content.text, first?.title || url, id)
    return repeated ? { result: REFUSED_AS_REPEATED, before } : { result, before }
  }

  async function feedsOf(ids: FeedId[]): Promise<Map<FeedId | undefined, Feed>> {
    const held = await catalogue.feedsById([...new Set(ids)])
    return new Map(held.flatMap((one) => (one ? [[one.feed.id, one.feed]] : [])))
  }

  /** What we have at the addresses at which these pages may be. */
  async function knownOf(outcomes: Outcome[]): Promise<Map<string, ReadArticle>> {
    const addresses = outcomes.flatMap(({ result }) => (result.kind === 'page' ? addressesOf(result.reading) : []))
    const articles = await ledger.articlesAt([...new Set(addresses)])
    return new Map(articles.toReversed().map((article) => [article.pageUrl ?? article.url, article]))
  }

  return { record }
}

function resultOf(
  { at, result }: Outcome,
  article: StoredArticle,
  about: (facts: ArticleFacts, text: string) => ArticleFacts,
  known: ReadonlyMap<string, ReadArticle>,
  chance: number,
): ArticleResult {
  if (result.kind === 'page-elsewhere' && (article.ledTo?.hops ?? 0) < MOST_HOPS)
    return { kind: 'elsewhere', to: result.to, root: tenantOf(result.to), bucket: bucketOf(rootOf(result.to)) }
  if (result.kind === 'failed' || result.kind === 'page-elsewhere') {
    const failure = result.kind === 'failed' ? result.failure : ENDLESS
    const dueAt = pageRetryAt(failure, article.failures, at, chance)
    const state = isRefusal(failure) ? 'refused' : 'failed'
    return { kind: 'failed', failure, state, ...(dueAt !== undefined && { dueAt }) }
  }
  if (result.kind !== 'page') throw new Error(`the fetch of a page cannot end in "${result.kind}"`)
  const { reading } = result
  const { pageUrl, sameAs } = placeOf(reading, article.id, known)
  if (sameAs !== undefined) return { kind: 'same', sameAs, pageUrl }
  const { text, html, noArchive } = reading
  const facts = about(reading.facts, text)
  return {
    kind: 'read',
    pageUrl,
    facts,
    content: { text, html },
    ...(facts.date?.from === 'page' && { estimate: { at: facts.date.at, by: 'page' } }),
    ...(noArchive ? { noArchive } : { page: rawPageOf(reading, at) }),
  }
}

/** Its own address last: where redirects led is what it is, whatever it says. */
function addressesOf({ url, canonicalUrl }: PageReading): WebAddress[] {
  const own = pageAddress(url) ?? url
  const canonical = canonicalUrl === undefined ? undefined : pageAddress(canonicalUrl)
  return canonical !== undefined && canonical !== own && rootOf(canonical) === rootOf(own) ? [canonical, own] : [own]
}

function placeOf(
  reading: PageReading,
  id: ArticleId,
  known: ReadonlyMap<string, ReadArticle>,
): { pageUrl: WebAddress; sameAs?: ArticleId } {
  const addresses = addressesOf(reading)
  const own = addresses.at(-1)!
  for (const pageUrl of addresses) {
    const there = known.get(pageUrl)
    if (!there || there.id === id) continue
    if (pageUrl === own || saysTheSame(there.facts, reading.facts)) return { pageUrl, sameAs: there.id }
    return { pageUrl: own } // the address that it names is another's
  }
  return { pageUrl: addresses[0]! }
}

function saysTheSame(a: ArticleFacts | undefined, b: ArticleFacts): boolean {
  return a?.title === b.title && (b.title !== undefined || a?.words === b.words)
}

/** By the first of the entries that point at it: it was seen before the others. */
function withVerdict(facts: ArticleFacts, first: Entry | undefined): ArticleFacts {
  return first ? { ...facts, date: dateVerdict(first, facts.published) } : facts
}

function rawPageOf({ url, status, headers, body }: PageReading, at: Instant): RawPage {
  return { url, at, status, headers, body }
}

function articleIdOf({ task }: Outcome): ArticleId {
  if (task.kind !== 'article') throw new Error(`a ${task.kind} task has no article`)
  return task.articleId
}

export function pageEvent(
  { task, tookMs, bytes }: Outcome,
  articleId: ArticleId,
  at: Instant,
  result: Exclude<ArticleResult, { kind: 'elsewhere' }>,
): CrawlEvent {
  const fetched = { kind: 'article', at, articleId, url: task.url, tookMs, bytes } as const
  switch (result.kind) {
    case 'read': {
      const { title, words } = result.facts
      return { ...fetched, result: { kind: 'read', words, ...(title !== undefined && { title }) } }
    }
    case 'same':
      return { ...fetched, result: { kind: 'same' } }
    case 'failed': {
      const { failure, dueAt } = result
      return { ...fetched, result: { kind: 'failed', failure, ...(dueAt !== undefined && { dueAt }) } }
    }
  }
}
