/** Turns chance into stories: fills the templates of a language with its phrases. */
import type { Instant, Millis } from '../../model/index.ts'
import type { Chance } from './chance.ts'
import type { TownLanguage, Voice } from './spec.ts'
import { german } from './words/de.ts'
import { english } from './words/en.ts'
import { french } from './words/fr.ts'
import type { VoiceWords } from './words/lexicon.ts'

export interface Tale {
  title: string
  author: string
  paragraphs: string[]
}

export const lexicons: Record<TownLanguage, VoiceWords> = { en: english, de: german, fr: french }

export interface Teller {
  language: TownLanguage
  voice: Voice
  dayMs: Millis
}

export function tellStory({ language, voice, dayMs }: Teller, at: Instant, chance: Chance): Tale {
  const words = lexicons[language]
  // What the title speaks of stays the same through the opening, so that a story is about something.
  const phrases = choosePhrases(words, at, chance)
  const episode = 1 + (Math.floor(at / (7 * dayMs)) % 1000)
  const title = fill(chance.pick(words.titles[voice]), { ...phrases, episode: () => String(episode) })
  const paragraphs = [fill(chance.pick(words.opening[voice]), phrases)]
  const left = [...words.sentences]
  for (let paragraph = 0, count = 2 + chance.below(3); paragraph < count; paragraph++) {
    const sentences: string[] = []
    for (let i = 0, length = 2 + chance.below(2); i < length && left.length > 0; i++) {
      const [template] = left.splice(chance.below(left.length), 1)
      sentences.push(fill(template!, choosePhrases(words, at, chance)))
    }
    paragraphs.push(sentences.join(' '))
  }
  return { title, author: chance.pick(words.person), paragraphs }
}

export function tellComment(language: TownLanguage, at: Instant, chance: Chance): Tale {
  const words = lexicons[language]
  const text = fill(chance.pick(words.comment), choosePhrases(words, at, chance))
  return { title: text, author: chance.pick(words.person), paragraphs: [text] }
}

/** What another newspaper makes of a story: the agency's name in front, a few words changed, sometimes the end cut off. */
export function editStory(story: Tale, agency: string, chance: Chance): Tale {
  const paragraphs = story.paragraphs.slice(0, chance.happens(0.4) ? -1 : undefined)
  paragraphs[0] = `(${agency}) ${paragraphs[0]}`
  const which = chance.below(paragraphs.length)
  paragraphs[which] = paragraphs[which]!.replace(/\b\d+\b/, (number) => String(Number(number) + 1))
  const title = chance.happens(0.5) ? story.title : `${story.title} – ${agency}`
  return { title, author: agency, paragraphs }
}

type Phrases = Record<string, () => string>

/** Chosen when first named and then kept, except people, of whom a sentence may name two. */
function choosePhrases(words: VoiceWords, at: Instant, chance: Chance): Phrases {
  const kept = (choose: () => string): (() => string) => {
    let chosen: string | undefined
    return () => (chosen ??= choose())
  }
  const people = [...words.person]
  return {
    who: kept(() => chance.pick(words.who)),
    deed: kept(() => chance.pick(words.deed)),
    place: kept(() => chance.pick(words.place)),
    day: kept(() => chance.pick(words.day)),
    why: kept(() => chance.pick(words.why)),
    thing: kept(() => chance.pick(words.thing)),
    person: () => people.splice(chance.below(people.length), 1)[0]!,
    number: kept(() => String(2 + chance.below(97))),
    hour: () => new Date(at).toISOString().slice(11, 16),
    sky: kept(() => chance.pick(words.sky)),
    degrees: kept(() => String(chance.below(30) - 4)),
  }
}

function fill(template: string, phrases: Phrases): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const phrase = phrases[name.toLowerCase()]!()
    return name[0] === name[0]!.toUpperCase() ? phrase[0]!.toUpperCase() + phrase.slice(1) : phrase
  })
}
