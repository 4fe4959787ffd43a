/**
 * A library that could not be reached when somebody who only looks opened its store. What needs nothing of it is answered all the same,
 * such as how the store stands; whatever asks for a text is told why there is none.
 */
import type { Library, StoreError } from '../ports/index.ts'

export function awayLibrary(why: StoreError): Library {
  const refuse = () => Promise.reject(why)
  // biome-ignore lint/correctness/useYield: there is nothing to go through
  async function* refuseWalk(): AsyncIterable<never> {
    throw why
  }
  return {
    keep: refuse,
    textsOf: refuse,
    keptIn: refuseWalk,
    drop: refuse,
    file: refuse,
    withdraw: refuse,
    filed: refuse,
    list: refuse,
    sign: refuse,
    signaturesOf: refuse,
    near: refuse,
    fileCopies: refuse,
    copiesOf: refuse,
    filePolls: refuse,
    filedPolls: refuse,
    health: async () => ({ summary: why.message, isWell: false }),
    close: async () => {},
  }
}
