/** Inflected forms of words: what is found together, and what is not. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formsOf, INFLECTED_LANGUAGES, inflectableWord } from './search-forms.ts'
import { foldedWords } from './search-words.ts'

const folded = (word: string) => foldedWords(word).join('')

it.each([
  ['en', 'flood floods flooded flooding'],
  ['en', 'price prices priced pricing'],
  ['en', 'policy policies'],
  ['en', 'carry carries carried carrying'],
  ['en', 'tax taxes taxed taxing'],
  ['en', 'match matches matched matching'],
  ['en', 'process processes processed processing'],
  ['en', 'stop stops stopped stopping'],
  ['en', 'admit admits admitted admitting'],
  ['en', 'vote votes voted voting'],
  ['en', 'car cars'],
  ['en', 'law laws'],
  ['en', 'election elections'],
  ['en', 'child children'],
  ['en', 'rise rises rose risen rising'],
  ['en', 'bus buses'],
  ['en', 'university universities'],
  ['en', 'universe universes'],
  ['de', 'Wahl Wahlen'],
  ['de', 'Haus Häuser Häusern Hauses'],
  ['de', 'Tag Tage Tagen Tages'],
  ['de', 'Regierung Regierungen'],
  ['de', 'Minister Ministern Ministers'],
  ['de', 'Straße Straßen'],
  ['de', 'Preis Preise Preisen'],
  ['de', 'Auto Autos'],
  ['de', 'Lehrerin Lehrerinnen'],
  ['fr', 'élection élections'],
  ['fr', 'journal journaux'],
  ['fr', 'élu élue élus élues'],
  ['fr', 'bateau bateaux'],
  ['fr', 'actif actifs active actives'],
  ['es', 'elección elecciones'],
  ['es', 'precio precios'],
  ['es', 'luz luces'],
  ['es', 'detenido detenida detenidos detenidas'],
  ['pt', 'eleição eleições'],
  ['pt', 'homem homens'],
  ['pt', 'jornal jornais'],
  ['it', 'libro libri'],
  ['it', 'elezione elezioni'],
  ['it', 'banca banche'],
  ['it', 'notizia notizie'],
  ['nl', 'verkiezing verkiezingen'],
  ['nl', 'huis huizen'],
  ['nl', 'straat straten'],
  ['nl', 'prijs prijzen'],
  ['nl', 'bom bommen'],
  ['sv', 'skola skolan skolor skolorna'],
  ['sv', 'bil bilen bilar bilarna'],
  ['da', 'bil bilen biler bilerne'],
  ['nb', 'avis avisen aviser'],
  ['pl', 'kobieta kobiety kobietami'],
  ['pl', 'rząd rządu rządem'],
  ['ru', 'выборы выборов выборам'],
  ['ru', 'страна страны стране страной странах'],
  ['ru', 'новый нового новая новые'],
  ['ru', 'решение решения решений'],
])('%s: finds %s together', (language, words) => {
  const all = words.split(' ').map(folded)
  for (const word of all) {
    const forms = [word, ...formsOf(word, language)]
    for (const other of all) expect(forms, `${word} finds ${other}`).toContain(other)
  }
})

it.each([
  ['en', 'news new'],
  ['en', 'university universe universal'],
  ['en', 'number numb'],
  ['en', 'corner corn'],
  ['en', 'plan plane planes'],
  ['en', 'hop hope hoping hoped'],
  ['en', 'star stare staring'],
  ['en', 'rat rate rated rating'],
  ['en', 'car care caring'],
  ['en', 'evening even'],
  ['en', 'thing th'],
  ['en', 'spring spr'],
  ['en', 'united unite'],
  ['en', 'human humane'],
  ['en', 'organ organize organic'],
  ['en', 'policy police'],
  ['en', 'general generic'],
  ['en', 'political politics'],
  ['en', 'glass glasses'],
  ['en', 'does do'],
  ['en', 'speed spe'],
  ['en', 'fall fal'],
  ['en', 'add ad'],
  ['de', 'Messe Messer'],
  ['de', 'Nacht nach'],
  ['de', 'Mutter Mut'],
  ['de', 'Bank Bande'],
  ['fr', 'port porte'],
  ['fr', 'cours course'],
  ['es', 'puerto puerta'],
  ['es', 'caso casa'],
  ['it', 'caso casa'],
  ['it', 'porto porta'],
  ['nl', 'stad staat'],
  ['ru', 'мост место'],
])('%s: tells %s apart', (language, words) => {
  const [word, ...others] = words.split(' ').map(folded)
  for (const other of others) {
    expect(formsOf(word!, language)).not.toContain(other)
    expect(formsOf(other, language)).not.toContain(word)
  }
})

describe('forms', () => {
  it('are those of one language, whose regions are one', () => {
    expect(formsOf('flood', 'en-GB')).toContain('flooding')
    expect(formsOf('flood', 'ja')).toEqual([])
    expect(formsOf('flood', 'und')).toEqual(['floods'])
    expect(formsOf('news', 'und')).toEqual([])
  })

  it('are few, and the other way round, too', () => {
    const word = fc.stringMatching(/^(?:[a-z]{1,12}|[а-я]{3,8})(?:s|es|ed|ing|ies|en|er|e|)$/)
    fc.assert(
      fc.property(word, fc.constantFrom(...INFLECTED_LANGUAGES), (from, language) => {
        const forms = formsOf(from, language)
        expect(forms.length).toBeLessThanOrEqual(24)
        expect(forms).not.toContain(from)
        for (const form of forms.length < 24 ? forms : []) {
          const back = formsOf(form, language)
          if (form.length >= 3 && form.length <= 30 && back.length < 24) expect(back, form).toContain(from)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['floods', 'floods'],
    ['Große', 'grosse'],
    ['AIDS', undefined],
    ['US', undefined],
    ['e-mail', undefined],
    ['don’t', undefined],
    ['2026', undefined],
    ['C++', undefined],
    ['天気予報', undefined],
  ])('of the typed word %s', (typed, word) => {
    expect(inflectableWord(typed)).toBe(word)
  })
})
