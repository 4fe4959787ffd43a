/** An address as our JSON has it: while its feed is looked for, and what became of it when it was given. */
import type { SourceShape } from '../../api/index.ts'
import type { Source } from '../../model/index.ts'
import { iso, isoIfAny, present } from './present.ts'
import { troubleShape } from './trouble.ts'

export function sourceShape(source: Source): SourceShape {
  const { id, url, folder, state, feedId, others, failures } = source
  const hasLogin = source.credentials ? (true as const) : undefined
  return {
    id,
    url,
    ...present({ folder, hasLogin }),
    state,
    ...present({ feedId, others }),
    addedAt: iso(source.addedAt),
    ...present({ dueAt: state === 'looking' ? isoIfAny(source.dueAt) : undefined }),
    failures,
    ...present({ trouble: troubleShape(source.trouble) }),
  }
}
