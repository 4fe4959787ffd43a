/** An address as our JSON has it: while its feed is looked for, and what became of it when it was given. */
import type { Source } from '../../model/index.ts'
import { iso, isoIfAny, present } from './present.ts'
import { type TroubleShape, troubleShape } from './trouble.ts'

export interface SourceShape {
  id: number
  url: string
  hasLogin?: true
  folder?: string
  state: Source['state']
  feedId?: number
  /** Further feeds of the site, best first. */
  others?: string[]
  addedAt: string
  /** Absent once its feed is found. */
  dueAt?: string
  failures: number
  trouble?: TroubleShape
}

export type SubscriptionShape =
  | { kind: 'feed'; url: string; feedId: number; added: boolean }
  | { kind: 'source'; url: string; sourceId: number; added: boolean }
  | { kind: 'refused'; url: string; reason: string }

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
