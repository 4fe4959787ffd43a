/** Which people and transcripts of an episode are shown with it. */
import type { EntryDetailsShape } from '../../src/api/index.ts'

type People = NonNullable<EntryDetailsShape['people']>
type Transcript = NonNullable<NonNullable<EntryDetailsShape['podcast']>['transcripts']>[number]

const MAX_SHOWN = 8

/** People with roles such as host and guest. Authors are shown with the date, so those with no other role are left out. */
export function creditsOf({ people = [] }: Pick<EntryDetailsShape, 'people'>): (People[number] & { name: string })[] {
  return people
    .flatMap((person) => (person.name && !SHOWN_ELSEWHERE.has(person.role) ? [{ ...person, name: person.name }] : []))
    .slice(0, MAX_SHOWN)
}

const SHOWN_ELSEWHERE = new Set(['author', 'contributor'])

/** One for each language, in the format that browsers show best. */
export function transcriptsOf({ podcast }: Pick<EntryDetailsShape, 'podcast'>): Transcript[] {
  const best = new Map<string, Transcript>()
  for (const transcript of podcast?.transcripts ?? []) {
    const key = transcript.language ?? ''
    const before = best.get(key)
    if (!before || rankOf(transcript) < rankOf(before)) best.set(key, transcript)
  }
  return [...best.values()]
}

const FORMATS = ['text/html', 'text/plain', 'text/vtt', 'application/x-subrip', 'application/srt', 'application/json']

function rankOf({ type }: Transcript): number {
  const rank = FORMATS.indexOf(type?.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  return rank < 0 ? FORMATS.length : rank
}
