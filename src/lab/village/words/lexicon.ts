/**
 * What a language brings to the village. Every list holds phrases that fit each other in any combination, so the grammar
 * that joins them needs to know nothing of gender or case. Templates name the phrases in braces; a capital, as in `{Who}`,
 * asks for a capital.
 *
 * who: a subject, third person singular. deed: what it does, present tense. place, day, why: phrases of their own.
 * thing: an object. person: a name. number: a small number. hour, sky, degrees: the weather's.
 * episode: a podcast's, in titles only.
 */
import type { Voice } from '../spec.ts'

export interface VoiceWords {
  who: string[]
  deed: string[]
  place: string[]
  day: string[]
  why: string[]
  thing: string[]
  person: string[]
  sky: string[]
  titles: Record<Voice, string[]>
  /** The first sentence of a story, about what its title names. */
  opening: Record<Voice, string[]>
  sentences: string[]
  comment: string[]
  /** How a corrected title looks. */
  corrected: string
  /** The words on every page. */
  page: { newest: string; by: string; imprint: string; login: string; missing: string }
}
