import { describe, expect, test } from 'vitest'
import { readLanguageTables } from '../../languages/index.ts'
import { createLanguageDetector, type LanguageHints } from './detect-language.ts'
import { HEADLINES, SENTENCES } from './sentences.fixture.ts'

const languageOf = createLanguageDetector(await readLanguageTables())

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

describe('statements about a text', () => {
  test.each<[why: string, text: string, hints: LanguageHints, value: string, from: string]>([
    ['no text and no statement', '', {}, 'und', 'default'],
    ['no text', '2024', { feed: 'de-AT' }, 'de', 'feed'],
    ['the page takes precedence over the feed', '—', { page: 'it', feed: 'en' }, 'it', 'page'],
    ['too short', 'Wahlen 2024', { page: 'de_DE' }, 'de', 'page'],
    ['too short, without a statement', 'Nokia N8', {}, 'und', 'default'],
    ['too short, but impossible in that script', 'Москва', { page: 'en' }, 'und', 'default'],
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
    ['an invalid tag', SENTENCES.de!, { page: 'xx-klingon', feed: '' }, 'de', 'text'],
    ['the tag for an undetermined language', 'Ok', { page: 'und' }, 'und', 'default'],
  ])('%s: %s', (_, text, hints, value, from) => {
    expect(languageOf(text, hints)).toEqual({ value, from })
  })

  test('a Latin motto does not hide the text after it', () => {
    const text = `Ave Maria, gratia plena, Dominus tecum, benedicta tu in mulieribus. ${SENTENCES.hu!.repeat(30)}`
    expect(languageOf(text, { page: 'en' }).value).toBe('hu')
  })
})

/** A headline in each language without tables. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  af: 'Die stadsraad sê hulle stem volgende week oor die nuwe brug',
  as: 'নগৰ পৰিষদে অহা সপ্তাহত নতুন দলঙৰ বাবে ভোট দিব',
  ceb: 'Ang konseho sa lungsod mobotar sa bag-ong taytayan sunod semana, ug wala pay desisyon',
  cy: 'Bydd y cyngor tref yn pleidleisio ar y bont newydd yr wythnos nesaf',
  eo: 'La urba konsilio voĉdonos pri la nova ponto, kaj ĝi estas granda',
  ga: 'Beidh an chomhairle baile ag vótáil ar an droichead nua an tseachtain seo chugainn',
  gl: 'O concello votará tamén a vindeira semana unha nova ponte',
  ha: 'Majalisar garin za ta kada kuri a kan sabuwar gada a mako mai zuwa',
  ht: 'Konsèy vil la pral vote sou nouvo pon an semèn pwochèn',
  ig: 'Kansụl obodo ga-atụ vootu maka àkwà mmiri ọhụrụ n’izu na-abịa',
  jv: 'Dewan kutha bakal milih babagan kreteg anyar ing minggu ngarep',
  kk: 'Қалалық кеңес келесі аптада жаңа көпірге дауыс береді',
  ky: 'Шаардык кеңеш кийинки жумада жаңы көпүр боюнча добуш берет',
  lb: 'De Gemengerot stëmmt d’nächst Woch iwwer déi nei Bréck of, déi fir vill Leit ass',
  mg: 'Hifidy momba ny tetezana vaovao ny filankevitry ny tanàna amin’ny herinandro ambony',
  mk: 'Градскиот совет следната недела ќе гласа за новиот мост',
  mn: 'Хотын зөвлөл дараа долоо хоногт шинэ гүүрийн талаар санал хураана',
  ne: 'नगर परिषदले अर्को साता नयाँ पुलमा मतदान गर्नेछ',
  ps: 'د ښار شورا به راتلونکې اونۍ د نوي پله په اړه رایه ورکړي',
  rw: 'Inama njyanama y’umujyi izatora ku kiraro gishya mu cyumweru gitaha',
  sd: 'شهر ڪائونسل ايندڙ هفتي نئين پل تي ووٽ ڏيندي',
  so: 'Golaha degmada ayaa toddobaadka soo socda u codayn doona buundada cusub',
  sw: 'Baraza la mji litapiga kura kuhusu daraja jipya wiki ijayo',
  tg: 'Шӯрои шаҳр ҳафтаи оянда дар бораи пули нав овоз медиҳад',
  tk: 'Şäher geňeşi indiki hepde täze köpri barada ses berer',
  tt: 'Шәһәр советы киләсе атнада яңа күпер өчен тавыш бирә',
  ug: 'شەھەر كېڭىشى كېلەر ھەپتە يېڭى كۆۋرۈككە ئاۋاز بېرىدۇ',
  uz: 'Shahar kengashi kelasi hafta yangi koʻprik boʻyicha ovoz beradi',
  xh: 'Ibhunga ledolophu liza kuvota ngebhulorho entsha kwiveki ezayo',
  zu: 'Umkhandlu wedolobha uzovota ngebhuloho elisha ngesonto elizayo',
}

describe('a language without tables', () => {
  test.each(Object.entries(UNSUPPORTED))('%s', (language, headline) => {
    expect(languageOf(headline).value).toBe(language)
    expect(languageOf(headline, { page: language }).value).toBe(language)
    expect(languageOf(headline, { page: 'en-US', feed: 'en' }).value).toBe(language)
  })

  test.each([
    ['Navajo', 'nv', 'Kin łání baa áháyą́ą́gi naanishígíí ałtso bee nihił hashne’ dooleeł'],
    ['Greenlandic', 'kl', 'Kommunalbestyrelsip sapaatip akunnerani tullermi ikaartarfissaq nutaaq taasissutigissavaa'],
    ['Tongan', 'to', 'ʻE fili ʻa e kosilio ʻo e kolo ki he hala fakakavakava foʻou ʻi he uike kahaʻu'],
  ])('%s is unknown unless declared', (_name, language, headline) => {
    expect(languageOf(headline)).toEqual({ value: 'und', from: 'default' })
    expect(languageOf(headline, { page: 'en' })).toEqual({ value: 'und', from: 'default' })
    expect(languageOf(headline, { page: language })).toEqual({ value: language, from: 'page' })
  })

  test.each(['de', 'fr', 'ru', 'hu', 'tr'])('is ignored if the text is clearly %s', (language) => {
    const declared = language === 'ru' ? 'kk' : 'sw'
    expect(languageOf(SENTENCES[language]!, { page: declared })).toEqual({ value: language, from: 'text' })
  })

  test.each([
    ['gl', SENTENCES.pt!],
    ['af', SENTENCES.nl!],
  ])('%s is accepted against a detected relative', (language, text) => {
    expect(languageOf(text, { page: language }).value).toBe(language)
  })

  test.each(['nl', 'pt', 'es', 'bg', 'sr', 'hi', 'mr', 'ms', 'tl', 'tr', 'ru', 'ar', 'fa', 'bn', 'he', 'am'])(
    'is not detected in %s',
    (language) => {
      const [headline, sentence] = [HEADLINES[language]!, SENTENCES[language] ?? HEADLINES[language]!]
      expect([languageOf(headline).value, languageOf(sentence).value]).toEqual([language, language])
    },
  )
})

test('reads a megabyte as quickly as a page, whatever its content', () => {
  for (const fragment of ['a', ' ', '\u0000', '\ud800', 'ש', '&#x;', 'a1'])
    expect(languageOf(fragment.repeat(500_000)).value).toMatch(/^[a-z]{2,3}$/)
})
