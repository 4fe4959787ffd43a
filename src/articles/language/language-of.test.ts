import { describe, expect, test } from 'vitest'
import { readLanguageTables } from '../../drivers/index.ts'
import { createLanguageOf, type LanguageHints } from './language-of.ts'
import { HEADLINES, SENTENCES } from './sentences.fixture.ts'

const languageOf = createLanguageOf(await readLanguageTables())

describe('a headline in its language', () => {
  test.each(Object.entries(HEADLINES))('%s', (language, headline) => {
    expect(languageOf(headline).value).toBe(language)
    expect(languageOf(headline, { page: language, feed: language }).value).toBe(language)
  })

  test.each(Object.entries(HEADLINES))('%s, though the template says English', (language, headline) => {
    expect(languageOf(headline, { page: 'en-US' }).value).toBe(language)
  })
})

describe('a sentence in its language', () => {
  test.each(Object.entries(SENTENCES))('%s, though page and feed say English', (language, sentence) => {
    expect(languageOf(sentence, { page: 'en', feed: 'en' }).value).toBe(language)
  })
})

describe('what is said about a text', () => {
  test.each<[why: string, text: string, hints: LanguageHints, value: string, from: string]>([
    ['nothing to read, nothing said', '', {}, 'en', 'default'],
    ['nothing to read', '2024', { feed: 'de-AT' }, 'de', 'feed'],
    ['the page goes before the feed', '—', { page: 'it', feed: 'en' }, 'it', 'page'],
    ['too short to tell', 'Wahlen 2024', { page: 'de_DE' }, 'de', 'page'],
    ['too short to tell, nothing said', 'Nokia N8', {}, 'en', 'default'],
    ['too short, but never in that script', 'Москва', { page: 'en' }, 'ru', 'default'],
    ['Danish or Norwegian, by the feed', 'Nye regler for biler i byen', { feed: 'da' }, 'da', 'text'],
    ['Danish or Norwegian, by the feed', 'Nye regler for biler i byen', { feed: 'nb-NO' }, 'no', 'text'],
    ['Indonesian', 'Dewan kota akan memilih jembatan baru pekan depan', {}, 'id', 'text'],
    ['Indonesian, stated', 'Majlis perbandaran mengundi jambatan baharu', { page: 'id' }, 'id', 'text'],
    ['Serbian in Latin letters', 'Skupština opštine sledeće nedelje glasa o novom mostu', { page: 'sr' }, 'sr', 'text'],
    ['Bosnian', 'Općinsko vijeće sljedeće sedmice glasa o novom mostu', { page: 'bs-BA' }, 'bs', 'text'],
    ['Afrikaans', 'Die stadsraad stem volgende week oor die nuwe brug', { page: 'af' }, 'af', 'page'],
    ['Welsh', 'Bydd y cyngor tref yn pleidleisio ar y bont newydd', { feed: 'cy' }, 'cy', 'feed'],
    ['Kazakh', 'Қалалық кеңес келесі аптада жаңа көпірге дауыс береді', { page: 'kk' }, 'kk', 'page'],
    ['Pashto', 'د ښار شورا به راتلونکې اونۍ د نوي پله په اړه رایه ورکړي', { page: 'ps' }, 'ps', 'page'],
    ['Nepali', 'नगर परिषदले अर्को साता नयाँ पुलमा मतदान गर्नेछ', { page: 'ne' }, 'ne', 'page'],
    ['Yiddish', 'דער שטאָטראַט שטימט קומענדיקע װאָך', { page: 'yi' }, 'yi', 'page'],
    ['a headline in Han, of a Japanese page', '町議会採決延期', { page: 'ja-JP' }, 'ja', 'page'],
    ['the old code for Hebrew', 'שלום', { page: 'iw' }, 'he', 'page'],
    ['Russian on a Kazakh site', SENTENCES.ru!, { page: 'kk', feed: 'en' }, 'ru', 'text'],
    ['English on a Welsh site', SENTENCES.en!, { page: 'cy' }, 'en', 'text'],
    ['no language at all', SENTENCES.de!, { page: 'xx-klingon', feed: '' }, 'de', 'text'],
    ['the word for none', 'Ok', { page: 'und' }, 'en', 'default'],
  ])('%s: %s', (_, text, hints, value, from) => {
    expect(languageOf(text, hints)).toEqual({ value, from })
  })

  test('a motto in Latin does not hide the text that follows', () => {
    const text = `Ave Maria, gratia plena, Dominus tecum, benedicta tu in mulieribus. ${SENTENCES.hu!.repeat(30)}`
    expect(languageOf(text, { page: 'en' }).value).toBe('hu')
  })
})

test('reads a megabyte as quickly as a page, whatever it is made of', () => {
  for (const piece of ['a', ' ', '\u0000', '\ud800', 'ש', '&#x;', 'a1'])
    expect(languageOf(piece.repeat(500_000)).value).toMatch(/^[a-z]{2,3}$/)
})
