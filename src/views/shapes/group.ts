/** Copies and stories as our JSON has them. */
import type { EntryShape, GroupShape, MemberShape, MoveShape } from '../../api/index.ts'
import type { Group, GroupMove, Member } from '../../model/index.ts'
import { iso, present } from './present.ts'

export function groupShape({ id, level, size, distanceSum, firstAt, lastAt }: Group, primary?: EntryShape): GroupShape {
  return { id, level, size, distanceSum, firstAt: iso(firstAt), lastAt: iso(lastAt), ...present({ primary }) }
}

export function memberShape(member: Member, entry: EntryShape): MemberShape {
  const { at, distance, comparedBy, likeId, likeness, reason } = member
  return { entry, at: iso(at), distance, comparedBy, ...present({ likeId, likeness, reason }) }
}

export function moveShape({ level, at, from, to, comparedBy }: GroupMove): MoveShape {
  return { level, at: iso(at), ...present({ from, to }), comparedBy }
}
