/**
 * The phrases of a language. Each list contains phrases that can be combined freely, so the grammar needs no gender or
 * case. Templates name phrases in braces; `{Who}` asks for a capital letter. Phrases may contain other phrases:
 * stories are distinguished by names and things, of which there are thousands, composed of two halves. With fewer, a
 * day of the village would look like one large story.
 *
 * - who: a subject, third person singular, by role and town. deed: its action, present tense: a verb and an object
 *   with a quality. kind, maker, tool: parts of roles and objects.
 * - place, day, why: independent phrases. thing: something owned or discussed. person: a name. town: one per story.
 *   number: a small number.
 * - hour, sky, degrees: of the weather; air and ground: the halves of a sky. episode: a podcast's, in titles only.
 *   Lists without use in a language may be empty.
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
  /** The first sentence of a story, about the subject of its title. */
  opening: Record<Voice, string[]>
  sentences: string[]
  comment: string[]
  /** Template of a corrected title. */
  corrected: string
  /** The texts of pages. */
  page: { newest: string; by: string; imprint: string; login: string; missing: string }
}

/** Splits a list of words. */
export function each(words: string): string[] {
  return words.trim().split(/\s+/)
}
