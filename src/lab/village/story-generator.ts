/** Turns chance into stories: fills the templates of a language with its phrases. */
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
  const words = lexicons[language]
  // What the title speaks of stays the same through the opening, so that a story is about something; the town, to the end.
  const town = nameTown(words, chance)
  const phrases = choosePhrases(words, at, chance, town)
  const episode = 1 + (Math.floor(at / (7 * dayMs)) % 1000)
  const title = fill(chance.pick(words.titles[voice]), { ...phrases, episode: () => String(episode) })
  const paragraphs = [fill(chance.pick(words.opening[voice]), phrases)]
  const left = [...words.sentences]
  for (let paragraph = 0, count = 2 + chance.below(3); paragraph < count; paragraph++) {
    const sentences: string[] = []
    for (let i = 0, length = 2 + chance.below(2); i < length && left.length > 0; i++) {
      const [template] = left.splice(chance.below(left.length), 1)
      sentences.push(fill(template!, choosePhrases(words, at, chance, town)))
    }
    paragraphs.push(sentences.join(' '))
  }
  return { title, author: namePerson(words, chance), paragraphs }
}

export function generateComment(language: TownLanguage, at: Instant, chance: SeededRandom): GeneratedStory {
  const words = lexicons[language]
  const text = fill(chance.pick(words.comment), choosePhrases(words, at, chance, nameTown(words, chance)))
  return { title: text, author: namePerson(words, chance), paragraphs: [text] }
}

/** What another newspaper makes of a story: the agency's name in front, a few words changed, sometimes the end cut off. */
export function editStory(story: GeneratedStory, agency: string, chance: SeededRandom): GeneratedStory {
  const paragraphs = story.paragraphs.slice(0, chance.happens(0.4) ? -1 : undefined)
  paragraphs[0] = `(${agency}) ${paragraphs[0]}`
  const which = chance.below(paragraphs.length)
  paragraphs[which] = paragraphs[which]!.replace(/\b\d+\b/, (number) => String(Number(number) + 1))
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

/** Chosen when first named and then kept, except people, of whom a sentence may name two. */
function choosePhrases(words: VoiceWords, at: Instant, chance: SeededRandom, town: string): Phrases {
  const person = () => namePerson(words, chance)
  const pickOf = (list: readonly string[]) => () => chance.pick(list)
  const leaves: Phrases = {
    town: () => town,
    person,
    verb: pickOf(words.verb),
    quality: pickOf(words.quality),
    kind: pickOf(words.kind),
    maker: pickOf(words.maker),
    tool: pickOf(words.tool),
    air: pickOf(words.air),
    ground: pickOf(words.ground),
  }
  const made: Phrases = {
    ...leaves,
    role: () => fill(chance.pick(words.role), leaves),
    object: () => fill(chance.pick(words.object), leaves),
  }
  const names: Phrases = { ...made, what: () => fill(chance.pick(words.what), made) }
  const kept = (choose: () => string): (() => string) => {
    let chosen: string | undefined
    return () => (chosen ??= choose())
  }
  const phrase = (list: readonly string[]) => kept(() => fill(chance.pick(list), names))
  return {
    ...names,
    who: phrase(words.who),
    deed: phrase(words.deed),
    place: phrase(words.place),
    day: phrase(words.day),
    why: phrase(words.why),
    thing: phrase(words.thing),
    number: kept(() => String(2 + chance.below(97))),
    hour: () => new Date(at).toISOString().slice(11, 16),
    sky: phrase(words.sky),
    degrees: kept(() => String(chance.below(30) - 4)),
  }
}

function fill(template: string, phrases: Phrases): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const phrase = phrases[name.toLowerCase()]!()
    return name[0] === name[0]!.toUpperCase() ? phrase[0]!.toUpperCase() + phrase.slice(1) : phrase
  })
}
