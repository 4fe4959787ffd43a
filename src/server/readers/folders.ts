/**
 * Folders of a user for protocols that identify folders by number and have empty ones. The number of a folder is a hash of its name, so
 * most need not be stored; that two of a thousand folders share a number has a chance of one in four thousand. Stored are folders that were
 * created empty, which have no subscription, and folders that were renamed, which keep their number.
 */
import { createHash } from 'node:crypto'
import type { Crawler } from '../../crawl/index.ts'
import { type FeedId, isInFolder, setBounded, type UserId } from '../../model/index.ts'
import type { Clock, ReaderState, SubscriptionScope, UserValueChange, UserValues } from '../../ports/index.ts'
import { subscriptionPages } from '../../views/index.ts'
import { Problem } from '../problem.ts'

/** For feeds in no folder. */
export const NO_FOLDER = 1
const RANGE = 2 ** 31 - 3
const MAX_FOLDERS = 1000
const KIND = 'folder'
/** Between the names of a folder and of one below it. */
const SEPARATOR = ' / '

export interface ReaderFolder {
  number: number
  /** Empty for feeds in no folder, which is always listed. */
  name: string
  feeds: number
  unread: number
}

/** The number of a user's folder, by name. */
export type FolderNumberOf = (name: string) => number

export interface ReaderFolders {
  /** Feeds in no folder first. */
  list(userId: UserId): Promise<ReaderFolder[]>
  numbersOf(userId: UserId): Promise<FolderNumberOf>
  /** The name of the user's folder with this number; undefined if there is none. */
  withNumber(userId: UserId, number: number): Promise<string | undefined>
  /** The subscriptions in exactly this folder: a folder of the store includes those below it. */
  scopeOf(userId: UserId, name: string): Promise<SubscriptionScope>
  /** Adds an empty folder and returns its number. */
  add(userId: UserId, name: string): Promise<number>
  /** Keeps a folder when its last subscription leaves it. */
  keep(userId: UserId, name: string): Promise<void>
  /** Renames a folder and those below it, which keep their numbers. With null, it is removed and its subscriptions have no folder. Returns how many subscriptions moved. */
  rename(userId: UserId, from: string, to: string | null): Promise<number>
}

interface StoredFolder {
  number: number
  name: string
  /** Listed without subscriptions, too. */
  isAdded: boolean
}

interface FolderParts {
  readerState: ReaderState
  /** Also renames the folder in the crawl, if it has a single user. */
  crawler: Pick<Crawler, 'renameFolder'>
  userValues: UserValues
  clock: Clock
}

export function createReaderFolders({ readerState, crawler, userValues, clock }: FolderParts): ReaderFolders {
  async function storedFolders(userId: UserId): Promise<StoredFolder[]> {
    const values = await userValues.userValues(userId, KIND, { limit: MAX_FOLDERS })
    return values.map(({ key, value }) => ({ number: Number(key), ...(value as Omit<StoredFolder, 'number'>) }))
  }

  const store = (userId: UserId, changes: UserValueChange[]) =>
    changes.length === 0 ? Promise.resolve() : userValues.putUserValues(userId, KIND, changes, clock.now())

  async function list(userId: UserId): Promise<ReaderFolder[]> {
    const stored = await storedFolders(userId)
    const numberOf = numbersIn(stored)
    const { folders } = await readerState.readerCounts(userId)
    const named = new Map(stored.filter(({ isAdded }) => isAdded).map(({ name }) => [name, { feeds: 0, unread: 0 }]))
    named.set('', { feeds: 0, unread: 0 })
    for (const { folder = '', feeds, unread } of folders) named.set(folder, { feeds, unread })
    const listed = [...named].map(([name, counts]) => ({ number: numberOf(name), name, ...counts }))
    return listed.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  return {
    list,
    numbersOf: async (userId) => numbersIn(await storedFolders(userId)),

    async withNumber(userId, number) {
      return (await list(userId)).find((folder) => folder.number === number)?.name
    },

    async scopeOf(userId, name) {
      const { folders } = await readerState.readerCounts(userId)
      const isAlone = !folders.some(({ folder = '' }) => folder !== name && name !== '' && isInFolder(folder, name))
      if (isAlone) return { folder: name }
      const feedIds: FeedId[] = []
      for await (const page of subscriptionPages(readerState, userId, name))
        for (const { feedId, folder } of page) if (folder === name) feedIds.push(feedId)
      return { feedIds }
    },

    async add(userId, name) {
      const folders = await list(userId)
      if (folders.some((folder) => folder.name.toLowerCase() === name.toLowerCase()))
        throw new Problem(400, `there already is a folder ${name.slice(0, 60)}`, 'choose another title')
      if (folders.length >= MAX_FOLDERS)
        throw new Problem(400, `you have ${MAX_FOLDERS} folders`, 'remove some that are not needed')
      const number = numbersIn(await storedFolders(userId))(name)
      await store(userId, [{ key: String(number), value: { name, isAdded: true } }])
      return number
    },

    async keep(userId, name) {
      const stored = await storedFolders(userId)
      if (name === '' || stored.some((folder) => folder.name === name && folder.isAdded)) return
      await store(userId, [{ key: String(numbersIn(stored)(name)), value: { name, isAdded: true } }])
    },

    async rename(userId, from, to) {
      const stored = await storedFolders(userId)
      const numberOf = numbersIn(stored)
      const { folders } = await readerState.readerCounts(userId)
      const names = new Set([...stored.map(({ name }) => name), ...folders.flatMap(({ folder }) => folder ?? [])])
      const renamed = new Map(
        [...names].flatMap((name) => (isWithin(name, from) ? [[name, renameIn(name, from, to)]] : [])),
      )
      const kept = new Set([...names].filter((name) => !renamed.has(name)))
      const changes = [...renamed].map(([name, newName]) => {
        const isAdded = stored.some((folder) => folder.name === name && folder.isAdded)
        const isMerged = newName === null || kept.has(newName)
        return { key: String(numberOf(name)), value: isMerged ? undefined : { name: newName, isAdded } }
      })
      const moved = await crawler.renameFolder(userId, from, to)
      await store(userId, changes)
      return moved
    },
  }
}

/** As the store sees it: the same letters, unlike a scope. */
function isWithin(name: string, folder: string): boolean {
  return folder !== '' && (name === folder || name.startsWith(folder + SEPARATOR))
}

function renameIn(name: string, from: string, to: string | null): string | null {
  const below = name.slice(from.length + SEPARATOR.length)
  return [to, below].filter(Boolean).join(SEPARATOR) || null
}

/** The number of a folder whose hash a renamed folder has taken is the next hash that is free. */
function numbersIn(stored: readonly StoredFolder[]): FolderNumberOf {
  const numbers = new Map(stored.map(({ name, number }) => [name, number]))
  const taken = new Set(numbers.values())
  return (name) => {
    if (name === '') return NO_FOLDER
    let number = numbers.get(name) ?? hashOf(name)
    for (let i = 1; !numbers.has(name) && taken.has(number); i++) number = hashOf(`${name}\n${i}`)
    return number
  }
}

/** A list of thousands of feeds asks for the same few folders. */
const hashes = new Map<string, number>()

function hashOf(text: string): number {
  const found = hashes.get(text)
  if (found !== undefined) return found
  const number = 2 + (createHash('sha256').update(text).digest().readUInt32BE(0) % RANGE)
  setBounded(hashes, text, number, MAX_FOLDERS)
  return number
}
