/**
 * Who said it first, and who repeats it. A text becomes a signature; an index groups signatures into copies (the same
 * text, edited, cut or under another headline) or into stories (the same event, told by others), never into both at
 * once; and a lineage says who followed whom, after how long, with which words changed. All of it is a function of its
 * arguments: no clock, no store, no model of any language. Its own words, beside those of the model:
 *
 * - item:       whatever is compared, by a number of the caller's; the crawl's items are entries
 * - signature:  what is kept of a text: its *SimHash*, which gives distances, and its *skeleton*, the first 44 words as numbers
 * - distance:   of two texts, the bits in which their SimHashes differ; *likeness* is between 0 and 1, and decides about copies
 * - candidate:  an item that may be a copy, by its MinHashes; a verifier says whether it is
 * - habit:      what a feed says in entry after entry, whatever they are about; it is taken off before anything is signed
 * - window:     the time within which items are compared; nothing to do with a feed's
 * - telling:    an item, as far as it tells a story
 * - join:       what an item turned out to belong to; *seat* is its place in a group
 * - neighbourhood: what a store loads so that `rearrange` can say what it has to write
 * - saying:     a member of a group with its text, in a lineage; its `source` is whoever published it
 */

export { LARGEST_CAPACITY } from './copies/copy-ring.ts'
export { type CopyVerdict, verify } from './copies/verify.ts'
export { createCopyIndex } from './copy-index.ts'
export {
  MOST_TAKEN,
  type Neighbourhood,
  type Newcomer,
  type NewSeat,
  namedBy,
  type PlacedText,
  type Rearranged,
  rearrange,
  type Seat,
  type SeatedGroup,
} from './groups/membership.ts'
export { bitsApart, type Fingerprint, fingerprintOf } from './groups/primary.ts'
export { type Settled, settle, type Voter } from './groups/settle.ts'
export { commonHabits, type Habits, habitsOf, type Shown } from './habits/habits.ts'
export { type ShownWithout, shownWithout } from './habits/shown.ts'
export type {
  CopyIndex,
  CopyIndexOptions,
  IndexGroup,
  Item,
  KnownItem,
  LikenessEvidence,
  Placement,
} from './item.ts'
export { BYTES_AN_ITEM } from './item.ts'
export { type Follower, type Lineage, lineage, type Saying } from './lineage/lineage.ts'
export { type WordChange, wordDiff } from './lineage/word-diff.ts'
export type { Text } from './said.ts'
export { packSignature, SIGNATURE_VERSION, unpackSignature } from './sign/pack.ts'
export { plainSignature, type Signature, signature } from './sign/signature.ts'
export { distance, simhash } from './sign/simhash.ts'
