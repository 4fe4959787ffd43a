/** Generates stories: fills the templates of a language with random phrases. */
import type { Instant, Millis } from '../../model/index.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { TownLanguage, Voice } from './spec.ts'
import { german } from './words/de.ts'
import { english } from './words/en.ts'
import { french } from './words/fr.ts'
import type { VoiceWords } from './words/lexicon.ts'

export interface GeneratedStory {
  title: string
  author: string
  paragraphs: string[]
}

export const lexicons: Record<TownLanguage, VoiceWords> = { en: english, de: german, fr: french }

export interface StoryGenerator {
  language: TownLanguage
  voice: Voice
  dayMs: Millis
}

export function generateStory(
  { language, voice, dayMs }: StoryGenerator,
  at: Instant,
  chance: SeededRandom,
): GeneratedStory {
  const voiceWords = lexicons[language]
  // The subject of the title stays the same in the opening, so that a story has a topic; the town stays to the end.
  const town = nameTown(voiceWords, chance)
  const phrases = choosePhrases(voiceWords, at, chance, town)
  const episode = 1 + (Math.floor(at / (7 * dayMs)) % 1000)
  const title = fill(chance.pick(voiceWords.titles[voice]), { ...phrases, episode: () => String(episode) })
  const paragraphs = [fill(chance.pick(voiceWords.opening[voice]), phrases)]
  const unused = [...voiceWords.sentences]
  for (let paragraph = 0, count = 2 + chance.below(3); paragraph < count; paragraph++) {
    const sentences: string[] = []
    for (let i = 0, length = 2 + chance.below(2); i < length && unused.length > 0; i++) {
      const [template] = unused.splice(chance.below(unused.length), 1)
      sentences.push(fill(template!, choosePhrases(voiceWords, at, chance, town)))
    }
    paragraphs.push(sentences.join(' '))
  }
  return { title, author: namePerson(voiceWords, chance), paragraphs }
}

export function generateComment(language: TownLanguage, at: Instant, chance: SeededRandom): GeneratedStory {
  const voiceWords = lexicons[language]
  const text = fill(
    chance.pick(voiceWords.comment),
    choosePhrases(voiceWords, at, chance, nameTown(voiceWords, chance)),
  )
  return { title: text, author: namePerson(voiceWords, chance), paragraphs: [text] }
}

/** A story as edited by another newspaper: the agency's name in front, a few words changed, sometimes truncated. */
export function editStory(story: GeneratedStory, agency: string, chance: SeededRandom): GeneratedStory {
  const paragraphs = story.paragraphs.slice(0, chance.happens(0.4) ? -1 : undefined)
  paragraphs[0] = `(${agency}) ${paragraphs[0]}`
  const index = chance.below(paragraphs.length)
  paragraphs[index] = paragraphs[index]!.replace(/\b\d+\b/, (number) => String(Number(number) + 1))
  const title = chance.happens(0.5) ? story.title : `${story.title} – ${agency}`
  return { title, author: agency, paragraphs }
}

function namePerson({ person: { first, last } }: VoiceWords, chance: SeededRandom): string {
  return `${chance.pick(first)} ${chance.pick(last)}`
}

function nameTown({ town: { starts, ends } }: VoiceWords, chance: SeededRandom): string {
  return chance.pick(starts) + chance.pick(ends)
}

type Phrases = Record<string, () => string>

/** Chosen on first use and then kept, except people, of whom a sentence may name two. */
function choosePhrases(voiceWords: VoiceWords, at: Instant, chance: SeededRandom, town: string): Phrases {
  const person = () => namePerson(voiceWords, chance)
  const pickOf = (list: readonly string[]) => () => chance.pick(list)
  const leaves: Phrases = {
    town: () => town,
    person,
    verb: pickOf(voiceWords.verb),
    quality: pickOf(voiceWords.quality),
    kind: pickOf(voiceWords.kind),
    maker: pickOf(voiceWords.maker),
    tool: pickOf(voiceWords.tool),
    air: pickOf(voiceWords.air),
    ground: pickOf(voiceWords.ground),
  }
  const phraseTable: Phrases = {
    ...leaves,
    role: () => fill(chance.pick(voiceWords.role), leaves),
    object: () => fill(chance.pick(voiceWords.object), leaves),
  }
  const names: Phrases = { ...phraseTable, what: () => fill(chance.pick(voiceWords.what), phraseTable) }
  const memoized = (choose: () => string): (() => string) => {
    let chosen: string | undefined
    return () => (chosen ??= choose())
  }
  const phrase = (list: readonly string[]) => memoized(() => fill(chance.pick(list), names))
  return {
    ...names,
    who: phrase(voiceWords.who),
    deed: phrase(voiceWords.deed),
    place: phrase(voiceWords.place),
    day: phrase(voiceWords.day),
    why: phrase(voiceWords.why),
    thing: phrase(voiceWords.thing),
    number: memoized(() => String(2 + chance.below(97))),
    hour: () => new Date(at).toISOString().slice(11, 16),
    sky: phrase(voiceWords.sky),
    degrees: memoized(() => String(chance.below(30) - 4)),
  }
}

function fill(template: string, phrases: Phrases): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const phrase = phrases[name.toLowerCase()]!()
    return name[0] === name[0]!.toUpperCase() ? phrase[0]!.toUpperCase() + phrase.slice(1) : phrase
  })
}
