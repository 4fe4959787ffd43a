/**
 * Inflections by language, for search-forms.ts: endings that are exchanged after the same base, in folded letters (without accents; й is и,
 * ё is е, ß is ss). `base` limits the words that a pattern applies to. Patterns are narrow on purpose: a form that is missed is found by a
 * prefix search, but a wrong one shows entries that nobody searched for.
 */

export interface InflectionPattern {
  endings: readonly string[]
  /** What the part before the ending looks like. */
  base: RegExp
}

export interface Inflections {
  patterns: readonly InflectionPattern[]
  /** Forms that no pattern knows, or that patterns would get wrong. The words of a set have no other forms. */
  sets: readonly string[]
  /** Consonants are doubled before endings: stop, stopped. */
  doubles?: { base: RegExp; single: readonly string[]; doubled: readonly string[] }
}

const pattern = (endings: string, base: RegExp): InflectionPattern => ({
  endings: endings.split(' ').map((ending) => (ending === '-' ? '' : ending)),
  base,
})

const LONG = /^.{4,}$/u
const MEDIUM = /^.{3,}$/u

const ENGLISH: Inflections = {
  patterns: [
    // Not after e, sibilants, consonant and y, and short syllables, whose consonant is doubled.
    pattern(
      '- s ed ing',
      /^(?=.*[aeiouy])(?![^aeiou]*[aeiou][^aeiouwxy]$)(?!.*(?:ing|ed|[esxz]|ch|sh|[^aeiou]y)$)(?!.*([bdgmnprt])\1$).{3,}$/,
    ),
    pattern('- s', /^(?=.*[aeiouy])(?!.*(?:[esxz]|ch|sh|[^aeiou]y)$).{3,}$/),
    pattern('e es ed ing', /^(?=.*[aeiouy])(?!.*[aeo]$).{3,}$/),
    pattern('- es ed ing', /^(?=.*[aeiouy]).*(?:ss|us|gas|x|z|ch|sh)$/),
    pattern('y ies ied ying', /^.+[^aeiou]$/),
    pattern('f ves', /^(?:hal|el|loa|shel|thie|wol|cal|scar|hoo)$/),
  ],
  doubles: {
    base: /^(?:[^aeiou]{1,3}[aeiou][bdgmnprt]|.+(?:mit|fer|cur|trol|vel|cel|bel|gret|pel|sig?nal|gin))$/,
    single: ['', 's'],
    doubled: ['ed', 'ing'],
  },
  sets: [
    'child children',
    'man men',
    'woman women',
    'foot feet',
    'tooth teeth',
    'mouse mice',
    'wife wives',
    'knife knives',
    'person persons',
    'crisis crises',
    'analysis analyses',
    'thesis theses',
    'say says said saying',
    'use uses used using',
    'buy buys bought buying',
    'sell sells sold selling',
    'win wins won winning',
    'rise rises rose risen rising',
    'fall falls fell fallen falling',
    'grow grows grew grown growing',
    'write writes wrote written writing',
    'steal steals stole stolen stealing',
    'lose loses lost losing',
    'drive drives drove driven driving',
    'take takes took taken taking',
    'give gives gave given giving',
    'speak speaks spoke spoken speaking',
    'break breaks broke broken breaking',
    'choose chooses chose chosen choosing',
    'build builds built building buildings',
    'fight fights fought fighting',
    'teach teaches taught teaching',
    'catch catches caught catching',
    'strike strikes struck striking',
    'run runs ran running',
    // No forms of each other, though they look like it.
    ...'new|news|united|species|series|means|goods|arms|glasses|customs|politics|economics|physics|ethics|mathematics|always|perhaps|towards|has|was|does|goes|his|its|this|thus|less|ours|yours|hers|theirs|during|mars|wales|times'.split(
      '|',
    ),
    'evening evenings',
    'morning mornings',
    'ceiling ceilings',
    'wedding weddings',
    'being beings',
    'hundred hundreds',
    'something',
    'nothing',
    'anything',
    'everything',
    'outing outings',
    'sterling',
    'herring herrings',
    'lens lenses',
    'good',
    'arm armed arming',
    'general generals',
  ],
}

const GERMAN: Inflections = {
  patterns: [
    pattern('- e en es s er ern em', /^(?!.*(?:[aeiou]|er|en|el|s)$)(?:.{4,}|[^aeiou].[^aeiou])$/),
    pattern('- e en es er ern', /^.{2,}[aeiou]s$/),
    pattern('- en', /^.+(?:ung|heit|keit|schaft|tion|tat|au)$/),
    pattern('- n s', /^.{2,}(?:er|el|en)$/),
    pattern('e en', LONG),
    pattern('- s', /^.{3,}[aiouy]$/),
    pattern('- nen', /^.{4,}in$/),
    pattern('nis nisse nissen nisses', MEDIUM),
  ],
  sets: ['messe messen', 'messer messern messers', 'jahr jahre jahren jahres jahrs'],
}

const FRENCH: Inflections = {
  patterns: [
    pattern('- s', /^.{2,}[^sxz]$/),
    pattern('- x', /^.{2,}(?:au|eu)$/),
    pattern('al aux', MEDIUM),
    pattern('ail aux', /^(?:trav|vitr|cor)$/),
    pattern('- e s es', /^.{2,}(?:ant|ien|ain|ais|ois|ee?ment|nal|ial|ral|tal|ique|isé?|ond|u|i|e)$/),
    pattern('if ifs ive ives', MEDIUM),
    pattern('eux euse euses', MEDIUM),
    pattern('ien iens ienne iennes', /^.{2,}$/),
    pattern('teur teurs trice trices', MEDIUM),
  ],
  sets: [
    'oeil yeux',
    'pays',
    'dans',
    'mois',
    'temps',
    'port ports',
    'porte portes',
    'part parts',
    'cours',
    'course courses',
  ],
}

const SPANISH: Inflections = {
  patterns: [
    pattern('- s', /^.{2,}[aeiou]$/),
    pattern('- es', /^.{2,}[lnrdyj]$/),
    pattern('z ces', /^.{1,}[aeiou]$/),
    pattern('o a os as', /^.{2,}(?:ad|id|ic|os|iv|ran|ian|enz)$/),
    pattern('ador adora adores adoras', MEDIUM),
  ],
  sets: ['crisis', 'mas', 'dias dia', 'pais paises', 'mes meses'],
}

const PORTUGUESE: Inflections = {
  patterns: [
    pattern('- s', /^.{2,}[aeiou]$/),
    pattern('- es', /^.{2,}[rnz]$/),
    pattern('ao oes aes aos', /^.{2,}$/),
    pattern('m ns', /^.{2,}[aeiou]$/),
    pattern('al ais', /^.{2,}$/),
    pattern('el eis', /^.{2,}$/),
    pattern('ol ois', /^.{2,}$/),
    pattern('o a os as', /^.{2,}(?:ad|id|ic|os|iv)$/),
  ],
  sets: ['pais paises', 'mais', 'mes meses', 'dois', 'depois'],
}

const ITALIAN: Inflections = {
  patterns: [
    pattern('o i', /^.{2,}[^aeiou]$/),
    pattern('a e', /^.{2,}[^aeiou]$/),
    pattern('e i', /^.{2,}[^aeiou]$/),
    pattern('io i', /^.{2,}[^aeiou]$/),
    pattern('ia ie', /^.{2,}$/),
    pattern('co chi', /^.{2,}$/),
    pattern('ca che', /^.{2,}$/),
    pattern('go ghi', /^.{2,}$/),
    pattern('ga ghe', /^.{2,}$/),
    pattern('o a i e', /^.{2,}(?:at|ut|it|iv|os|an)$/),
    pattern('ista isti iste', MEDIUM),
    pattern('tore tori trice trici', MEDIUM),
  ],
  sets: [
    'uomo uomini',
    'anno anni',
    'ano',
    'caso casi',
    'casa case',
    'porto porti',
    'porta porte',
    'conto conti',
    'anche',
    'come',
  ],
}

const DUTCH: Inflections = {
  patterns: [
    pattern('- s', /^.{2,}(?:e[lnrm]|ie|je|[aiouy])$/),
    pattern('- en', /^(?:.{2,}[^aeiou]|.{2,}ie)$/),
    pattern('- e', /^.{3,}[^aeiou]$/),
    pattern('s zen', /^.{1,}(?:[aeiou]{2}|ij|l|n|r)$/),
    pattern('f ven', /^.{1,}(?:[aeiou]{2}|ij|l|r)$/),
    pattern('heid heden', /^.{2,}$/),
    ...['a', 'e', 'o', 'u'].flatMap((vowel) =>
      ['d', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 't'].map((end) =>
        pattern(`${vowel}${vowel}${end} ${vowel}${end}en`, /^.*[^aeiou]$/),
      ),
    ),
  ],
  doubles: { base: /^[^aeiou]{1,3}[aeiou][bdgklmnprst]$/, single: [''], doubled: ['en'] },
  sets: ['stad steden', 'kind kinderen', 'schip schepen', 'lid leden'],
}

const SWEDISH: Inflections = {
  patterns: [
    pattern('- en ar arna er erna et s ens ets', /^.{2,}[^aeiouy]$/),
    pattern('a an or orna', /^.{2,}[^aeiou]$/),
    pattern('e en ar arna', /^.{3,}[^aeiou]$/),
    pattern('- n t s', /^.{3,}e$/),
  ],
  sets: ['man mannen man', 'barn barnet barnen', 'hus huset husen husens'],
}

const DANISH: Inflections = {
  patterns: [
    pattern('- en et er erne ene e s ens ets', /^.{2,}[^aeiouy]$/),
    pattern('e en er erne ene et ens', /^.{3,}[^aeiou]$/),
  ],
  sets: ['barn barnet born bornene'],
}

const POLISH: Inflections = {
  patterns: [
    pattern('- a u owi em ow om ami ach y i e ie', /^.{3,}[bcdfghjkłlmnprstwz]$/),
    pattern('a y e o ie i om ami ach', /^.{3,}[bcdfghjkłlmnprstwz]$/),
    pattern('o a u em ie om ami ach', /^.{3,}[bcdfghjkłlmnprstwz]$/),
    pattern('ia ii ie io iom iami iach', MEDIUM),
    pattern('y ego emu ym a ej e ych ymi', LONG),
    pattern('i iego iemu im a iej ie ich imi', LONG),
    pattern('osc osci oscia osciom osciami osciach', MEDIUM),
  ],
  sets: [],
}

const RUSSIAN: Inflections = {
  patterns: [
    pattern('- а у ом е ы и ов ам ами ах', /^.{3,}[бвгджзклмнпрстфхцчшщ]$/u),
    pattern('а ы и е у ои ам ами ах', /^.{3,}[бвгджзклмнпрстфхцчшщ]$/u),
    pattern('о а у ом е ам ами ах', /^.{3,}[бвгджзклмнпрстфхцчшщ]$/u),
    pattern('ие ия ию ием ии иям иями иях', MEDIUM),
    pattern('ия ии ию иеи иям иями иях', MEDIUM),
    pattern('ь и ю ью ем еи ям ями ях я', MEDIUM),
    pattern('я и ю е еи ям ями ях', MEDIUM),
    pattern('и я ю ем е ев ям ями ях', /^.{2,}[аео]$/u),
    pattern('ыи ого ому ым ом ая ои ую ое ые ых ыми', MEDIUM),
    pattern('ии его ему им ем яя еи юю ее ие их ими', MEDIUM),
  ],
  sets: [],
}

/** For entries whose language is unknown: the plural that most languages with Latin letters have. */
const ANY_LATIN: Inflections = { patterns: [pattern('- s', /^[a-z]{3,}[^sxzhy\P{L}]$/u)], sets: ['news', 'this'] }

const NORWEGIAN = DANISH

/** By language code. */
export const INFLECTIONS: Readonly<Record<string, Inflections>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
  it: ITALIAN,
  nl: DUTCH,
  sv: SWEDISH,
  da: DANISH,
  no: NORWEGIAN,
  nb: NORWEGIAN,
  nn: NORWEGIAN,
  pl: POLISH,
  ru: RUSSIAN,
  und: ANY_LATIN,
}
