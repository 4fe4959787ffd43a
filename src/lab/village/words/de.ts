/** German, with umlauts, which incorrect decoders lose. */
import { each, type VoiceWords } from './lexicon.ts'

export const german: VoiceWords = {
  who: ['der {role} von {town}', 'der {role} aus {town}', 'ein {role} aus {town}', 'der {role} in {town}'],
  deed: ['{verb} {what}'],
  place: [
    'hinter der Mühle',
    'auf dem Dorfplatz',
    'an der unteren Brücke',
    'in der Schustergasse',
    'am Ententeich',
    'unter der alten Linde',
    'am Haltepunkt',
    'im Obstgarten',
    'vor der Apotheke',
    'auf dem Galgenhügel',
  ],
  day: [
    'am Montagmorgen',
    'am Dienstag',
    'in der Nacht zum Mittwoch',
    'am Donnerstag nach dem Kaffee',
    'am Markttag',
    'am Sonntag während der Predigt',
    'bei Tagesanbruch',
    'kurz vor zwölf',
  ],
  why: [
    'nach langer Aussprache',
    'zum ersten Mal seit dem Hochwasser',
    'zu niemandes Überraschung',
    'trotz des Regens',
    'mithilfe eines Seils',
    'gegen jeden Rat',
    'auf vielfachen Wunsch',
    'schon wieder',
  ],
  thing: [
    'die {quality}leiter',
    'der {quality}schlüssel',
    'ein Fahrrad aus {town}',
    'die {quality}ziege',
    'der {quality}kürbis',
    'ein Türknauf aus {town}',
    'der {quality}schirm',
    'die {quality}kanne',
    'das Barometer von {person}',
  ],
  role: each(`
    Apotheker Bäcker Ballonfahrer Bierbrauer Bildhauer Böttcher Briefträger Buchbinder Bürgermeister
    Drechsler Drucker Esel Fährmann Falkner Färber Feuerwehrmann Fischer Förster Friseur Fuhrmann Gärtner
    Geologe Gerber Gesangverein Glaser Glockengießer Goldschmied Harfner Hirte Hufschmied Hutmacher Imker
    Instrumentenbauer Jäger Käser Kesselflicker Korbmacher Köhler Küfer Küster Kutscher Landvermesser Lehrer
    Leuchtturmwärter Maler Metzger Müller Nachtwächter Organist Orgelbauer Pfarrer Philosoph Puppenspieler
    Sattler Schachklub Schäfer Scherenschleifer Schlosser Schmied Schneider Schreiner Schuster Seifensieder
    Seiler Spielmann Stationsvorsteher Steinmetz Sterngucker Tischler Töpfer Torwächter Uhrmacher
    Wachtmeister Weber Wirt Zahnarzt Ziegler Zimmermann Zuckerbäcker
  `),
  verb: each(`
    adelt bemalt beneidet beschreibt besitzt bestellt bewacht borgt beklagt bürstet entdeckt enthüllt erbt
    erfindet erklärt ersteigert erwartet findet flickt fotografiert füttert gewinnt hütet ignoriert kauft
    kopiert leiht liebt lobt malt mietet misst nummeriert öffnet ölt ordnet pachtet pflegt poliert prüft
    rettet repariert rühmt sammelt schätzt schenkt schmückt schnitzt segnet sucht stiftet stimmt tauscht
    tauft trägt tröstet übersetzt verbietet verbirgt vergisst vergoldet verkauft verleiht verliert vermisst
    verpfändet verschiebt verschweigt versichert versteigert verteidigt vermietet verspricht wäscht wiegt
    zähmt zeichnet zerlegt
  `),
  what: [
    'die {quality}uhr',
    'die {quality}truhe',
    'die {quality}leiter',
    'die {quality}orgel',
    'die {quality}laterne',
    'die {quality}pumpe',
    'die {quality}geige',
    'den {quality}wagen',
    'den {quality}ofen',
    'den {quality}schrank',
    'den {quality}brunnen',
    'den {quality}kessel',
    'den {quality}schlitten',
    'das {quality}klavier',
    'das {quality}buch',
    'das {quality}boot',
    'das {quality}fenster',
    'das {quality}fernrohr',
    'das {quality}rad',
    'das {quality}glas',
  ],
  quality: each(`
    Alabaster Bernstein Bienen Birnbaum Bronze Distel Dorf Eichen Eisen Elfenbein Elster Feuer Filz Flieder
    Fuchs Garten Gold Heide Herbst Hochzeits Holunder Igel Kinder Kirchen Kirsch Klee Kupfer Leder Linden
    Luft Märchen Marmor Messing Mitternachts Mohn Mühlen Nebel Nuss Palmen Papier Pfauen Porzellan Quitten
    Regen Reise Rosen Samt Schatten Schwanen Silber Sommer Spiegel Stern Stroh Taschen Turm Uhu Wander
    Weiden Winter Wolken Wunder Zauber Ziegen Zinn Zirkus
  `),
  object: [],
  kind: [],
  maker: [],
  tool: [],
  person: {
    first: each(`
      Anneliese Gottfried Hedwig Ottokar Walburga Ignaz Rosalie Xaver Adelheid Balthasar Cäcilie Eberhard
      Friederike Hieronymus Irmgard Korbinian Leopoldine Mechthild Nepomuk Traugott
    `),
    last: each(`
      Kupferschmid Äcker Mühlbauer Grünfink Stöß Überreiter Brömme Löffler Abendroth Birnstiel Drosselbart
      Eichhorn Fingerhut Habermehl Immergrün Käsbohrer Lindwurm Morgenstern Pfannkuch Rübsam Siebenschläfer
      Zwetschge
    `),
  },
  town: {
    starts: each(`
      Alten Birken Erlen Hasel Hirsch Hopfen Kirch Königs Linden Mühl Neuen Ober Reh Rosen Silber Stein Tannen
      Unter Weiden Wolfs
    `),
    ends: each(`
      au bach berg brunn dorf feld hausen heim hofen ried roda stetten tal wald
    `),
  },
  sky: ['leichter Nieselregen', 'klar und still', 'tiefe Wolken', 'Nebel über dem Wasser', 'steife Brise', 'Sonne'],
  air: [],
  ground: [],
  titles: {
    news: ['{Who} {deed}', '{Who} {deed}', '{Person}: {who} {deed}', '{town}: {who} {deed}'],
    diary: ['Vom Glück: {thing}', '{Thing} und andere Kleinigkeiten', 'Eine Woche, {number} Notizen: {thing}'],
    podcast: ['Folge {episode}: {thing}', 'Folge {episode}: {person} zu Gast'],
    forum: ['Wer vermisst etwas? ({thing})', 'Lärm in {town}: {thing}', 'Stimmt es? {Who} {deed}'],
    weather: ['{town} um {hour}: {sky}', '{Sky} über {town}', '{town}: {sky}'],
  },
  opening: {
    news: [
      '{Who} {deed}: Das geschah {day} {place} vor {number} Zeugen.',
      '{Person} hat es zuerst gesehen: {who} {deed}, {why}.',
      'Niemand hatte damit gerechnet, doch es ist wahr: {who} {deed}.',
    ],
    diary: [
      'Seit {number} Tagen geht mir eines nicht aus dem Kopf: {thing}.',
      'Es begann {place}, bei einer Tasse Tee.',
    ],
    podcast: ['{Person} ist {place} zu Gast, {number} Minuten lang.'],
    forum: ['Zuletzt gesehen {place}, {day}.', 'Ich frage nur, weil {person} mich {day} gefragt hat.'],
    weather: ['{Sky} {place}, {degrees} Grad um {hour}.'],
  },
  sentences: [
    '„Ich lebe seit {number} Jahren hier und habe so etwas nie gesehen“, sagt {person}.',
    '„Erst war es still, dann nicht mehr“, erzählt {person} {place}.',
    'Beim letzten Mal kamen {number} Leute {place} zusammen, um es sich anzusehen.',
    '{Day} wurden {number} Groschen gesammelt; {thing} war der Anlass.',
    'Im Protokoll stehen {thing}, {number} Stühle und ein Luftzug {place}.',
    'Unterdessen heißt es {place}: {who} {deed}. Ob das zusammenhängt, weiß niemand.',
    'Hinweise nimmt {person} {place} entgegen, am liebsten {day}.',
    '{Number} Tassen Tee später war die Sache entschieden, {why}.',
    'Der Wachtmeister hat {number} Schritte gezählt und die Zahl zweimal aufgeschrieben.',
    '{Person} und {person} sind sich selten einig, hier aber schon, und zwar {why}: {who} {deed}.',
    'Die Schulkinder malten alles in {number} Farben; das schönste Bild hängt {place}.',
  ],
  comment: ['Ich war dabei, es waren {number}.', 'Hat jemand {person} gefragt?', 'Das wäre {place} nicht passiert.'],
  corrected: '{title} (berichtigt)',
  page: {
    newest: 'Das Neueste zuerst',
    by: 'von',
    imprint: 'Von Hand gedruckt; Beschwerden an den Ententeich.',
    login: 'Bitte melden Sie sich an',
    missing: 'Hier ist nichts als ein Gartentor',
  },
}
