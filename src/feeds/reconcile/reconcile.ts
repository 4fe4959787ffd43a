/**
 * What is new in a window. An entry is known by its key; the first of a key counts, because a feed that gives two
 * entries one key would otherwise change into itself and back at every poll.
 *
 * An entry is changed if it has another title or address, or says something else below (`textHash`, which counters and clocks do
 * not touch). A text that is another one at every poll counts once an hour: what is put in by a lottery is no news.
 *
 * Some feeds invent their guids anew for every reader, so that every key is unknown every time. For them there is a
 * second way to be known: to say, word for word, what an entry said before (`sayings`). It is asked for only where the
 * keys alone find a gap: `reconcile`, and if `gap`, again with the sayings of the feed's latest entries.
 */
import {
  atOnce,
  type EntryDraft,
  extrasOf,
  HOUR,
  type Instant,
  type KnownEntry,
  type Steps,
  textHash,
} from '../../model/index.ts'

export interface Reconciled {
  /** Entries never seen, in the order of the window. */
  fresh: EntryDraft[]
  /** Entries known under their key that now have another title, address or text. */
  changed: EntryDraft[]
  /** Entries that are known, and are kept without what comes with them. */
  completed: EntryDraft[]
  /** Nothing in the window was known, though the feed was read before. */
  gap: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

/** `first`: the feed was never read before. `said`: what its latest entries said, see `sayings`. `at`: when it was read. */
export function reconcile(...given: Parameters<typeof reconcileInSteps>): Reconciled {
  return atOnce(reconcileInSteps(...given))
}

/** The same, an entry at a time: there may be ten thousand. */
export function* reconcileInSteps(
  window: EntryDraft[],
  known: ReadonlyMap<string, KnownEntry>,
  first: boolean,
  said: ReadonlySet<string> = NOTHING,
  at: Instant = Number.POSITIVE_INFINITY,
): Steps<Reconciled> {
  const fresh: EntryDraft[] = []
  const changed: EntryDraft[] = []
  const completed: EntryDraft[] = []
  const met = new Set<string>()
  let anyKnown = false

  for (const draft of window) {
    yield
    if (met.has(draft.key)) continue
    met.add(draft.key)
    const before = known.get(draft.key)
    if (before === undefined && !wasSaid(draft, said)) {
      fresh.push(draft)
      continue
    }
    anyKnown = true
    if (before === undefined || before === 'forgotten') continue
    if (saysOtherwise(draft, before) || saysMore(draft, before, at)) changed.push(draft)
    else if (before.bare && extrasOf(draft)) completed.push(draft)
  }
  return { fresh, changed, completed, gap: !first && window.length > 0 && !anyKnown }
}

/** What these entries of one feed said, as `reconcile` takes it. */
export function sayings(...given: Parameters<typeof sayingsInSteps>): ReadonlySet<string> {
  return atOnce(sayingsInSteps(...given))
}

export function* sayingsInSteps(
  entries: Iterable<Pick<EntryDraft, 'url' | 'title' | 'publishedAt'>>,
): Steps<ReadonlySet<string>> {
  const said = new Set<string>()
  for (const entry of entries) {
    yield
    for (const saying of sayingsOf(entry)) said.add(saying)
  }
  return said
}

/** The same for addresses that differ only in what was added to count clicks, in the case of scheme or host, in the usual port or an empty query. Undefined for what is no address. */
export function comparableUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !TRACKING.test(parameter))
  if (url.href.includes('?')) url.search = kept.join('&')
  return url.href
}

const TRACKING =
  /^(?:utm_[a-z_]+|fbclid|gclid|dclid|msclkid|yclid|igshid|mc_cid|mc_eid|ns_campaign|ns_mchannel|wt_mc|xtor|cmpid)(?:=|$)/i

/** A title alone would not do: many feeds call each of their entries the same. */
export function* sayingsOf(entry: Pick<EntryDraft, 'url' | 'title' | 'publishedAt'>): Iterable<string> {
  if (entry.title === '') return
  if (entry.url !== undefined) yield `at ${comparableUrl(entry.url) ?? entry.url} ${entry.title}`
  if (entry.publishedAt !== undefined) yield `on ${entry.publishedAt} ${entry.title}`
}

function wasSaid(draft: EntryDraft, said: ReadonlySet<string>): boolean {
  if (said.size === 0) return false
  for (const saying of sayingsOf(draft)) if (said.has(saying)) return true
  return false
}

/** To say nothing any more is not to say something else: a title or an address that went missing is kept. */
function saysOtherwise(draft: EntryDraft, before: { title: string; url?: string }): boolean {
  if (draft.title !== '' && draft.title !== before.title) return true
  if (draft.url === undefined || draft.url === before.url) return false
  if (before.url === undefined) return true
  const [now, then] = [comparableUrl(draft.url) ?? draft.url, comparableUrl(before.url) ?? before.url]
  return now !== then && now !== then.split('#', 1)[0] // a fragment that says nothing is no longer kept
}

const TEXT_AT_MOST_EVERY = HOUR

/** Below its title. */
function saysMore(draft: EntryDraft, before: { textHash?: number; changedAt?: Instant }, at: Instant): boolean {
  if (before.textHash === undefined || at - (before.changedAt ?? Number.NEGATIVE_INFINITY) < TEXT_AT_MOST_EVERY)
    return false
  const now = textHash(draft)
  return now !== undefined && now !== before.textHash
}
