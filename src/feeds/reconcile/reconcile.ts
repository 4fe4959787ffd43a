/**
 * Finds what is new in a window. Entries are identified by key; of several with the same key the first is used, because otherwise the
 * entry would change back and forth at every poll.
 *
 * An entry has changed if its title, address or text (`textHash`, which ignores counters and times) differs. Text changes count at most
 * once an hour, because some texts differ on every poll.
 *
 * Some feeds generate new guids for every request, so that every key is unknown. Their entries are identified by title with address or
 * date (`entrySignatures`). Those are loaded only if the keys show a gap: call `reconcile`, and if `gap`, again with the signatures of the
 * feed's latest entries.
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
  /** New entries, in window order. */
  fresh: EntryDraft[]
  /** Known entries with another title, address or text. */
  changed: EntryDraft[]
  /** Known entries that were stored without media, tags etc. */
  completed: EntryDraft[]
  /** No entry of the window was known, though the feed was read before. */
  gap: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

/** `first`: the feed was never read before. `said`: signatures of its latest entries. `at`: when it was read. */
export function reconcile(...given: Parameters<typeof reconcileInSteps>): Reconciled {
  return atOnce(reconcileInSteps(...given))
}

/** Pauses after each entry: there may be ten thousand. */
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
  const seen = new Set<string>()
  let anyKnown = false

  for (const draft of window) {
    yield
    if (seen.has(draft.key)) continue
    seen.add(draft.key)
    const before = known.get(draft.key)
    if (before === undefined && !isKnownBySignature(draft, said)) {
      fresh.push(draft)
      continue
    }
    anyKnown = true
    if (before === undefined || before === 'forgotten') continue
    if (hasOtherTitleOrUrl(draft, before) || hasOtherText(draft, before, at)) changed.push(draft)
    else if (before.bare && extrasOf(draft)) completed.push(draft)
  }
  return { fresh, changed, completed, gap: !first && window.length > 0 && !anyKnown }
}

/** The signatures of a feed's stored entries, for `reconcile`. */
export function entrySignatures(...given: Parameters<typeof sayingsInSteps>): ReadonlySet<string> {
  return atOnce(sayingsInSteps(...given))
}

export function* sayingsInSteps(
  entries: Iterable<Pick<EntryDraft, 'url' | 'title' | 'publishedAt'>>,
): Steps<ReadonlySet<string>> {
  const said = new Set<string>()
  for (const entry of entries) {
    yield
    for (const signature of entrySignaturesOf(entry)) said.add(signature)
  }
  return said
}

/** Normalizes an address for comparison: removes tracking parameters, normalizes scheme, host, default port and empty query. Undefined if invalid. */
export function normalizeUrl(address: string): string | undefined {
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

/** The title alone is not enough: many feeds give all entries the same. */
export function* entrySignaturesOf(entry: Pick<EntryDraft, 'url' | 'title' | 'publishedAt'>): Iterable<string> {
  if (entry.title === '') return
  if (entry.url !== undefined) yield `at ${normalizeUrl(entry.url) ?? entry.url} ${entry.title}`
  if (entry.publishedAt !== undefined) yield `on ${entry.publishedAt} ${entry.title}`
}

function isKnownBySignature(draft: EntryDraft, said: ReadonlySet<string>): boolean {
  if (said.size === 0) return false
  for (const signature of entrySignaturesOf(draft)) if (said.has(signature)) return true
  return false
}

/** A title or address that went missing is not a change. */
function hasOtherTitleOrUrl(draft: EntryDraft, before: { title: string; url?: string }): boolean {
  if (draft.title !== '' && draft.title !== before.title) return true
  if (draft.url === undefined || draft.url === before.url) return false
  if (before.url === undefined) return true
  const [now, then] = [normalizeUrl(draft.url) ?? draft.url, normalizeUrl(before.url) ?? before.url]
  return now !== then && now !== then.split('#', 1)[0] // shared fragments are not stored any more
}

const MIN_TEXT_CHANGE_INTERVAL_MS = HOUR

/** Whether the text below the title changed. */
function hasOtherText(draft: EntryDraft, before: { textHash?: number; changedAt?: Instant }, at: Instant): boolean {
  if (
    before.textHash === undefined ||
    at - (before.changedAt ?? Number.NEGATIVE_INFINITY) < MIN_TEXT_CHANGE_INTERVAL_MS
  )
    return false
  const now = textHash(draft)
  return now !== undefined && now !== before.textHash
}
