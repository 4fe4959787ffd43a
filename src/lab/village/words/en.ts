/** English. */
import { each, type VoiceWords } from './lexicon.ts'

export const english: VoiceWords = {
  who: ['the {role} of {town}', 'the {role} of {town}', 'one {role} from {town}', 'the {town} {role}'],
  deed: ['{verb} {what}'],
  place: [
    'behind {town} mill',
    'on {town} green',
    'at the lower bridge',
    'in Cobbler Street',
    'by the duck pond',
    'under the old aqueduct',
    'at {town} halt',
    'in the orchard',
    'near the toll house',
    'on Gallows Hill',
    'in front of the chemist',
    'along the towpath',
    'between the two bakeries',
    'at the far end of the harbour',
    'outside {town} chapel',
    'beneath the viaduct',
    'at the cattle market',
    'in the reading room',
    'beside the quarry',
    'on the {town} road',
  ],
  day: [
    'on Monday morning',
    'on Tuesday',
    'in the small hours of Wednesday',
    'on Thursday after tea',
    'on Friday',
    'on market day',
    'on Sunday during the sermon',
    'at first light',
    'shortly before noon',
    'just as the shops closed',
  ],
  why: [
    'after a long debate',
    'for the first time since the flood',
    'to the surprise of nobody',
    'despite the rain',
    'with the help of a rope',
    'and nobody minds',
    'in the middle of rehearsals',
    'against all advice',
    'thanks to a pony',
    'while the constable looks on',
    'by popular demand',
    'once again',
  ],
  thing: [
    '{what}',
    '{what}',
    '{what}',
    'one {quality} {object}',
    'the {object} of {person}',
    'some {object} from {town}',
    'the {town} {object}',
  ],
  role: ['{kind}{maker}'],
  verb: each(`
    abandons adopts adores alphabetises assembles auctions awaits bans befriends borrows breaks burgles
    buries buys captures carves chases christens cleans climbs collects conceals copies crowns decorates
    defends demands denies describes discovers dismantles donates doubts dreads embroiders envies exchanges
    exhibits explains fears feeds finds finishes flattens follows forgets gilds guards hides hires
    identifies ignores impounds improves inherits inspects insures invents irons juggles launches leases
    loses mends mislays misses mortgages moves names numbers oils opens orders outwits overhauls paints
    patents pawns photographs polishes praises promises protects publishes questions raises refuses rents
    repairs rescues restores returns rides salvages sells shelters shrinks sketches smuggles sponsors stops
    straightens studies swallows swaps tames teaches thanks toasts translates trusts tunes unearths unveils
    upholsters waters weighs wins
  `),
  what: ['the {quality} {object}'],
  quality: each(`
    amber battered borrowed brittle copper crooked curious cursed dusty eastern electric 
    enormous fabled faded folding fragrant frozen gilded glowing haunted hollow humble inflatable
    invisible ivory jagged lacquered leaking lopsided luminous magnetic mechanical
    medieval midnight miniature mossy musical nameless noisy oaken orphaned patient perforated
    pickled portable priceless proverbial purple quarrelsome quilted ragged rattling reluctant
    restless revolving rusty scarlet sacred shaggy silver sleepy smoky speckled spotless striped stubborn
    sugared talking tidal toothless travelling unfinished velvet walnut waterproof weightless whispering
    wooden woollen yellow
  `),
  object: ['{kind}{tool}'],
  kind: each(`
    apple bell bird bread cider clock cloud coral cork corn dew dream duck egg elm fern fig fire flute fog
    frost ghost glass gold hay hemp honey horn ink iron ivy jam lace lamp lark leaf lemon lily mint moon
    moss moth night nut oak oat onion opal pearl plum poppy rain reed rice rope rose rye sage salt sand
    shell silk smoke snow soap star steam straw sugar sun tea tin tulip wax wind wool
  `),
  maker: each(`
    binder blower boiler breeder broker carrier catcher counter diviner drawer fitter gilder grinder grower
    hawker keeper maker mender merchant packer painter peddler picker polisher presser roaster seller smith
    spinner stuffer tamer taster trader twister warden watcher weigher whisperer
  `),
  tool: each(`
    ark arch barge barn barrel basket bath bell bench boat book bottle bowl box bridge broom bucket cage
    cake cart case cellar chair chest churn clock coach coat comb cradle crane crown cup desk drum engine
    fan flag garden gate glove goat goose gong hall harp hat hive house jar kennel kettle kite ladder lamp
    loom mask mill mirror net nest organ oven paddle pipe plough pole pony pot press pump purse rack raft
    rake reel ring saddle sail scale screen shed shoe shovel sledge spoon stage stall statue stool stove
    swing table tank tent tower tray trumpet trunk tub urn van vase vat vault wagon wall well wheel whistle
  `),
  person: {
    first: each(`
      Mabel Edwin Hester Tobias Winifred Barnaby Clementine Agnes Silas Dorothea Percival Albert Beatrice
      Cuthbert Edith Frederick Gwendolen Horace Isolde Jasper Kitty Leopold Myrtle Nathaniel Olive Phineas
      Rosamund Septimus Tabitha Violet
    `),
    last: each(`
      Thorne Quill Applegarth Fenn Oakes Rudd Marsh Penhallow Wetherby Crumb Pike Hobbs Attwater Bramble Cobb
      Dewhurst Eastlake Frostick Gathercole Haddock Inkpen Jolliffe Kettle Lovibond Merriman Nightingale
      Outram Peppercorn Quartermain Rainbird Sparrow Tipping Underhay Venables Whistler Yarrow
    `),
  },
  town: {
    starts: each(`
      Alder Ash Birch Bracken Cold Dun Elder Fair Fern Glen Harrow Hazel Heron Ivy Kest Lark Linden Marl Moss
      Nettle Otter Oxen Pen Quarr Raven Red Stan Stow Teasel Thorn Under Wether Whin Wych Yar Zeal
    `),
    ends: each(`
      barrow bourne bridge by combe cote croft dean ford gate ham holt hurst ley mere minster stead thorpe
      wick wold
    `),
  },
  sky: ['{air} and {ground}', '{air}, {ground}', '{air} and {air}', '{ground}'],
  air: each(`
    breezy bright calm chilly clear close cloudless dank drizzly foggy fresh frosty gusty hazy icy mild misty muggy overcast
    pouring sleety squally still stormy sultry sunny thundery warm
  `),
  ground: each(`
    dew dust floods gossamer hailstones hoarfrost icicles mirages mud puddles rainbows sleet slush snowdrifts snowflakes
    thunderheads toadstools whirlwinds
  `),
  titles: {
    news: [
      '{Who} {deed}',
      '{Who} {deed}',
      '{Who} {deed}, says {person}',
      '{Person}: why {who} {deed}',
      '{Who} {deed} near {what}',
    ],
    diary: [
      'On {thing}',
      'What {thing} taught me',
      'A week with {thing}',
      '{Thing}, and other small joys',
      'Against {thing}',
      'In praise of {thing}',
    ],
    podcast: [
      'Episode {episode}: {thing}',
      'Episode {episode}: {person} on {thing}',
      'Episode {episode}: {who} {deed}',
    ],
    forum: [
      '{Thing}, which {who} {verb}?',
      'Re: {thing}, which {who} {verb}?',
      '{Who} {verb} {thing}?',
      '{Thing} and {what}: ask {person} of {town}',
    ],
    weather: ['{town}: {sky}', '{Sky} over {town}', '{town} at {hour}: {sky}'],
  },
  opening: {
    news: [
      '{Who} {deed} {why}, {place} and in front of {number} witnesses.',
      'It happened {day}: {who} {deed} {place}.',
      '{Person} saw it first: {who} {deed} {place}, {day}.',
      'Nobody expected it, but {who} {deed} {why}.',
    ],
    diary: [
      'I have been thinking about {thing} for {number} days now.',
      'It began {place}, with {thing} and a cup of tea.',
      'Nobody warns you about {thing}, least of all {person}.',
    ],
    podcast: [
      '{Person} joins us {place} to talk about {thing} for {number} minutes.',
      'This week: {thing}, a letter from {person}, and the usual noises {place}.',
    ],
    forum: [
      'Last seen near {town}, next to {what}; ask {person}.',
      '{Person} asked me {day}, and I promised {what} in return.',
      'My cousin in {town} {verb} one every spring.',
      'Please answer before {who} {deed}.',
      'It belonged to {person}, who {verb} {what}.',
      'We keep ours between {what} and their {quality} {object}.',
      'No reward, but {number} eggs and {what}.',
      'In {town} they would call it the {quality} {object}.',
    ],
    weather: ['{Sky} {place}, {degrees} degrees at {hour}; the cock points to the bakery.'],
  },
  sentences: [
    '“I have lived here for {number} years and never seen the like,” says {person}.',
    '“It was quiet, then it was not,” {person} told us {place}.',
    'The last time anything of the kind was reported, {number} people came to look {place}.',
    '{Person} and {person} agree on little, except that nobody ever {deed} without a reason.',
    'A collection of {number} shillings was taken {day} for {thing}.',
    'According to {person}, {who} {deed} every spring, only never {place}.',
    'The minutes of the meeting mention {thing}, {number} chairs and a draught {place}.',
    '{Day}, {person} offered {thing} to whoever can explain it.',
    'Meanwhile {who} {deed} {place}, which may or may not be connected.',
    'Anyone who knows more about {thing} is asked to leave a note with {person} {place}.',
    '{Number} cups of tea later the matter was settled {why}.',
    'A second inspection, {day}, found {thing} exactly where {person} had said it would be.',
    'The constable measured the distance at {number} paces and wrote it down twice.',
    'There will be soup {place} {day}; bring {thing}.',
    'Children from the school drew the scene in {number} colours, and {person} hung the best of them {place}.',
    'Experts for {thing} are rare in these parts, so {person} was sent for {day}.',
  ],
  comment: [
    'I was there, and it was {number}, not more.',
    '{Person} said the same {day}.',
    'Has anybody asked {person}?',
    'This would not have happened {place}.',
    'More about {thing}, please.',
  ],
  corrected: '{title} (corrected)',
  page: {
    newest: 'Newest first',
    by: 'by',
    imprint: 'Printed by hand; complaints to the duck pond.',
    login: 'Please sign in to read on',
    missing: 'There is nothing here but a gate',
  },
}
