/** Type of the function that registers one test of the store contract. */
import type { Store } from './index.ts'

/** Registers one test. It receives an empty store, which is closed afterwards, and a second handle on it. */
export type Promised = (sentence: string, hold: (store: Store, other: Store) => Promise<void>) => void
