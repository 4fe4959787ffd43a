/**
 * Classifies words: FILLER that every text has, CONTENT that says what it is about, a NUMBER in digits, or a SERIAL word: a
 * month, a weekday, an ordinal or a spelled-out number. Serial headlines ("The week in pictures: 3 May") differ only in the
 * last two kinds, which is why copies must agree in them.
 *
 * The tables are fixed: a word's kind is part of stored signatures, so a change here needs a new version in pack.ts.
 */
import { fold, UNSPACED_SCRIPTS, wordsOf } from './words.ts'

export const FILLER = 0
export const CONTENT = 1
export const NUMBER = 2
export const SERIAL = 3

/** The kind of a word from words.ts. */
export function kindOfWord(word: string): number {
  const first = word.charCodeAt(0)
  if (first < 0x80 ? first >= 48 && first <= 57 : DIGIT_FIRST.test(word)) return NUMBER
  if (first >= 0x0e00 && word.length <= 2 && UNSPACED_SCRIPTS.test(word))
    return HAN_NUMBER.test(word) ? NUMBER : CONTENT
  if (SERIAL_WORDS.has(word)) return SERIAL
  return word.length <= 3 || FILLERS.has(word) ? FILLER : CONTENT
}

/** The different words of a text that say what it is about, folded, in their order. */
export function contentWords(text: string, limit: number): string[] {
  const words = wordsOf(text, MAX_WORDS_READ).filter((word) => kindOfWord(word) === CONTENT)
  return [...new Set(words)].slice(0, limit)
}

const MAX_WORDS_READ = 100

const DIGIT_FIRST = /^\p{Nd}/u

/** "第五", "十四", "三月": a Han numeral next to another, after the ordinal prefix, or before what it counts. */
const HAN_NUMBER = /^(?:第?[〇一二三四五六七八九十百千万]+|[一二三四五六七八九十][月日号期集届季章回轮])$/u

/** English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Turkish. */
const SERIAL_WORDS = table(`
  one two three four five six seven eight nine ten eleven twelve first second third fourth fifth sixth seventh
  eighth ninth tenth ii iii iv vi vii viii ix xi xii january february march april may june july august september
  october november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday
  friday saturday sunday mon tue wed thu fri sat sun zwei drei vier fünf sechs sieben neun zehn erste zweite dritte
  vierte fünfte januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag
  samstag sonntag deux trois quatre cinq huit neuf dix première deuxième troisième quatrième janvier février mars
  avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche
  dos tres cuatro cinco seis siete ocho nueve diez primero primera segundo segunda tercero tercera cuarto enero
  febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves
  viernes sábado domingo due tre quattro cinque sette otto nove dieci primo secondo terzo quarto gennaio febbraio
  aprile maggio giugno luglio settembre ottobre dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica
  dois quatro sete oito dez terceiro janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
  terça quarta quinta sexta twee vijf zes zeven negen tien januari februari maart mei augustus maandag dinsdag
  woensdag donderdag vrijdag zaterdag zondag dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć stycznia
  lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia poniedziałek wtorek
  środa czwartek piątek sobota niedziela два три четыре пять шесть семь восемь девять десять первый второй третий
  января февраля марта апреля мая июня июля августа сентября октября ноября декабря понедельник вторник среда
  четверг пятница суббота воскресенье iki üç dört beş altı yedi sekiz dokuz birinci ikinci üçüncü ocak şubat mart
  nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık pazartesi salı çarşamba perşembe cuma cumartesi pazar`)

/** Longer filler words; shorter ones are recognized by their length. */
const FILLERS = table(`
  about after also been before being from have into more most other over said says some than that their them then
  there these they this those under until very were what when where which while will with would your aber alle auch
  dass diese dieser eine einem einen einer haben hatte ihre kann mehr nach nicht noch oder sein sich sind über unter
  wenn werden wird wurde zwischen avec cette comme dans depuis elle entre était être fait leur leurs mais même nous
  pour plus sans sont sous tous tout vous como cuando desde donde esta este esto estos haber hacia hasta para pero
  porque puede según sido sobre también tiene todo alla anche come dalla degli delle dopo essere hanno loro nella
  nelle ogni perché prima quando quella questo sono stato ainda depois foram isso mais muito pela pelo seus também
  bardzo jest jego która które który oraz przed przez przy tego tylko został было были быть если есть который
  которые меня может него после сейчас того тоже только чтобы этого daha gibi için kadar olan olarak oldu sonra`)

function table(words: string): Set<string> {
  return new Set(fold(words).trim().split(/\s+/))
}
