/** Month names in the languages of feeds and pages. */

export interface Month {
  /** 1 to 12. */
  number: number
  /** Its year is in the Persian calendar. */
  persian: boolean
}

/** The month a word names, with or without inflection: "Sept.", "ноября", "kesäkuuta". */
export function monthOf(word: string): Month | undefined {
  const lower = MONTHS.has(word) ? word : plain(word)
  const named = MONTHS.get(lower) ?? WHOLE.get(lower)
  if (named || lower.length < 4) return named
  for (let length = lower.length - 1; length >= Math.max(3, lower.length - MAX_ENDING_LENGTH); length--) {
    const found = MONTHS.get(lower.slice(0, length))
    if (found) return found
  }
  return undefined
}

const MAX_ENDING_LENGTH = 8

/** Like `monthOf`, but without inflection: for months without a day next to them, where "Marketing" must not match March. */
export function monthNamed(word: string): Month | undefined {
  const lower = plain(word)
  return MONTHS.get(lower) ?? WHOLE.get(lower)
}

const LISTS = [
  'jan feb mar apr may jun jul aug sep oct nov dec',
  'january february march april may june july august september october november december',
  // German, Dutch, Danish, Norwegian, Swedish, Icelandic, Finnish, Estonian
  'jän feb mär apr mai jun jul aug sep okt nov dez',
  'jan feb mrt apr mei jun jul aug sep okt nov des',
  'jan feb maart apr maj jún júl ágú sep okt nóv des',
  'tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu',
  'jaan veebr märts aprill mai juuni juuli aug sept okt nov dets',
  // French, Spanish, Catalan, Portuguese, Italian, Romanian
  'janv févr mars avr mai juin juil août sept oct nov déc',
  'ene feb mar abr may jun jul ago sept oct nov dic',
  'gen febr març abr maig juny jul ag set oct nov des',
  'jan fev mar abr mai jun jul ago set out nov dez',
  'gen feb mar apr mag giu lug ago set ott nov dic',
  'ian feb mar apr mai iun iul aug sep oct noi dec',
  // Polish, Czech, Slovak, Croatian, Slovene, Serbian, Hungarian, Lithuanian, Latvian, Albanian, Turkish, Azeri
  'sty lut mar kwi maj cze lip sie wrz paździer lis gru',
  'led úno bře dub kvě červn červenc srp zář říj listopad pros',
  'jan feb mar apr máj jún júl aug sep okt nov dec',
  'siječ velja ožuj trav svib lipn srpnj kolov ruj listopad stud pros',
  'jan feb mar apr maj jun jul avg sep okt nov dec',
  'jan febr márc ápr máj jún júl aug szept okt nov dec',
  'saus vasar kov baland geguž birž liep rugpj rugs spal lapkr gruod',
  'janv febr mart apr maij jūn jūl aug sept okt nov dec',
  'jan shk mar pri maj qer kor gus sht tet nën dhj',
  'oca şub mar nis may haz tem ağu eyl eki kas ara',
  'yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr',
  // Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Greek
  'янв фев мар апр мая июн июл авг сен окт ноя дек',
  'янв фев март апр май июнь июль авг сент окт нояб дек',
  'січ лют бер квіт трав черв лип серп верес жовт листоп груд',
  'студз лют сак крас трав чэрв ліп жні верас кастр ліст снеж',
  'яну фев март апр май юни юли авг сеп окт ное дек',
  'јан феб март апр мај јун јул авг сеп окт нов дец',
  'ιαν φεβ μαρ απρ μαι ιουν ιουλ αυγ σεπ οκτ νοε δεκ',
  // Hebrew, Arabic of Egypt, of the Levant and of the Maghreb, Urdu, Hindi, Bengali, Nepali's Gregorian, Tamil
  'ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר',
  'יאנואר פברואר מרס אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר',
  'يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر',
  'كانون شباط اذار نيسان ايار حزيران تموز اب ايلول تشرين نوفمبر ديسمبر',
  'جانفي فيفري مارس افريل ماي جوان جويلية اوت سبتمبر اكتوبر نوفمبر ديسمبر',
  'جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر',
  'जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर',
  'জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর',
  'ஜனவரி பிப்ரவரி மார்ச் ஏப்ரல் மே ஜூன் ஜூலை ஆகஸ்ட் செப்டம்பர் அக்டோபர் நவம்பர் டிசம்பர்',
  // Thai, Indonesian, Malay, Swahili, Tagalog, Basque
  'มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม',
  'มค กพ มีค เมย พค มิย กค สค กย ตค พย ธค',
  'jan feb maret apr mei juni juli agu sep okt nov des',
  'jan feb mac apr mei jun jul ogos sep okt nov dis',
  'ene peb mar abr may hun hul ago set okt nob dis',
  'urt ots mar api mai eka uzt abu ira urr aza abe',
]

const PERSIAN = 'فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند'

/** Names that must match the whole word: "pro" begins too many others, "maandag" is a Monday, and "červenec" is not "červen". */
const WHOLE_WORDS = [
  // Dutch, French with its last letter lost, Polish, Czech, Croatian, Ukrainian, Indonesian
  'jan feb maa apr mei jun jul aug sep okt nov dec',
  'janv févr mars avr mai juin juil aoû sept oct nov déc',
  'sty lut mar kwi maj cze lip sie wrz paź lis gru',
  'led úno bře dub kvě čvn čvc srp zář říj list pro',
  'leden únor březen duben květen červen červenec srpen září říjen listopad prosinec',
  'sij velj ožu tra svi lip srp kol ruj lis stu pro',
  'січ лют бер кві тра чер лип сер вер жов лис гру',
  'січ лют бер квіт трав черв лип серп верес жовт лист груд',
  'jan feb maret apr mei juni juli agu sep okt nop des',
  // Full names, for exact matching
  'januar februar märz april mai juni juli august september oktober november dezember',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'januari februari mars april maj juni juli augusti september oktober november december',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień',
  'ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık',
  'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь',
  'січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень',
  'ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος νοέμβριος δεκέμβριος',
  'ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου',
]

const MONTHS = new Map<string, Month>()
const WHOLE = new Map<string, Month>()
for (const list of LISTS) learn(list, MONTHS)
for (const list of WHOLE_WORDS) learn(list, WHOLE)
learn(PERSIAN, MONTHS, true)

function learn(list: string, months: Map<string, Month>, persian = false): void {
  for (const [index, name] of list.split(' ').entries()) {
    const spelling = plain(name)
    // The first list wins.
    if (!months.has(spelling)) months.set(spelling, { number: index + 1, persian })
  }
}

/** Lower case, without accents, vowel points and dots; Arabic letters in their base form. */
function plain(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f.]/g, '')
    .normalize('NFC')
    .replace(/[أإآ]/g, 'ا')
}
