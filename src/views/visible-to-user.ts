/** What a user sees, whoever asks: for what they hand out, for webhooks, and for the protocols of feed readers. */
import { type PersonId, type Visibility, visibilityOfUser } from '../model/index.ts'
import type { People } from '../ports/index.ts'
import type { VisibleParts } from './feed-visibility.ts'
import { visibleTo } from './visible-catalogues.ts'

export interface VisibilityParts {
  people: Pick<People, 'people'>
  /** Whether every user reads what is public. */
  sharedReading?: boolean
}

export async function visibleToUser<Parts extends VisibleParts & VisibilityParts>(
  personId: PersonId,
  parts: Parts,
): Promise<Parts> {
  return visibleTo(parts, await visibilityFor(personId, parts))
}

export async function visibilityFor(
  personId: PersonId,
  { people, sharedReading = false }: VisibilityParts,
): Promise<Visibility> {
  return visibilityOfUser(personId, { hasAccounts: (await people.people()).length > 0, isShared: sharedReading })
}
