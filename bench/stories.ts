/**
 * Quality of story grouping: `node bench/stories.ts [FOLDER] [--pairs 100 --seed 21 --out FILE] [--quick]`.
 *
 * FOLDER contains `items.ndjson` or `items.ndjson.gz`, one entry per line: `{"set", "title", "summary"?, "published"?, "story"?}`. No such
 * data comes with the package. The figures in docs/copies.md are for three public collections: `uci`, the News Aggregator of UCI's machine
 * learning repository, whose headlines of March 2014 are labelled by story (CC BY 4.0); `ag`, AG's corpus of news of 2004, and `reuters`,
 * Reuters-21578 of 1987, both for research only. Without a folder, news is generated.
 *
 * B-cubed is computed over the labelled entries; background entries in their stories count as errors. Entries arrive in chunks of 40 as in
 * a crawl, and stories are what a store makes of them. "Spread over days" spreads the entries of each labelled story over two days, because
 * they are all dated at the same time. "Other order": each entry comes late by up to some hours, or all come in random order, or those of
 * an hour or a day do. "Restart": after half of the entries the index is restored from their signatures.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createCopyIndex, type Item, type KnownItem, signature } from '../src/dedup/index.ts'
import { commit } from './current-commit.ts'
import { createChance } from './generated-prose.ts'
import { inventedNews, type News, newsOf } from './stories/news.ts'

type StoryOf = ReadonlyMap<number, number>

const HOUR = 3_600_000
const CHUNK = 40
const INDEXED = 100_000
const TIMED = 20_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string' },
    out: { type: 'string', default: 'pairs.md' },
    seed: { type: 'string', default: '21' }, // for drawing pairs
    quick: { type: 'boolean', default: false },
    labelled: { type: 'string', default: 'uci' },
    background: { type: 'string', default: 'ag,reuters' },
  },
})
const [folder] = positionals
const sets = [values.labelled, ...values.background.split(',')]
const news = folder ? newsOf(folder, sets) : inventedNews(20_000)
for (const one of news) one.signature = signature(one)
const labels = new Map(news.flatMap(({ id, story }) => (story ? [[id, story] as const] : [])))
const inTime = news.toSorted((a, b) => a.at - b.at || a.id - b.id)
const labelled = inTime.filter(({ story }) => story)
const background = folder ? inTime.filter(({ story }) => !story) : inTime

console.log(`commit ${commit()}, node ${process.version}, ${folder ? sets.join(', ') : 'invented news'}`)
console.log(`${labelled.length} entries are labelled, ${inTime.length - labelled.length} are not`)
const mixed = storiesOf(inTime)
const alone = storiesOf(background)
console.table({
  labelled: bCubed(labelled, storiesOf(labelled)),
  'with background': bCubed(labelled, mixed),
  'told over days, with background': bCubed(labelled, storiesOf(byTime(spreadOverWeeks(inTime)))),
})
console.log('\nordinary news')
console.table(sizes(background, alone))
if (!values.quick) {
  const lateStories = storiesOf(late(inTime, 6 * HOUR))
  console.log('\nthe same, whatever happens: B-cubed against stories in the order of time')
  console.table({
    restart: agreement(inTime, mixed, storiesOf(inTime, inTime.length >> 1)),
    'in any order within an hour': agreement(inTime, mixed, storiesOf(shuffledWithin(inTime, HOUR))),
    'in any order within a day': agreement(inTime, mixed, storiesOf(shuffledWithin(inTime, 24 * HOUR))),
    'up to 6 hours late': agreement(inTime, mixed, lateStories),
    'up to 2 days late': agreement(inTime, mixed, storiesOf(late(inTime, 48 * HOUR))),
    'ordinary news, up to 6 hours late': agreement(background, alone, storiesOf(late(background, 6 * HOUR))),
    'labelled, up to 6 hours late': agreement(labelled, mixed, lateStories),
    'in any order': agreement(inTime, mixed, storiesOf(late(inTime, 1e6 * HOUR))),
  })
  console.log('\ncost')
  console.table(cost())
}
if (values.pairs) writeFileSync(values.out, pairs(background, alone, Number(values.pairs)))

/** The story of every entry, as in a store: merged stories count as one. */
function storiesOf(items: readonly Item[], restartAfter = Number.POSITIVE_INFINITY): StoryOf {
  const parents = new Map<number, number>(items.map(({ id }) => [id, id]))
  const rootOf = (id: number): number => {
    const parent = parents.get(id)!
    if (parent === id) return id
    const root = rootOf(parent)
    parents.set(id, root)
    return root
  }
  let index = createCopyIndex({ level: 'story' })
  for (let i = 0; i < items.length; i += CHUNK) {
    for (const { id, joined } of index.addAll(items.slice(i, i + CHUNK)))
      for (const other of joined) parents.set(rootOf(id), rootOf(other))
    if (i + CHUNK < restartAfter || i >= restartAfter) continue
    index = createCopyIndex({ level: 'story' })
    index.restore(known(items.slice(0, i + CHUNK), rootOf))
  }
  return new Map(items.map(({ id }) => [id, rootOf(id)]))
}

/** As a store returns it: in chronological order, with group ids of its own. */
function known(items: readonly Item[], rootOf: (id: number) => number): KnownItem[] {
  const counts = new Map<number, number>()
  for (const { id } of items) counts.set(rootOf(id), (counts.get(rootOf(id)) ?? 0) + 1)
  return byTime(items).map(({ id, at, signature: signed }) => {
    const root = rootOf(id)
    return { id, at, signature: signed!, group: counts.get(root)! > 1 ? -root : id }
  })
}

function byTime<One extends Item>(items: readonly One[]): One[] {
  return items.toSorted((a, b) => a.at - b.at || a.id - b.id)
}

function spreadOverWeeks(items: readonly News[]): News[] {
  const chance = createChance(5)
  return items.map((one) => (one.story ? { ...one, at: one.at + Math.floor(chance() ** 2 * 48 * HOUR) } : one))
}

function late(items: readonly Item[], mostMs: number): Item[] {
  const chance = createChance(9)
  const arrivals = items.map((item) => ({ item, at: item.at + chance() * mostMs }))
  return arrivals.sort((a, b) => a.at - b.at).map(({ item }) => item)
}

/** Shuffles entries within some hours, as happens when many feeds are polled at once. */
function shuffledWithin(items: readonly Item[], windowMs: number): Item[] {
  const chance = createChance(13)
  const arrivals = items.map((item) => ({ item, window: Math.floor(item.at / windowMs), place: chance() }))
  return arrivals.sort((a, b) => a.window - b.window || a.place - b.place).map(({ item }) => item)
}

interface BCubed {
  precision: string
  recall: string
  'B-cubed': string
}

function bCubed(of: readonly News[], stories: StoryOf): BCubed {
  return agreementOf(
    of.map(({ id }) => id),
    (id) => stories.get(id)!,
    (id) => labels.get(id) ?? `background ${id}`,
    [...stories.keys()],
  )
}

function agreement(of: readonly Item[], before: StoryOf, after: StoryOf): BCubed {
  const ids = of.map(({ id }) => id)
  return agreementOf(
    ids,
    (id) => after.get(id)!,
    (id) => before.get(id)!,
    ids,
  )
}

/** `all`: which entries count in a cluster's size. */
function agreementOf(
  ids: readonly number[],
  clusterOf: (id: number) => unknown,
  truthOf: (id: number) => unknown,
  all: readonly number[],
): BCubed {
  const both = (id: number) => `${clusterOf(id)} ${truthOf(id)}`
  const [clusters, truths, shared] = [clusterOf, truthOf, both].map((of) => counted(all, of)) as [
    Counts,
    Counts,
    Counts,
  ]
  let [precision, recall] = [0, 0]
  for (const id of ids) {
    precision += shared.get(both(id))! / clusters.get(clusterOf(id))! / ids.length
    recall += shared.get(both(id))! / truths.get(truthOf(id))! / ids.length
  }
  const percent = (share: number) => (share * 100).toFixed(1)
  const mean = (2 * precision * recall) / (precision + recall)
  return { precision: percent(precision), recall: percent(recall), 'B-cubed': percent(mean) }
}

type Counts = Map<unknown, number>

function counted(ids: readonly number[], keyOf: (id: number) => unknown): Counts {
  const counts: Counts = new Map()
  for (const id of ids) counts.set(keyOf(id), (counts.get(keyOf(id)) ?? 0) + 1)
  return counts
}

function membersOf(of: readonly News[], stories: StoryOf): News[][] {
  const members = new Map<number, News[]>()
  for (const one of of) {
    const story = stories.get(one.id)!
    members.set(story, [...(members.get(story) ?? []), one])
  }
  return [...members.values()].filter(({ length }) => length > 1).sort((a, b) => b.length - a.length)
}

function sizes(of: readonly News[], stories: StoryOf) {
  const members = membersOf(of, stories)
  const within = members.reduce((sum, { length }) => sum + length, 0)
  const days = (some: News[]) =>
    (Math.max(...some.map(({ at }) => at)) - Math.min(...some.map(({ at }) => at))) / 24 / HOUR
  return {
    'entries in a story': `${((100 * within) / of.length).toFixed(1)} %`,
    stories: members.length,
    'entries a story': (within / members.length).toFixed(1),
    'largest five': members
      .slice(0, 5)
      .map(({ length }) => length)
      .join(', '),
    'longest, days': Math.max(...members.map(days)).toFixed(1),
  }
}

/** A random entry of a story, and another one of the same story. */
function pairs(of: readonly News[], stories: StoryOf, count: number): string {
  const chance = createChance(Number(values.seed))
  const members = membersOf(of, stories)
  const within = members.flatMap((some) => some.map((one) => ({ one, some })))
  const written = Array.from({ length: count }, (_, i) => {
    const { one, some } = within[Math.floor(chance() * within.length)]!
    const others = some.filter((other) => other !== one)
    const other = others[Math.floor(chance() * others.length)]!
    const textOf = ({ at, title, summary }: News) =>
      `- ${new Date(at).toISOString().slice(0, 16)} **${title}** ${summary.slice(0, 240)}`
    return `## ${i + 1}, of a story of ${some.length}\n\n${textOf(one)}\n${textOf(other)}\n`
  })
  return written.join('\n')
}

/** Cost of adding entries to an index of that size. */
function cost() {
  const many = inventedNews(INDEXED + TIMED, 8).map((item, i) => ({ ...item, at: 1_700_000_000_000 + i * 5_000 }))
  for (const item of many) item.signature = signature(item)
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const index = createCopyIndex({ level: 'story' })
  for (const item of many.slice(0, INDEXED)) index.add(item)
  globalThis.gc?.()
  const bytes = (process.memoryUsage().heapUsed - before) / index.size
  const size = index.size
  const start = process.cpuUsage()
  for (const item of many.slice(INDEXED)) index.add(item)
  const { user, system } = process.cpuUsage(start)
  return {
    indexed: size,
    'us of CPU an entry': ((user + system) / TIMED).toFixed(0),
    'bytes an entry': globalThis.gc ? bytes.toFixed(0) : 'with --expose-gc',
  }
}
