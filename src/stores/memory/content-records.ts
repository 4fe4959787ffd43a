/** Content records in memory. Where Cassandra has a table per query, this scans all records. */
import { distance } from '../../dedup/index.ts'
import { DAY, type Entry, type EntryId, type Instant, type Poll, sortPosition } from '../../model/index.ts'
import type { ContentRecords, CopyRecord, SignatureRecord } from '../../ports/index.ts'

type Dated<T> = T & { writtenAt: Instant }

export function createMemoryContentRecords(): ContentRecords {
  const entryRecords = new Map<EntryId, Dated<{ entry?: Entry }>>()
  const signatures = new Map<EntryId, Dated<{ signed?: SignatureRecord }>>()
  const copies = new Map<EntryId, Dated<CopyRecord>>()
  const polls = new Map<string, Poll>()

  return {
    async putEntries(entries, at) {
      for (const entry of entries) put(entryRecords, entry.id, { entry: structuredClone(entry), writtenAt: at })
    },

    async removeEntries(ids, at) {
      for (const id of ids) {
        put(entryRecords, id, { writtenAt: at })
        put(signatures, id, { writtenAt: at })
      }
    },

    async getEntries(ids) {
      return ids.map((id) => structuredClone(entryRecords.get(id)?.entry))
    },

    async listEntries({ feedId, since = 0 as Instant, until, after, limit }) {
      const all = [...entryRecords.values()].flatMap(({ entry }) => (entry ? [{ entry, ...sortPosition(entry) }] : []))
      const selected = all.filter(
        ({ entry, at, id }) =>
          (feedId === undefined || entry.feedId === feedId) &&
          at >= since &&
          at <= until &&
          (!after || at < after.at || (at === after.at && id < after.id)),
      )
      selected.sort((a, b) => b.at - a.at || b.id - a.id)
      return selected.slice(0, limit).map(({ entry }) => structuredClone(entry))
    },

    async putSignatures(signed, at) {
      for (const signature of signed) put(signatures, signature.id, { signed: { ...signature }, writtenAt: at })
    },

    async getSignatures(ids) {
      return ids.map((id) => structuredClone(signatures.get(id)?.signed))
    },

    async findSimilar({ simhash, bits, since, until }) {
      const found = [...signatures.values()].flatMap(({ signed, writtenAt }) => {
        if (!signed || dayOf(writtenAt) < dayOf(since) || dayOf(writtenAt) > dayOf(until)) return []
        const bitsApart = distance(signed.simhash, simhash)
        return bitsApart > bits ? [] : [{ id: signed.id, at: signed.at, distance: bitsApart }]
      })
      return found.sort((a, b) => a.distance - b.distance || a.at - b.at || a.id - b.id)
    },

    async putCopies(records, at) {
      for (const copy of records) put(copies, copy.id, { ...copy, writtenAt: at })
    },

    async listCopies(primaryId) {
      const matching = [...copies.values()].filter((copy) => copy.primaryId === primaryId)
      matching.sort((a, b) => a.at - b.at || a.id - b.id)
      return matching.map(({ id, at, distance: bitsApart }) => ({ id, at, distance: bitsApart }))
    },

    async putPolls(records) {
      for (const poll of records) polls.set(`${poll.feedId} ${poll.at}`, structuredClone(poll))
    },

    async listPolls({ feedId, since = 0 as Instant, until, limit }) {
      const matching = [...polls.values()].filter(
        (poll) => poll.feedId === feedId && poll.at >= since && poll.at <= until,
      )
      return matching.sort((a, b) => b.at - a.at).slice(0, limit)
    },
  }
}

/** Keeps the existing value if it was written later. */
function put<Key, Value extends { writtenAt: Instant }>(map: Map<Key, Value>, key: Key, value: Value): void {
  if ((map.get(key)?.writtenAt ?? value.writtenAt) <= value.writtenAt) map.set(key, value)
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY)
}
