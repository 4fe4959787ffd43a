/**
 * What a language brings to the village. Every list holds phrases that fit each other in any combination, so the grammar
 * that joins them needs to know nothing of gender or case. Templates name the phrases in braces; a capital, as in `{Who}`,
 * asks for a capital. Phrases may name parts in turn: news is told apart by names and things, and of those there are
 * thousands, put together of two halves. With fewer, a day of the village would look like one large story.
 *
 * who: a subject, third person singular, by its role and town. deed: what it does, present tense: a verb, and to what, which
 * has a quality and is an object. kind, maker, tool: of what roles and objects are made. place, day, why: phrases of their own. thing: what one owns or thinks about. person: a
 * name. town: one for a story. number: a small number. hour, sky, degrees: the weather's; air and ground: the halves of a sky.
 * episode: a podcast's, in titles only. A list may be empty where no phrase of the language names it.
 */
import type { Voice } from '../spec.ts'

export interface VoiceWords {
  who: string[]
  deed: string[]
  place: string[]
  day: string[]
  why: string[]
  thing: string[]
  role: string[]
  verb: string[]
  what: string[]
  quality: string[]
  object: string[]
  kind: string[]
  maker: string[]
  tool: string[]
  person: { first: string[]; last: string[] }
  town: { starts: string[]; ends: string[] }
  sky: string[]
  air: string[]
  ground: string[]
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

/** Many words, as they stand in a dictionary. */
export function each(words: string): string[] {
  return words.trim().split(/\s+/)
}
