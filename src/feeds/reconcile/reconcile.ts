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
  type EntryDraft,
  extrasOf,
  HOUR,
  type Instant,
  type KnownEntry,
  runToEnd,
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

/** `first`: the feed was never read before. `signatures`: of its latest entries. `at`: when it was read. */
export function reconcile(...args: Parameters<typeof reconcileInSteps>): Reconciled {
  return runToEnd(reconcileInSteps(...args))
}

/** Pauses after each entry: there may be ten thousand. */
export function* reconcileInSteps(
  window: EntryDraft[],
  known: ReadonlyMap<string, KnownEntry>,
  first: boolean,
  signatures: ReadonlySet<string> = NOTHING,
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
    if (before === undefined && !isKnownBySignature(draft, signatures)) {
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
export function entrySignatures(...args: Parameters<typeof entrySignaturesInSteps>): ReadonlySet<string> {
  return runToEnd(entrySignaturesInSteps(...args))
}

export function* entrySignaturesInSteps(
  entries: Iterable<Pick<EntryDraft, 'url' | 'title' | 'publishedAt'>>,
): Steps<ReadonlySet<string>> {
  const signatures = new Set<string>()
  for (const entry of entries) {
    yield
    for (const signature of entrySignaturesOf(entry)) signatures.add(signature)
  }
  return signatures
}

/** Normalizes an address for comparison: removes tracking parameters, normalizes scheme, host, default port and empty query. Undefined if invalid. */
export function normalizeUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const parameters = url.search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !TRACKING.test(parameter))
  if (url.href.includes('?')) url.search = parameters.join('&')
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

function isKnownBySignature(draft: EntryDraft, signatures: ReadonlySet<string>): boolean {
  if (signatures.size === 0) return false
  for (const signature of entrySignaturesOf(draft)) if (signatures.has(signature)) return true
  return false
}

/** A title or address that went missing is not a change. */
function hasOtherTitleOrUrl(draft: EntryDraft, before: { title: string; url?: string }): boolean {
  if (draft.title !== '' && draft.title !== before.title) return true
  if (draft.url === undefined || draft.url === before.url) return false
  if (before.url === undefined) return true
  const [now, stored] = [normalizeUrl(draft.url) ?? draft.url, normalizeUrl(before.url) ?? before.url]
  return now !== stored && now !== stored.split('#', 1)[0] // shared fragments are not stored any more
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
