/** The stacks of a library in memory: what Cassandra has a table for is looked through here. */
import { distance } from '../../dedup/index.ts'
import { DAY, type Entry, type EntryId, type Instant, type Poll, placeInTime } from '../../model/index.ts'
import type { FiledCopy, FiledSignature, LibraryStacks } from '../../ports/index.ts'

type Dated<T> = T & { writtenAt: Instant }

export function createMemoryStacks(): LibraryStacks {
  const cards = new Map<EntryId, Dated<{ entry?: Entry }>>()
  const signatures = new Map<EntryId, Dated<{ signed?: FiledSignature }>>()
  const copies = new Map<EntryId, Dated<FiledCopy>>()
  const polls = new Map<string, Poll>()

  return {
    async file(entries, at) {
      for (const entry of entries) put(cards, entry.id, { entry: structuredClone(entry), writtenAt: at })
    },

    async withdraw(ids, at) {
      for (const id of ids) {
        put(cards, id, { writtenAt: at })
        put(signatures, id, { writtenAt: at })
      }
    },

    async filed(ids) {
      return ids.map((id) => structuredClone(cards.get(id)?.entry))
    },

    async list({ feedId, since = 0 as Instant, until, after, limit }) {
      const all = [...cards.values()].flatMap(({ entry }) => (entry ? [{ entry, ...placeInTime(entry) }] : []))
      const wanted = all.filter(
        ({ entry, at, id }) =>
          (feedId === undefined || entry.feedId === feedId) &&
          at >= since &&
          at <= until &&
          (!after || at < after.at || (at === after.at && id < after.id)),
      )
      wanted.sort((a, b) => b.at - a.at || b.id - a.id)
      return wanted.slice(0, limit).map(({ entry }) => structuredClone(entry))
    },

    async sign(signed, at) {
      for (const one of signed) put(signatures, one.id, { signed: { ...one }, writtenAt: at })
    },

    async signaturesOf(ids) {
      return ids.map((id) => structuredClone(signatures.get(id)?.signed))
    },

    async near({ simhash, bits, since, until }) {
      const found = [...signatures.values()].flatMap(({ signed, writtenAt }) => {
        if (!signed || dayOf(writtenAt) < dayOf(since) || dayOf(writtenAt) > dayOf(until)) return []
        const apart = distance(signed.simhash, simhash)
        return apart > bits ? [] : [{ id: signed.id, at: signed.at, distance: apart }]
      })
      return found.sort((a, b) => a.distance - b.distance || a.at - b.at || a.id - b.id)
    },

    async fileCopies(filed, at) {
      for (const copy of filed) put(copies, copy.id, { ...copy, writtenAt: at })
    },

    async copiesOf(primaryId) {
      const own = [...copies.values()].filter((copy) => copy.primaryId === primaryId)
      own.sort((a, b) => a.at - b.at || a.id - b.id)
      return own.map(({ id, at, distance: apart }) => ({ id, at, distance: apart }))
    },

    async filePolls(filed) {
      for (const poll of filed) polls.set(`${poll.feedId} ${poll.at}`, structuredClone(poll))
    },

    async filedPolls({ feedId, since = 0 as Instant, until, limit }) {
      const own = [...polls.values()].filter((poll) => poll.feedId === feedId && poll.at >= since && poll.at <= until)
      return own.sort((a, b) => b.at - a.at).slice(0, limit)
    },
  }
}

/** Unless what is there was written later. */
function put<Key, Value extends { writtenAt: Instant }>(map: Map<Key, Value>, key: Key, value: Value): void {
  if ((map.get(key)?.writtenAt ?? value.writtenAt) <= value.writtenAt) map.set(key, value)
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY)
}
