/**
 * Letter frequencies for encoding detection: the languages each legacy encoding is used for, and their most frequent letters. Letters
 * are in lower case and in order of frequency; only the order matters.
 */

export interface EncodingCandidate {
  encoding: string
  /** `latin`: accented letters among ASCII letters. `own`: words without ASCII letters. */
  script: 'latin' | 'own'
  /** Characters take two bytes or more. */
  isWide?: true
  /** Frequent letters, most frequent first. */
  letters: string
  /** Letters of the script that are not in the list. */
  others: RegExp
}

const RUSSIAN = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё'
const SIMPLIFIED =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方' +
  '多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情' +
  '明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给' +
  '世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太' +
  '量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基书非则听白却界达光放强即像难且权思王象完' +
  '设式色路记南品住告类求据程北边张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运网站博客版'
const TRADITIONAL =
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方' +
  '多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情' +
  '明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給' +
  '世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太' +
  '量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基書非則聽白卻界達光放強即像難且權思王象完' +
  '設式色路記南品住告類求據程北邊張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運網站誌灣台'
const JAPANESE =
  'のいたるにはをしでとがなてりれかっこさまらもくうすんだよきけつあみせどめそおやちろわじえばぐずべぎげごぶびむねぼざひへほふょゃゅ' +
  'ンスルトーイリアクラシレジタロフグムドマテコブサカニデバツビメィェッュャョ' +
  '日本人大年会国中出事者上分生行十二一三月時間新見前後自社地学手政部合場立員長業記今東京的同方対発言戦'
const KOREAN =
  '이다는을의에가고하를로한은지도사기어서리나자인대정시일아해여부스그보수만제주전들성라것과원장동국으있상년조구관용경공신무거소문화' +
  '방연안내오면위요마진선개실미업학생회중게각간적니없었했습글트드음데말때모우까려'

const HAN = /[\u4e00-\u9fff]/
const KANA_AND_HAN = /[\u3040-\u30ff\u4e00-\u9fff]/
const HANGUL = /[\uac00-\ud7a3]/
const CYRILLIC = /[\u0400-\u045f]/
const GREEK = /[\u0370-\u03ff]/
const LATIN = /[\u00c0-\u024f]/

export const CANDIDATES: readonly EncodingCandidate[] = [
  { encoding: 'shift_jis', script: 'own', isWide: true, letters: JAPANESE, others: KANA_AND_HAN },
  { encoding: 'euc-jp', script: 'own', isWide: true, letters: JAPANESE, others: KANA_AND_HAN },
  { encoding: 'gb18030', script: 'own', isWide: true, letters: SIMPLIFIED, others: HAN },
  { encoding: 'big5', script: 'own', isWide: true, letters: TRADITIONAL, others: HAN },
  { encoding: 'euc-kr', script: 'own', isWide: true, letters: KOREAN, others: HANGUL },
  { encoding: 'windows-1251', script: 'own', letters: `${RUSSIAN}іїєґђјљњћџў`, others: CYRILLIC },
  { encoding: 'koi8-r', script: 'own', letters: RUSSIAN, others: CYRILLIC },
  { encoding: 'koi8-u', script: 'own', letters: `${RUSSIAN}іїєґ`, others: CYRILLIC },
  { encoding: 'iso-8859-5', script: 'own', letters: RUSSIAN, others: CYRILLIC },
  { encoding: 'ibm866', script: 'own', letters: RUSSIAN, others: CYRILLIC },
  { encoding: 'windows-1253', script: 'own', letters: 'αοιετσνηυρπκμλςωδγχθάίόέφήύβξζώψ', others: GREEK },
  { encoding: 'iso-8859-7', script: 'own', letters: 'αοιετσνηυρπκμλςωδγχθάίόέφήύβξζώψ', others: GREEK },
  { encoding: 'windows-1255', script: 'own', letters: 'יוהלאתרבמשנדכםעקפחגסצזןטךץף', others: /[\u0590-\u05ff]/ },
  {
    encoding: 'windows-1256',
    script: 'own',
    letters: 'اليمنورتبةدعفسكهقحجأشىصخطزضإذثءئغظؤآ',
    others: /[\u0600-\u06ff]/,
  },
  { encoding: 'windows-874', script: 'own', letters: 'านรอกเงมยลวดทส่ตะปบคหแจพช้ขใไโผีิัุู็์ำถซธณ', others: /[\u0e00-\u0e5b]/ },
  ...latin(
    'windows-1252',
    'éàèêçùôîâûëïœ',
    'üäöß',
    'óíáéñúü',
    'ãçáéíóõêâúà',
    'èàùòìé',
    'äöåéø',
    'æøåéö',
    'éëïöèü',
    'íáðþéóúöæ',
  ),
  ...latin('windows-1250', 'ąęłóśćżńź', 'íáéěščřžýůúťďňó', 'áíéčšžýúľťôďňäóĺŕ', 'áéóöőüíűú', 'ăâîşţ', 'čšžćđ'),
  ...latin('iso-8859-2', 'ąęłóśćżńź', 'íáéěščřžýůúťďňó', 'áíéčšžýúľťôďňäóĺŕ', 'áéóöőüíűú', 'ăâîşţ', 'čšžćđ'),
  ...latin('windows-1254', 'ışüğçöâîû'),
  ...latin('windows-1257', 'ėšųžįčūąę', 'āīšēūžčņļģķ', 'äõüöšž'),
]

/** One candidate per language. */
function latin(encoding: string, ...languages: string[]): EncodingCandidate[] {
  return languages.map((letters) => ({ encoding, script: 'latin', letters, others: LATIN }))
}
