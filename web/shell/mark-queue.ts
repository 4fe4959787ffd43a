/**
 * Changes of read and starred state that the server could not be told yet, in IndexedDB, so that they survive the end of the page. There is
 * one state per entry and kind: a later change replaces an earlier one, so nothing is sent twice and the newest wins. A change leaves the
 * queue when the server has it, unless it was changed once more in the meantime.
 */
export type MarkKind = 'read' | 'starred'

export interface QueuedMark {
  kind: MarkKind
  entryId: number
  feedId: number
  isSet: boolean
  /** Of the user who made it: another one must not send it. */
  user: string
  at: number
}

const DATABASE = 'freshet'
const STORE = 'marks'
/** More are refused: the user was away for long, and storage is finite. */
const MOST_MARKS = 50_000

let opened: Promise<IDBDatabase> | undefined

/** Rejects if there is no storage. */
export async function queueMarks(marks: readonly QueuedMark[]): Promise<void> {
  await inTransaction('readwrite', async (store) => {
    if ((await resultOf(store.count())) + marks.length > MOST_MARKS) throw new Error('too many changes wait')
    for (const mark of marks) store.put(mark, keyOf(mark))
  })
}

/** The oldest first. Empty if there is no storage. */
export async function queuedMarks(user: string): Promise<QueuedMark[]> {
  const marks = await inTransaction('readonly', (store) => resultOf<QueuedMark[]>(store.getAll())).catch(() => [])
  return marks.filter((mark) => mark.user === user).sort((a, b) => a.at - b.at)
}

/** Removes marks that the server has, except those that were changed since they were read. */
export async function dequeueMarks(marks: readonly QueuedMark[]): Promise<void> {
  await inTransaction('readwrite', async (store) => {
    for (const mark of marks) {
      const current = await resultOf<QueuedMark | undefined>(store.get(keyOf(mark)))
      if (current?.at === mark.at && current.isSet === mark.isSet) store.delete(keyOf(mark))
    }
  })
}

const keyOf = ({ kind, entryId, user }: QueuedMark): string => `${kind} ${entryId} ${user}`

async function inTransaction<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const database = await open()
  const transaction = database.transaction(STORE, mode)
  const completed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('the change was not stored'))
  })
  completed.catch(() => {}) // reported below, unless `act` has failed first
  const result = await act(transaction.objectStore(STORE)).catch((error: unknown) => {
    transaction.abort()
    throw error
  })
  await completed
  return result
}

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('storage is in use'))
  })
  opened.catch(() => (opened = undefined))
  return opened
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
