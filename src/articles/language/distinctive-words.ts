/**
 * Detects languages without tables by distinctive letters and frequent words. Used if the detector finds no language
 * with certainty, or one that has a close relative without tables. Words that also occur in a relative are excluded.
 */

/**
 * The language indicated by distinctive letters or words; undefined if there is none, or if two match. `detected`: the
 * detector's confident result; only its relatives are considered then.
 */
export function languageByMarks(text: string, script: string, detected?: string): string | undefined {
  const beginning = text.slice(0, MAX_CHARS).toLowerCase()
  const byLetter = LETTERS.find(
    (entry) =>
      entry.script === script &&
      (detected === undefined || entry.relatives.includes(detected)) &&
      entry.has.test(beginning) &&
      !entry.lacks?.test(beginning),
  )
  if (byLetter) return byLetter.language
  if (detected !== undefined && !HAVE_RELATIVES.has(detected)) return undefined
  const words = beginning.match(/[\p{L}\p{M}][\p{L}\p{M}'’ʻ-]*/gu) ?? []
  const hits = new Map<string, { all: number; distinct: Set<string> }>()
  for (const word of words) {
    for (const language of WORDS.get(word) ?? []) {
      const hit = hits.get(language) ?? { all: 0, distinct: new Set() }
      hit.all++
      hit.distinct.add(word)
      hits.set(language, hit)
    }
  }
  const [first, second] = [...hits].sort(([, a], [, b]) => b.all - a.all)
  if (!first || first[1].distinct.size < MIN_WORDS || first[1].all < MIN_SHARE * words.length) return undefined
  if (second && second[1].all > 0.8 * first[1].all) return undefined
  return detected === undefined || RELATIVES[first[0]]?.includes(detected) ? first[0] : undefined
}

const MAX_CHARS = 2_000
const MIN_WORDS = 2
const MIN_SHARE = 0.1

interface Letters {
  language: string
  script: string
  /** The languages as which the detector confidently misdetects it. */
  relatives: readonly string[]
  has: RegExp
  lacks?: RegExp
}

const ARABIC = ['ar', 'fa', 'ur', 'ku']

/** Most specific first. */
const LETTERS: readonly Letters[] = [
  { language: 'tg', script: 'Cyrl', has: /[ӣӯҷ]/, relatives: [] },
  { language: 'ba', script: 'Cyrl', has: /[ҙҫҡ]/, lacks: /[ӑӗ]/, relatives: [] },
  { language: 'cv', script: 'Cyrl', has: /[ӑӗӳ]/, relatives: [] },
  { language: 'kk', script: 'Cyrl', has: /[ұ]|[қғ].*[әіңө]|[әіңө].*[қғ]/s, relatives: [] },
  { language: 'uz', script: 'Cyrl', has: /[ўқғҳ].*[қғҳ]/s, lacks: /[әөүі]/, relatives: [] },
  { language: 'tt', script: 'Cyrl', has: /[җ]|ә.*[үөң]|[үөң].*ә/s, lacks: /[қғ]/, relatives: [] },
  { language: 'ky', script: 'Cyrl', has: /ң.*[өү]|[өү].*ң/s, lacks: /[әқғі]/, relatives: [] },
  { language: 'mn', script: 'Cyrl', has: /[өү].*[өү]/s, lacks: /[ңәқғі]/, relatives: [] },
  { language: 'mk', script: 'Cyrl', has: /[ѓќѕ]/, lacks: /[ђћъы]/, relatives: ['bg', 'sr'] },
  { language: 'ug', script: 'Arab', has: /[ۇۆۈ].*[ېڭۋ]|[ېڭۋ].*[ۇۆۈ]/s, relatives: ARABIC },
  { language: 'sd', script: 'Arab', has: /[ڄڃڏٺٿڳڱڻڪٽڀڊڍ]/, relatives: ARABIC },
  { language: 'ps', script: 'Arab', has: /[ټډړښځڅۍګڼږ]/, lacks: /[ٹڈڑ]/, relatives: ARABIC },
  // Sentences in these languages lack words that Hindi and Marathi require.
  {
    language: 'ne',
    script: 'Deva',
    has: /(?:ले|मा|छ|छन्|हरू|नयाँ)(?=[\s,।]|$)/,
    lacks: /(?:^|\s)(?:है|हैं|में|की|के|का|ने|और|से|पर)(?=[\s,।]|$)|आहे|आणि|च्या/,
    relatives: ['hi', 'mr'],
  },
  { language: 'ig', script: 'Latn', has: /[ịụọ].*[ịụ]/s, lacks: /[ăđơưẹṣ]/, relatives: [] },
  { language: 'as', script: 'Beng', has: /[ৰৱ]/, relatives: ['bn'] },
  { language: 'yi', script: 'Hebr', has: /[ײױװ]|[אַאָ]{2}|אָ/, relatives: ['he'] },
  { language: 'ti', script: 'Ethi', has: /ኣብ|ናይ|እዩ|ከምዝ/, relatives: ['am'] },
]

/** Languages that the detector confidently takes for a relative, and that only words distinguish from it. */
const RELATIVES: Readonly<Record<string, readonly string[]>> = {
  af: ['nl'],
  fy: ['nl'],
  gl: ['pt'],
  jv: ['ms'],
  su: ['ms'],
  ceb: ['tl'],
  ilo: ['tl'],
}
const HAVE_RELATIVES: ReadonlySet<string> = new Set(Object.values(RELATIVES).flat())

const WORDS = new Map<string, string[]>()
for (const [language, words] of Object.entries({
  af: "'n nie vir hulle oor deur wees gesê hy sê ons kry nog volgende",
  br: 'ar er eo zo ha gant evit eus war gwelet bet ouzh met',
  ceb: 'nga ug usa alang kay niini gikan og wala nila sila bag-ong sunod',
  cy: "y yr yn mae ac a'r i'r o'r gan wedi bydd fod gyda roedd oedd ei eu newydd hefyd",
  eo: 'kaj estas ĉi tiu kiu ĝi pri ankaŭ oni estis kun sed por la ili',
  fo: 'tað ikki sum fyri av eru hevur eisini verður hetta vóru',
  fy: 'fan it foar mei syn ek oer wie waard ha nei hat dy',
  ga: 'an na agus ag tá bhí sé sí atá don leis seo chun ar go ina beidh faoi',
  gd: "an agus tha bha chan air aig a' nan bho gun airson",
  gl: 'unha polo pola non máis tamén dunha nunha coa ata vindeira xunta',
  gn: 'upe gua ndive haguã oĩ avei tetã',
  ha: 'da a kuma cikin wannan yi don wanda bayan sun mai za ta na ce an ya kan',
  ht: 'nan pou yo ak gen ap yon sou pral te ki mwen pa li la an',
  ig: 'na nke ndị bụ ga ya ha maka site onye ihe ọ dị n’ mana ahụ',
  ilo: 'ti iti ken dagiti kadagiti met ket daytoy nga a',
  jv: 'ing lan sing kanggo saka iki ora uga wis karo dening ana marang babagan bakal',
  la: 'et est cum ut sed quod qui ex sunt quae autem esse non per ad de',
  lb: 'ass vun fir net déi eng hunn huet sinn och dass iwwer op gëtt',
  lg: 'mu ku era nti nga okuva abantu bwe omu oba',
  ln: 'na ya ba mpe ko bato oyo te mpo nde',
  mg: 'ny sy amin’ny ho dia izay fa ao misy tsy eo tamin’ny nandritra momba',
  mk: 'ќе ги дека оваа беше бидат нивните',
  mt: "li ta' tal-belt għal minn biex kien dwar hija dan din ma' u se kienet il-ġimgħa tal-",
  ne: 'छ छन् र को लागि गर्न भने गरेको पनि भएको हुने यो हुन् उनले गर्ने',
  nso: 'le ka go ya ba tša gore mo ke ga',
  ny: 'ndi ku kuti ya wa pa za anthu koma ndipo kwa mu pamene',
  om: 'kan fi akka keessa irraa haa jira ture waan ni yeroo hin kana isaa',
  qu: 'chay huk manam hina kaq runakuna llaqta',
  rw: 'mu ku na kandi ko ari cyane muri iyi uyu abantu kuri bya cyumweru umwaka igihugu leta avuga nyuma abaturage',
  sn: 'uye kuti mu ku ne pa vanhu kana vari asi iyo kubva',
  so: 'ee oo iyo ka ku ayaa uu waxaa waa ay soo lagu leh si u badan in',
  st: 'le ka ho ea ba tsa hore mme empa ha ke',
  su: 'nu jeung anu ti ieu teu geus pikeun ku aya oge kana',
  sw: 'na ya wa kwa katika la za ni kuwa hii huo hiyo ambao pia baada kuhusu watu kama hadi yake wake wiki',
  tk: 'we bilen üçin bu bir boýunça bolan hem barada diýip indiki täze',
  tn: 'le ka go ya ba tsa gore mo fa ke mme',
  tpi: 'long bilong dispela tasol olsem',
  uz: "va bilan uchun bu bir boʻyicha bo'yicha boʻlgan bo'lgan ham esa deb qilish yangi kelasi edi o'z",
  wo: 'dafa ñu nga yi ginaaw ndax waaye',
  xh: 'ukuba kwaye kunye kodwa xa oko abantu uthe ukuze liza kwiveki entsha ezayo',
  zu: 'ukuthi futhi kanye kodwa ngoba uma lapho abantu wathi kusho elisha ngesonto elizayo',
})) {
  for (const word of words.split(' ')) WORDS.set(word, [...(WORDS.get(word) ?? []), language])
}
