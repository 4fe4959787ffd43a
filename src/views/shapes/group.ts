/** The JSON shapes of copies and stories. */
import type { EntryShape, GroupShape, MemberShape, MoveShape } from '../../api/index.ts'
import type { Group, GroupMove, Member } from '../../model/index.ts'
import { isoDate, omitUndefined } from './values.ts'

export function groupShape({ id, level, size, distanceSum, firstAt, lastAt }: Group, primary?: EntryShape): GroupShape {
  return {
    id,
    level,
    size,
    distanceSum,
    firstAt: isoDate(firstAt),
    lastAt: isoDate(lastAt),
    ...omitUndefined({ primary }),
  }
}

export function memberShape(member: Member, entry: EntryShape): MemberShape {
  const { at, distance, comparedBy, likeId, likeness, reason } = member
  return { entry, at: isoDate(at), distance, comparedBy, ...omitUndefined({ likeId, likeness, reason }) }
}

export function moveShape({ level, at, from, to, comparedBy }: GroupMove): MoveShape {
  return { level, at: isoDate(at), ...omitUndefined({ from, to }), comparedBy }
}
