/** One sentence that a store promises to keep, and how it is put to the test. */
import type { Store } from './index.ts'

/** Registers one promise; the store is fresh, and closed afterwards. */
export type Promised = (sentence: string, hold: (store: Store, other: Store) => Promise<void>) => void
