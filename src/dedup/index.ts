/**
 * Finds copies and stories. A text becomes a signature; an index groups signatures into copies (the same text, edited, cut
 * or under another headline) or into stories (the same event, reported by others), never into both at once; and a lineage
 * shows who followed whom, after how long, with which words changed. Everything is a function of its arguments: no clock, no
 * store, no language model. Terms, beside those of the model:
 *
 * - item:       anything that is compared, with a number as id; the crawl's items are entries
 * - signature:  what is stored of a text: its *SimHash*, which gives distances, and its *skeleton*, the first 44 words as
 * numbers
 * - distance:   number of differing SimHash bits; *likeness*, between 0 and 1, decides about copies
 * - candidate:  an item that may be a copy, by its MinHashes; `verifyCopy` decides
 * - boilerplate: text that a feed repeats in entry after entry, whatever they are about; removed before signing
 * - window:     the time within which items are compared; unrelated to a feed's window
 * - telling:    an item as a member of a story: a report of the event
 * - join:       the items that a new item belongs with; a *membership* is its place in a group
 * - neighborhood: what a store loads so that `updateGroups` can compute what to write
 */

export { type Boilerplate, boilerplateOfFeed, commonBoilerplate, type Shown } from './boilerplate/feed-boilerplate.ts'
export { type ShownWithout, shownWithout } from './boilerplate/strip-boilerplate.ts'
export { LARGEST_CAPACITY } from './copies/copy-ring.ts'
export { type CopyVerdict, verifyCopy } from './copies/verify-copy.ts'
export {
  type GroupChanges,
  type GroupedText,
  type Membership,
  MOST_TAKEN,
  type Neighborhood,
  type NewEntry,
  type NewMembership,
  namedBy,
  type StoredGroup,
  updateGroups,
} from './groups/membership.ts'
export { bitsApart, type Fingerprint, fingerprintOf } from './groups/primary.ts'
export { type Settled, settle, type Voter } from './groups/settle.ts'
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
export type { Text } from './plain-item.ts'
export { packSignature, SIGNATURE_VERSION, unpackSignature } from './sign/pack.ts'
export { plainSignature, type Signature, signature } from './sign/signature.ts'
export { distance, simhash } from './sign/simhash.ts'
export { contentWords } from './sign/word-kinds.ts'
export { createCopyIndex } from './similarity-index.ts'
