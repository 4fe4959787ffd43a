/**
 * Who said it first, and who repeats it. A text becomes a signature; an index groups signatures into copies (the same
 * text, edited, cut or under another headline) or into stories (the same event, told by others), never into both at
 * once; and a lineage says who followed whom, after how long, with which words changed. All of it is a function of its
 * arguments: no clock, no store, no model of any language.
 */

export { LARGEST_CAPACITY } from './copies/copy-ring.ts'
export { type Verdict, verify } from './copies/verify.ts'
export { createCopyIndex } from './copy-index.ts'
export {
  MOST_TAKEN,
  type Neighbourhood,
  type Newcomer,
  type NewSeat,
  namedBy,
  type Rearranged,
  rearrange,
  type Said,
  type Seat,
  type SeatedGroup,
} from './groups/membership.ts'
export { bitsApart, type Fingerprint, fingerprintOf } from './groups/primary.ts'
export { type Settled, settle, type Voter } from './groups/settle.ts'
export type {
  CopyIndex,
  CopyIndexOptions,
  Evidence,
  Group,
  Item,
  KnownItem,
  Placement,
} from './item.ts'
export { BYTES_AN_ITEM } from './item.ts'
export { type Follower, type Lineage, lineage, type Saying } from './lineage/lineage.ts'
export { type Change, wordDiff } from './lineage/word-diff.ts'
export type { Text } from './said.ts'
export { pack, SIGNATURE_VERSION, unpack } from './sign/pack.ts'
export { plainSignature, type Signature, signature } from './sign/signature.ts'
export { distance, simhash } from './sign/simhash.ts'
