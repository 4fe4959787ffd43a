/** The JSON shape of a source: an address that was added, and the result of looking for its feed. */
import type { SourceShape } from '../../api/index.ts'
import type { Source } from '../../model/index.ts'
import { troubleShape } from './trouble.ts'
import { isoDate, isoOrUndefined, omitUndefined } from './values.ts'

export function sourceShape(source: Source): SourceShape {
  const { id, url, folder, state, feedId, others, failures } = source
  const hasLogin = source.credentials ? (true as const) : undefined
  return {
    id,
    url,
    ...omitUndefined({ folder, hasLogin }),
    state,
    ...omitUndefined({ feedId, others }),
    addedAt: isoDate(source.addedAt),
    ...omitUndefined({ dueAt: state === 'looking' ? isoOrUndefined(source.dueAt) : undefined }),
    failures,
    ...omitUndefined({ trouble: troubleShape(source.trouble) }),
  }
}
