import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../../test/yielding-store.ts'
import { createSteppedClock } from '../../clocks/index.ts'
import { address } from '../../model/address.fixture.ts'
import {
  DAY,
  type EntryDraft,
  type EntryId,
  type FeedId,
  GROUP_LEVELS,
  type GroupLevel,
  HOUR,
} from '../../model/index.ts'
import { articleOf, readArticle, want } from '../../ports/article-samples.contract.ts'
import { type PollRecord, type Store, StoreError } from '../../ports/index.ts'
import {
  type CrawlEvent,
  createGrouper,
  DEFAULT_GROUPING,
  feedToAdd,
  type Grouper,
  type GrouperParts,
} from '../index.ts'
import { publicationTime } from './analysis.ts'

const START = Date.UTC(2026, 2, 1, 8)
const LEAD =
  'The council of Port Else voted on Monday to build a tram line from market to port, ending a quarrel of nine years.'
const GOOSE =
  'A goose that nobody had ordered was found among the loaves of a bakery in Varnby, and has been given the name of Rye.'

/** A store with two feeds, and a grouper for their entries. */
async function createScene({ store = memoryStore(), ...more }: Partial<GrouperParts> & { store?: Store } = {}) {
  const clock = createSteppedClock(START)
  const events: CrawlEvent[] = []
  const parts: GrouperParts = {
    pendingWork: store,
    clock,
    emit: (event) => events.push(event),
    ...DEFAULT_GROUPING,
    ...more,
  }
  const feeds = ['http://post.example/feed', 'http://mirror.example/feed'].map((url) =>
    feedToAdd({ url: address(url), title: url }, 'fixed:1h', START),
  )
  const [post, mirror] = (await store.addFeeds(feeds)).map(({ id }) => id) as [FeedId, FeedId]
  return { store, clock, events, parts, grouper: createGrouper(parts), post, mirror, ...createWriters(store) }
}

function createWriters(store: Store) {
  let at = START
  const record = async (feedId: FeedId, more: Pick<PollRecord, 'fresh' | 'changed'>) => {
    const [stored] = await store.feedsById([feedId])
    const result = { kind: 'not-modified', by: 'server' } as const
    const poll = { feedId, at: ++at, tookMs: 1, bytes: 1, conditional: true, result }
    await store.recordPolls([{ poll, schedule: stored!.schedule, ...more }])
  }
  return {
    say: (feedId: FeedId, ...fresh: EntryDraft[]) => record(feedId, { fresh, changed: [] }),
    change: (feedId: FeedId, ...changed: EntryDraft[]) => record(feedId, { fresh: [], changed }),
  }
}

const draft = (key: string, title: string, summary = '', publishedAt = START - HOUR): EntryDraft => {
  return { key, title, summary, publishedAt }
}

async function drain(grouper: Grouper): Promise<void> {
  while (await grouper.groupChunk());
}

/** Groups by the keys of their members, the primary first, the others in order. */
async function groupsIn(store: Store, level: GroupLevel = 'copy'): Promise<string[][]> {
  const groups = await store.groups({ level, order: 'recent', limit: 999 })
  const named = groups.map(async ({ id, primaryId }) => {
    const members = (await store.members(id, 999)).map(({ entryId }) => entryId)
    const entries = await store.entriesById([primaryId, ...members.filter((member) => member !== primaryId)])
    const [primary, ...others] = entries.map((entry) => entry!.key)
    return [primary!, ...others.sort()]
  })
  return (await Promise.all(named)).sort((a, b) => (a[0]! < b[0]! ? -1 : 1))
}

const entryIds = async (store: Store, ...keys: string[]): Promise<EntryId[]> => {
  const entries = await store.entries({ limit: 999 })
  return keys.map((key) => entries.find((entry) => entry.key === key)!.id)
}

it('does not group entries that were published long before they arrived', async () => {
  const { store, grouper, post, mirror, say } = await createScene()
  const [lately, long] = [START - 13 * DAY, START - 15 * DAY]
  await say(post, draft('a', 'Tram line voted', LEAD, lately), draft('b', 'Goose found', GOOSE, long))
  await say(mirror, draft('A', 'Tram line voted', LEAD, lately), draft('B', 'Goose found', GOOSE, long))
  await drain(grouper)
  expect(await groupsIn(store)).toEqual([['a', 'A']])
  expect((await store.ungrouped(9)).changes).toEqual([])
})

describe('grouping', () => {
  it('groups copies across feeds, and states the reason', async () => {
    const { store, grouper, post, mirror, say } = await createScene()
    await say(
      post,
      draft('a', 'Council approves tram line', LEAD, START - 3 * HOUR),
      draft('g', 'Goose in bakery', GOOSE),
    )
    await say(mirror, draft('b', 'Council approves tram line - Mirror', LEAD.replace('nine', 'ten'), START - HOUR))
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([['a', 'b']])
    const [a, b] = await entryIds(store, 'a', 'b')
    const [group] = await store.groupsOfEntries([b!], 'copy')
    expect(group).toMatchObject({ firstAt: START - 3 * HOUR, lastAt: START - HOUR })
    expect((await store.members(group!.id, 9))[1]).toMatchObject({
      entryId: b,
      comparedBy: 'entry',
      likeId: a,
      reason: 'same text but for 1 word',
    })
    expect((await store.ungrouped(9)).changes).toEqual([])
  })

  it('keeps copies and stories apart', async () => {
    const { store, grouper, post, mirror, say } = await createScene()
    await say(post, draft('a', 'Flood in Varnby leaves hundreds homeless'))
    await say(mirror, draft('b', 'Hundreds homeless after flood hits Varnby', '', START))
    await drain(grouper)
    expect(await groupsIn(store, 'copy')).toEqual([])
    expect(await groupsIn(store, 'story')).toEqual([['a', 'b']])
  })

  it('groups nothing when switched off, but empties the queue', async () => {
    const { store, grouper, post, say } = await createScene({ copies: 'off', stories: 'off' })
    await say(post, draft('a', 'Council approves tram line', LEAD), draft('b', 'Council approves tram line', LEAD))
    await drain(grouper)
    expect([await groupsIn(store), (await store.ungrouped(9)).changes]).toEqual([[], []])
    const storiesOnly = await createScene({ copies: 'off' })
    await storiesOnly.say(
      storiesOnly.post,
      draft('a', 'Flood hits Varnby valley'),
      draft('b', 'Flood hits Varnby valley'),
    )
    await drain(storiesOnly.grouper)
    expect([await groupsIn(storiesOnly.store), await groupsIn(storiesOnly.store, 'story')]).toEqual([[], [['a', 'b']]])
  })

  it('uses plain SimHashes if configured, and ignores signatures of the other kind', async () => {
    const { store, parts, grouper, post, mirror, say } = await createScene({ copies: 'simhash', copyThreshold: 12 })
    const daily = (key: string, day: number) => draft(key, `10 things to know: November ${day}, 2012`, LEAD)
    await say(post, daily('a', 16), daily('b', 17))
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([['a', 'b']])
    await say(mirror, daily('c', 16))
    await drain(createGrouper({ ...parts, copies: 'verified', copyThreshold: 0.66 }))
    expect(await groupsIn(store)).toEqual([['a', 'b']])
  })

  it('groups a digest with the first report in it neither as a copy nor as a story', async () => {
    const { store, grouper, post, mirror, say } = await createScene()
    await say(post, draft('a', 'Council approves tram line to the harbour', LEAD))
    await say(mirror, draft('b', 'Morning news in brief', `${LEAD} ${GOOSE}`))
    await drain(grouper)
    expect([await groupsIn(store), await groupsIn(store, 'story')]).toEqual([[], []])
  })

  it('groups entries again that an earlier version signed', async () => {
    const { store, parts, grouper, post, mirror, say } = await createScene()
    await say(post, draft('a', 'Tram line approved in Port Else', LEAD))
    await drain(grouper)
    for await (const { id, at, signature } of store.signatures({ since: 0 })) {
      const older = Uint8Array.from(signature, (byte, i) => (i === 0 ? byte - 1 : byte))
      await store.recordGroups([{ id, at, comparedBy: 'entry', signature: older, simhash: 0n, joins: {} }], [], START)
    }
    await say(mirror, draft('b', 'Tram line approved in Port Else', LEAD))
    const events: CrawlEvent[] = []
    await drain(createGrouper({ ...parts, emit: (event) => events.push(event) }))
    expect(await groupsIn(store)).toEqual([['a', 'b']])
    expect(events.filter(({ kind }) => kind === 'signatures-outdated')).toMatchObject([{ entries: 2 }])
  })

  const LETTER =
    'Sign up for our free letter and get the news of the whole coast every morning, free of charge and for ever.'
  const HEADLINES = [
    'Ferry strike ends in Varnby',
    'Goose found among loaves',
    'Museum buys forged landscape',
    'Drought empties northern reservoirs',
    'Chess champion resigns quickly',
    'Parliament debates bicycle tax',
  ]
  const withLetter = (headlines: string[], mark: string) =>
    headlines.map((title, i) => draft(`${mark}${i}`, `${title} | The ${mark} Messenger`, LETTER))

  it('ignores the boilerplate of a feed, from the first poll on and after a restart', async () => {
    const { store, parts, grouper, post, mirror, say } = await createScene()
    await say(post, ...withLetter(HEADLINES, 'Post'))
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([])
    expect((await store.feedBoilerplate([post]))[0]!.length).toBeLessThan(2048)
    await say(
      mirror,
      ...withLetter(['Charges against baker dropped', HEADLINES[1]!, 'Orchard sold to the town'], 'Mirror'),
    )
    await drain(createGrouper(parts))
    expect(await groupsIn(store)).toEqual([['Post1', 'Mirror1']])
  })

  it('reports an entry with its full title, whatever part is compared', async () => {
    const { grouper, events, post, mirror, say, change } = await createScene()
    await say(post, ...withLetter(HEADLINES, 'Post'))
    await say(mirror, draft('m', 'Something else happened in the harbour', GOOSE))
    await drain(grouper)
    await change(mirror, draft('m', `${HEADLINES[3]} | The Post Messenger`, LETTER))
    await drain(grouper)
    const regrouped = events.filter(({ kind }) => kind === 'regrouped') as Extract<CrawlEvent, { kind: 'regrouped' }>[]
    expect(new Set(regrouped.map(({ title }) => title))).toEqual(new Set([`${HEADLINES[3]} | The Post Messenger`]))
  })

  it('compares the full text of an entry if there is one, else its summary', async () => {
    const { store, grouper, post, mirror, say } = await createScene()
    await say(post, {
      ...draft('a', 'Council approves tram line', 'A long quarrel has ended.'),
      content: `<p>${LEAD}</p>`,
    })
    await say(mirror, draft('b', 'Trams at last for Port Else council', LEAD, START))
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([['a', 'b']])
  })

  it('groups a changed entry again, and reports the move', async () => {
    const { store, grouper, events, post, mirror, say, change } = await createScene()
    await say(post, draft('a', 'Council approves tram line', LEAD), draft('g', 'Goose in bakery', GOOSE))
    await say(mirror, draft('b', 'Council approves tram line', LEAD))
    await drain(grouper)
    const [group] = await store.groups({ level: 'copy', order: 'recent', limit: 9 })
    await change(mirror, draft('b', 'Goose in bakery', GOOSE))
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([['g', 'b']])
    const [b] = await entryIds(store, 'b')
    const moved = events.find((event) => event.kind === 'regrouped' && event.level === 'copy')
    expect(moved).toMatchObject({ entryId: b, title: 'Goose in bakery', from: group?.id, comparedBy: 'entry' })
    await say(mirror, draft('c', 'Council approves tram line', LEAD))
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([
      ['a', 'c'],
      ['g', 'b'],
    ])
  })

  it('compares the article once it has been read, and reports a change of the group', async () => {
    const { store, grouper, events, post, mirror, say } = await createScene()
    await say(post, draft('a', 'Council approves tram line', LEAD))
    await say(
      mirror,
      draft('b', 'A quarrel has ended: trams', 'Read all about it in our weekend edition, at the kiosk.'),
    )
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([])
    const [b] = await entryIds(store, 'b')
    await store.queueArticles([want(b!, 'mirror')], START)
    const { id } = await articleOf(store, b!)
    await store.recordArticles([readArticle(id, START + 1, { text: `${LEAD} ${GOOSE.repeat(50)}` })])
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([['a', 'b']])
    const [group] = await store.groupsOfEntries([b!], 'copy')
    const moved = { entryId: b, level: 'copy', to: group?.id, comparedBy: 'article' }
    expect(events).toMatchObject([
      { kind: 'regrouped', ...moved },
      { kind: 'regrouped', level: 'story' },
    ])
    expect(await store.moves(b!)).toMatchObject([moved, { level: 'story' }])
    expect((await store.members(group!.id, 9))[1]).toMatchObject({
      comparedBy: 'article',
      reason: 'same text, cut short, under another headline',
    })
  })

  it('groups no entry with a removed one', async () => {
    const { store, grouper, post, mirror, say } = await createScene()
    await say(post, draft('a', 'Council approves tram line', LEAD))
    await drain(grouper)
    await store.removeFeed(post)
    await say(mirror, draft('b', 'Council approves tram line', LEAD))
    await say(mirror, draft('c', 'Council approves tram line', LEAD))
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([['b', 'c']])
  })

  it('skips an entry that cannot be grouped, and groups the others', async () => {
    const store = memoryStore()
    const { grouper, events, post, mirror, say } = await createScene({
      store: {
        ...store,
        recordGroups: async (entries, ...given) => {
          if (entries.some(({ id }) => id === 2)) throw new Error('not this one')
          return store.recordGroups(entries, ...given)
        },
      },
    })
    await say(post, draft('a', 'Council approves tram line', LEAD))
    await say(post, draft('bad', 'Council approves tram line', LEAD))
    await say(mirror, draft('b', 'Council approves tram line', LEAD))
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([['a', 'b']])
    expect(await store.ungrouped(9)).toMatchObject({ changes: [] })
    expect(events.filter(({ kind }) => kind === 'internal-error')).not.toEqual([])
  })

  it('repeats a chunk that the store rejected', async () => {
    const store = memoryStore()
    let refusals = 1
    const { grouper, post, mirror, say } = await createScene({
      store: {
        ...store,
        recordGroups: async (...given) => {
          if (refusals-- > 0) throw new StoreError('no-access', 'the disk is full', 'make room')
          return store.recordGroups(...given)
        },
      },
    })
    await say(post, draft('a', 'Council approves tram line', LEAD))
    await say(mirror, draft('b', 'Council approves tram line', LEAD))
    await expect(grouper.groupChunk()).rejects.toThrow('the disk is full')
    await drain(grouper)
    expect(await groupsIn(store)).toEqual([['a', 'b']])
    expect(await store.moves((await entryIds(store, 'b'))[0]!)).toEqual([])
  })

  it('treats a date without a time as the end of that day', () => {
    const entry = { id: 1 as EntryId, feedId: 1 as FeedId, key: 'a', title: '', seenAt: START }
    const midnight = Date.UTC(2026, 1, 27)
    expect(publicationTime(entry)).toBe(START)
    expect(publicationTime({ ...entry, publishedAt: midnight })).toBe(midnight)
    expect(publicationTime({ ...entry, publishedAt: midnight, dateOnly: true })).toBe(midnight + DAY - 1)
    expect(publicationTime({ ...entry, publishedAt: START + DAY })).toBe(START)
  })
})

/** A few texts in many versions, each published at another time. */
const news = fc
  .uniqueArray(fc.record({ text: fc.nat(4), drop: fc.nat(9), at: fc.nat(999) }), {
    minLength: 1,
    maxLength: 30,
    selector: ({ at }) => at,
  })
  .map((some) =>
    some.map(({ text, drop, at }) => {
      const words = TEXTS[text]!.split(' ')
      const title = words.slice(0, 8).join(' ')
      words.splice(drop, drop % 4)
      return draft(`k${at}`, title, words.join(' '), START - DAY + at * 1000)
    }),
  )

const TEXTS = [
  LEAD,
  GOOSE,
  'Ferries to the islands will not sail before Thursday, since a storm has broken the mole of the old harbour in two.',
  'The chess title has gone north for the first time in forty years, after a draw that kept the hall awake until dawn.',
  'Beans on a balcony want more water than people think, says a gardener who has grown nothing else for eleven summers.',
]

const everything = async (store: Store) => [await groupsIn(store, 'copy'), await groupsIn(store, 'story')]

describe('the result', () => {
  it('does not depend on the order within a batch', async () => {
    await fc.assert(
      fc.asyncProperty(news, fc.infiniteStream(fc.nat()), async (drafts, order) => {
        const shuffled = drafts.map((one) => ({ one, key: order.next().value! })).sort((a, b) => a.key - b.key)
        const results = [drafts, shuffled.map(({ one }) => one)].map(async (some) => {
          const { store, grouper, post, say } = await createScene()
          await say(post, ...some)
          await drain(grouper)
          return everything(store)
        })
        const [straight, crooked] = await Promise.all(results)
        expect(crooked).toEqual(straight)
      }),
      { numRuns: 40 },
    )
  })

  it('does not depend on restarts, after any removals and changes', async () => {
    let groups = 0
    await fc.assert(
      fc.asyncProperty(news, news, news, fc.boolean(), async (first, second, third, removes) => {
        const lives = [false, true].map(async (restarts) => {
          const { store, parts, grouper, post, mirror, say, change } = await createScene()
          await say(post, ...first)
          await drain(grouper)
          await say(mirror, ...second)
          await drain(grouper)
          if (removes) await store.removeFeed(post)
          else await change(post, ...first.map((one) => ({ ...one, ...third[0]!, key: one.key })).slice(0, 3))
          await drain(grouper)
          await say(mirror, ...third.map((one) => ({ ...one, key: `third ${one.key}` })))
          await drain(restarts ? createGrouper(parts) : grouper)
          for (const level of GROUP_LEVELS) groups += await checkGroups(store, level)
          return everything(store)
        })
        const [lived, restarted] = await Promise.all(lives)
        expect(restarted).toEqual(lived)
      }),
      { numRuns: 40 },
    )
    expect(groups).toBeGreaterThan(0)
  })
})

/** Checks that groups have at least two members, no removed ones, and the right size. Returns the number of groups. */
async function checkGroups(store: Store, level: GroupLevel): Promise<number> {
  const groups = await store.groups({ level, order: 'large', limit: 999 })
  for (const group of groups) {
    const members = await store.members(group.id, 999)
    expect(group.size).toBe(members.length)
    expect(group.size).toBeGreaterThan(1)
    expect(await store.entriesById(members.map(({ entryId }) => entryId))).not.toContain(undefined)
    expect(members.map(({ entryId }) => entryId)).toContain(group.primaryId)
  }
  return groups.length
}
