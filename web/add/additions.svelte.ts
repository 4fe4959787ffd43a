/**
 * Addresses being added, and their state. The address of a site becomes a source whose feed has to be discovered; the page asks the server
 * until the feed is found and polled, or discovery failed.
 */

import type { ImportedFeedShape, ReaderImportShape, SubscriptionShape } from '../../src/api/index.ts'
import { subscriptions } from '../reader/subscriptions.svelte.ts'
import { api, errorMessage, ifThere } from '../shell/api.ts'
import { troubleText } from '../shell/trouble-text.ts'
import { words } from '../words.ts'

export interface Added {
  url: string
  /** waiting: the feed is known and has not been polled yet. */
  state: 'looking' | 'waiting' | 'added' | 'known' | 'refused' | 'failed'
  feedId?: number
  sourceId?: number
  words?: string
  title?: string
  entries?: number
}

type Address = { url: string; kind?: 'any' | 'feed'; title?: string; folder?: string }

const ASK_MS = 1500
/** Addresses per request; longer lists take several requests. */
const MAX_LOOKED_UP = 40

class Adding {
  results = $state.raw<Added[]>([])
  skipped = $state(0)
  /** The reports of imported files. */
  imports = $state.raw<ReaderImportShape[]>([])
  isBusy = $state(false)
  /** Files that could not be imported, and why. */
  problems = $state.raw<string[]>([])
  /** Addresses of a long list that were already sent. */
  sent = $state(0)
  total = $state(0)
  #timer: ReturnType<typeof setTimeout> | undefined

  counts = $derived({
    added: this.results.filter(({ state }) => state === 'added').length,
    known: this.results.filter(({ state }) => state === 'known').length,
    looking: this.results.filter(({ state }) => state === 'looking' || state === 'waiting').length,
    failed: this.results.filter(({ state }) => state === 'refused' || state === 'failed').length,
  })

  /** Sends the list in chunks, so that progress is visible. */
  async add(addresses: readonly Address[]): Promise<void> {
    const STEP = 100
    this.#begin(addresses.length)
    try {
      for (let i = 0; i < addresses.length; i += STEP) {
        const { results } = await api.addSubscriptions({ body: { addresses: addresses.slice(i, i + STEP) } })
        this.results = [...this.results, ...results.map(addedOf)]
        this.sent = Math.min(addresses.length, i + STEP)
      }
    } finally {
      this.#end()
    }
  }

  /** Imports files of another reader one after the other, lists of feeds first. A file that fails does not stop the others. */
  async importFiles(chosen: FileList | null | undefined): Promise<void> {
    const files = [...(chosen ?? [])]
    this.#begin(files.length)
    try {
      for (const file of files.toSorted((a, b) => Number(isList(b)) - Number(isList(a)))) {
        try {
          this.#addReport(await api.importReaderData({ body: file }))
        } catch (error) {
          this.problems = [...this.problems, `${file.name}: ${errorMessage(error)}`]
        }
        this.sent++
      }
    } finally {
      this.#end()
    }
  }

  /** A feed of several files is listed once. */
  #addReport(report: ReaderImportShape): void {
    const before = new Set(this.results.map(({ url }) => url))
    this.results = [...this.results, ...report.feeds.filter(({ url }) => !before.has(url)).map(importedOf)]
    this.skipped += report.totals.skipped
    this.imports = [...this.imports, report]
  }

  clear(): void {
    this.results = []
    this.skipped = 0
    this.imports = []
    this.problems = []
  }

  #begin(total: number): void {
    this.clear()
    this.isBusy = true
    this.sent = 0
    this.total = total
  }

  #end(): void {
    this.isBusy = false
    void subscriptions.load()
    this.#pollSoon()
  }

  #pollSoon(): void {
    clearTimeout(this.#timer)
    if (this.counts.looking > 0) this.#timer = setTimeout(() => void this.#ask(), ASK_MS)
  }

  async #ask(): Promise<void> {
    const open = this.results.filter(({ state }) => state === 'looking' || state === 'waiting').slice(0, MAX_LOOKED_UP)
    const changed = new Map<string, Added>()
    for (const one of open) {
      const now = one.state === 'looking' ? await foundOf(one) : await readOf(one)
      if (now) changed.set(one.url, now)
    }
    if (changed.size > 0) {
      this.results = this.results.map((one) => changed.get(one.url) ?? one)
      void subscriptions.load().catch(() => {})
    }
    this.#pollSoon()
  }
}

export const adding = new Adding()

function isList({ name }: File): boolean {
  return /\.(?:opml|xml)$/i.test(name)
}

function importedOf({ url, title, feedId, sourceId, result, reason }: ImportedFeedShape): Added {
  const about = { url, ...(title && { title }) }
  if (result === 'refused') return { ...about, state: 'refused', words: reason || words.add.refused }
  if (feedId !== undefined) return { ...about, feedId, state: result === 'added' ? 'waiting' : 'known' }
  return { ...about, ...(sourceId !== undefined && { sourceId }), state: 'looking' }
}

function addedOf(result: SubscriptionShape): Added {
  const about = { url: result.url, ...(result.title && { title: result.title }) }
  switch (result.kind) {
    case 'feed':
      return { ...about, feedId: result.feedId, state: result.added ? 'waiting' : 'known' }
    case 'source':
      return { ...about, sourceId: result.sourceId, state: 'looking' }
    case 'refused':
      return { ...about, state: 'refused', words: result.reason || words.add.refused }
  }
}

/** The result of discovery; undefined while it runs. */
async function foundOf(one: Added): Promise<Added | undefined> {
  const source = await ifThere(api.getSource({ params: { id: one.sourceId ?? 0 } })).catch(() => undefined)
  if (!source) return undefined
  if (source.state === 'found' && source.feedId !== undefined) {
    const found = { ...one, feedId: source.feedId }
    return (await readOf(found)) ?? { ...found, state: 'waiting' }
  }
  if (source.trouble && source.failures > 0) return { ...one, state: 'failed', words: troubleText(source.trouble) }
  return undefined
}

async function readOf(one: Added): Promise<Added | undefined> {
  const whole = await ifThere(api.getFeed({ params: { id: one.feedId ?? 0 } })).catch(() => undefined)
  if (!whole) return undefined
  const { trouble, schedule, title, entries } = whole.feed
  if (trouble) return { ...one, state: 'failed', words: troubleText(trouble) }
  if (schedule.polledAt === undefined) return undefined
  return { ...one, state: 'added', title: title || one.title || '', entries: entries ?? 0 }
}
