/**
 * Records fetched article pages: the article that was read, the article that it duplicates, or when to retry, if ever.
 *
 * A page is identified by its address after redirects, or by its canonical link. A canonical link is trusted only within the same root, and
 * not if it is the front page; and if another article has that address, only if both have the same title, since on some sites all pages
 * have the same canonical link.
 */
import { decideDate } from '../../articles/index.ts'
import { pageAddress } from '../../feeds/index.ts'
import {
  type ArticleFacts,
  type ArticleId,
  bucketOf,
  type Entry,
  type Failure,
  type Feed,
  type FeedId,
  type FetchedPage,
  type Instant,
  type Outcome,
  type RawPage,
  type StoredArticle,
  type WebAddress,
} from '../../model/index.ts'
import { isRefusal, pageRetryAt, rootOf, tenantOf } from '../../politeness/index.ts'
import type { ArticleRecord, ArticleResult, Clock, EntryLink, PollResults } from '../../ports/index.ts'
import type { CrawlEvent } from '../crawler.ts'
import { isStoreError, type Quarantine } from '../error-boundary.ts'
import type { RetryTransient } from '../retried-steps.ts'
import { leaseOf } from '../task.ts'
import { classifyFacts } from './classify.ts'
import type { CommittedWrites } from './committed-writes.ts'
import type { Policy } from './policy.ts'
import { createRepeatedTexts, REPEATED_TEXT } from './repeated-texts.ts'

const CHUNK = 10

export interface ArticleRecorderParts {
  pollResults: PollResults
  clock: Clock
  random: () => number
  /** When the next article of the same root may be fetched. */
  queueDueAt: (outcome: Outcome, now: Instant) => Instant
  committedWrites: Pick<CommittedWrites, 'recordArticles'>
  retryTransient: RetryTransient
  quarantine: Quarantine
  emit: (event: CrawlEvent) => void
}

const MAX_HOPS = 5 // between hosts; the same limit as within one
const TOO_MANY_HOPS: Failure = { kind: 'redirects', detail: `they lead from host to host, more than ${MAX_HOPS} times` }

const REFUSED_AS_REPEATED: Exclude<ArticleResult, { kind: 'elsewhere' }> = {
  kind: 'failed',
  failure: REPEATED_TEXT,
  state: 'refused',
}

/** A read article, at its address. */
interface ReadArticle {
  id: ArticleId
  facts?: ArticleFacts
}

export function createArticleRecorder({
  pollResults,
  clock,
  random,
  queueDueAt,
  committedWrites,
  retryTransient,
  quarantine,
  emit,
}: ArticleRecorderParts): {
  record(outcomes: Outcome[], policy: Pick<Policy, 'languageOf'>): Promise<void>
} {
  const repeatedTexts = createRepeatedTexts()

  /** In small chunks: each page may have megabytes, which the store compresses before writing. */
  async function record(outcomes: Outcome[], policy: Pick<Policy, 'languageOf'>): Promise<void> {
    for (let from = 0; from < outcomes.length; from += CHUNK)
      await recordChunk(outcomes.slice(from, from + CHUNK), policy)
  }

  /** Records together; if that fails, one by one, so that one bad record does not affect the others. */
  async function recordChunk(outcomes: Outcome[], policy: Pick<Policy, 'languageOf'>): Promise<void> {
    try {
      await recordTogether(outcomes, policy)
    } catch (error) {
      if (isStoreError(error)) throw error
      if (outcomes.length > 1) for (const outcome of outcomes) await recordChunk([outcome], policy)
      else
        for (const { task, at } of outcomes) await quarantine(task, error, `recording the article page ${task.url}`, at)
    }
  }

  async function recordTogether(outcomes: Outcome[], { languageOf }: Pick<Policy, 'languageOf'>): Promise<void> {
    const { articles, firsts, links, feeds, storedByUrl } = await retryTransient('prepare records', () =>
      loadStored(outcomes),
    )
    const records: ArticleRecord[] = []
    const retracted: ArticleRecord[] = []
    for (const [i, outcome] of outcomes.entries()) {
      const article = articles[i]
      if (!article) continue // its entries were removed while the task was out
      const withMetadata = (facts: ArticleFacts, text: string) =>
        withVerdict(classifyFacts(facts, text, firsts[i], feeds.get(firsts[i]?.feedId), languageOf), firsts[i])
      const read = resultOf(outcome, article, withMetadata, storedByUrl, random())
      const { result, before } = withoutRepeated(withTitle(read, firsts[i]), article, firsts[i])
      if (result.kind === 'read') storedByUrl.set(result.pageUrl, { id: article.id, facts: result.facts })
      for (const id of before)
        retracted.push({
          id,
          at: outcome.at,
          queueDueAt: queueDueAt(outcome, clock.now()),
          result: REFUSED_AS_REPEATED,
        })
      records.push({
        id: article.id,
        at: outcome.at,
        ...leaseOf(outcome.task),
        queueDueAt: queueDueAt(outcome, clock.now()),
        result,
      })
    }
    const recorded = await committedWrites.recordArticles(records)
    if (retracted.length > 0) await committedWrites.recordArticles(retracted)
    for (const [i, { id, at, result }] of records.entries()) {
      const outcome = outcomes.find(({ task }) => task.kind === 'article' && task.articleId === id)
      if (!recorded[i] || !outcome || result.kind === 'elsewhere') continue
      emit(articleEvent(outcome, id, at, result, links[outcomes.indexOf(outcome)]))
    }
  }

  /** The stored articles of these outcomes, with the first entries and feeds that link to them. */
  async function loadStored(outcomes: Outcome[]) {
    const ids = outcomes.map(articleIdOf)
    const addresses = outcomes.flatMap(({ result }) => (result.kind === 'page' ? addressesOf(result.reading) : []))
    const { articles, firsts, links, feeds, atAddresses } = await pollResults.articleContext(ids, [
      ...new Set(addresses),
    ])
    return {
      articles,
      firsts,
      links,
      feeds: new Map(feeds.map((feed): [FeedId | undefined, Feed] => [feed.id, feed])),
      storedByUrl: new Map(
        atAddresses.toReversed().map((article): [string, ReadArticle] => [article.pageUrl ?? article.url, article]),
      ),
    }
  }

  /** Rejects a text that other pages of the site have, too. */
  function withoutRepeated(result: ArticleResult, { id, root, url }: StoredArticle, first: Entry | undefined) {
    if (result.kind !== 'read') return { result, before: [] }
    const { repeated, before } = repeatedTexts.isRepeated(root, result.content.text, first?.title || url, id)
    return repeated ? { result: REFUSED_AS_REPEATED, before } : { result, before }
  }

  return { record }
}

function resultOf(
  { at, result }: Outcome,
  article: StoredArticle,
  withMetadata: (facts: ArticleFacts, text: string) => ArticleFacts,
  storedByUrl: ReadonlyMap<string, ReadArticle>,
  chance: number,
): ArticleResult {
  if (result.kind === 'page-elsewhere' && (article.ledTo?.hops ?? 0) < MAX_HOPS)
    return { kind: 'elsewhere', to: result.to, root: tenantOf(result.to), bucket: bucketOf(rootOf(result.to)) }
  if (result.kind === 'failed' || result.kind === 'page-elsewhere') {
    const failure = result.kind === 'failed' ? result.failure : TOO_MANY_HOPS
    const dueAt = pageRetryAt(failure, article.failures, at, chance)
    const state = isRefusal(failure) ? 'refused' : 'failed'
    return { kind: 'failed', failure, state, ...(dueAt !== undefined && { dueAt }) }
  }
  if (result.kind !== 'page') throw new Error(`the fetch of an article page cannot have the result "${result.kind}"`)
  const { reading } = result
  const { pageUrl, sameAs } = identifyPage(reading, article.id, storedByUrl)
  if (sameAs !== undefined) return { kind: 'same', sameAs, pageUrl }
  const { text, html, noArchive } = reading
  const facts = withMetadata(reading.facts, text)
  return {
    kind: 'read',
    pageUrl,
    facts,
    content: { text, html },
    ...(facts.date?.from === 'page' && { estimate: { at: facts.date.at, by: 'page' } }),
    ...(noArchive ? { noArchive } : { page: rawPageOf(reading, at) }),
  }
}

/** Entries of sitemaps may have only an address. Posts without a title have a text, and are called by its first words. */
function withTitle(result: ArticleResult, first: Entry | undefined): ArticleResult {
  if (result.kind !== 'read' || !result.facts.title || !first) return result
  const { title, summary, content } = first
  return title || summary || content ? result : { ...result, title: result.facts.title }
}

/** Possible addresses of the page; the one after redirects comes last, and is always valid. */
function addressesOf({ url, canonicalUrl }: FetchedPage): WebAddress[] {
  const own = pageAddress(url) ?? url
  const canonical = canonicalUrl === undefined ? undefined : pageAddress(canonicalUrl)
  return canonical !== undefined && canonical !== own && rootOf(canonical) === rootOf(own) ? [canonical, own] : [own]
}

function identifyPage(
  reading: FetchedPage,
  id: ArticleId,
  storedByUrl: ReadonlyMap<string, ReadArticle>,
): { pageUrl: WebAddress; sameAs?: ArticleId } {
  const addresses = addressesOf(reading)
  const own = addresses.at(-1)!
  for (const pageUrl of addresses) {
    const existing = storedByUrl.get(pageUrl)
    if (!existing || existing.id === id) continue
    if (pageUrl === own || hasSameContent(existing.facts, reading.facts)) return { pageUrl, sameAs: existing.id }
    return { pageUrl: own } // its canonical link is the address of another article
  }
  return { pageUrl: addresses[0]! }
}

function hasSameContent(a: ArticleFacts | undefined, b: ArticleFacts): boolean {
  return a?.title === b.title && (b.title !== undefined || a?.words === b.words)
}

/** Uses the first entry that links to the article, since it was seen first. */
function withVerdict(facts: ArticleFacts, first: Entry | undefined): ArticleFacts {
  return first ? { ...facts, date: decideDate(first, facts.published) } : facts
}

function rawPageOf({ url, status, headers, body }: FetchedPage, at: Instant): RawPage {
  return { url, at, status, headers, body }
}

function articleIdOf({ task }: Outcome): ArticleId {
  if (task.kind !== 'article') throw new Error(`a ${task.kind} task has no article`)
  return task.articleId
}

export function articleEvent(
  { task, tookMs, bytes }: Outcome,
  articleId: ArticleId,
  at: Instant,
  result: Exclude<ArticleResult, { kind: 'elsewhere' }>,
  links: EntryLink[] = [],
): CrawlEvent {
  const fetched = { kind: 'article', at, articleId, url: task.url, tookMs, bytes, links } as const
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
