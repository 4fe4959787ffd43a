/** A store thread that crashes or blocks when it is asked for the feed at certain addresses. */
import { openStoreThread as openReal, type StoreThreadData } from './store-thread.ts'

export const CRASH = 'https://crash.example/'
export const BLOCK = 'https://block.example/'

export function openStoreThread(data: StoreThreadData): Record<string, object> {
  const { store, search, ...rest } = openReal(data)
  const feedAt = (url: string, ...more: unknown[]) => {
    if (url === CRASH) process.exit(1)
    if (url === BLOCK) for (const until = Date.now() + 10_000; Date.now() < until; );
    return (store as { feedAt(...args: unknown[]): unknown }).feedAt(url, ...more)
  }
  const statistics = () => process.exit(1)
  return { store: { ...store, feedAt, statistics }, search: search!, ...rest }
}
