/** French. */
import { each, type VoiceWords } from './lexicon.ts'

export const french: VoiceWords = {
  who: ['le {role} de {town}', 'le {role} de {town}', 'un {role} de {town}'],
  deed: ['{verb} {what}'],
  place: [
    'derrière le moulin',
    'sur la place',
    'au pont du bas',
    'rue des Cordonniers',
    "près de l'étang aux canards",
    'sous le vieil aqueduc',
    'à la halte du chemin de fer',
    'dans le verger',
    'devant la pharmacie',
    'entre les deux boulangeries',
  ],
  day: [
    'lundi matin',
    'mardi',
    'dans la nuit de mercredi',
    'jeudi après le café',
    'un jour de marché',
    'dimanche pendant le sermon',
    "aux premières lueurs de l'aube",
    'peu avant midi',
  ],
  why: [
    'après un long débat',
    "pour la première fois depuis l'inondation",
    'à la surprise de personne',
    'malgré la pluie',
    "à l'aide d'une corde",
    'contre tous les conseils',
    'à la demande générale',
    'encore une fois',
  ],
  thing: [
    'la théière {quality}',
    'le baromètre {quality} de grand-mère',
    'la clé de la chapelle de {town}',
    'un vélo de {town}',
    'une chèvre {quality}',
    'la courge {quality}',
    'une poignée de laiton de {town}',
    'le parapluie {quality}',
    'la lettre de {person}',
  ],
  role: each(`
    barbier berger bijoutier botaniste boucher boulanger brasseur bûcheron cafetier cartographe chapelier
    charpentier chaudronnier chef chimiste clown coiffeur colporteur confiseur cordonnier coutelier couvreur
    cuisinier dentiste docteur drapier fabuliste facteur fauconnier ferronnier fleuriste fondeur forgeron
    fossoyeur fromager funambule garde géologue graveur greffier jardinier jongleur juge libraire luthier
    maçon magicien maire marin maréchal marionnettiste ménestrel menuisier meunier mineur notaire organiste
    parfumeur passeur pâtissier pêcheur peintre philosophe pianiste plombier poète pompier potier pompiste
    rémouleur relieur sabotier sacristain sculpteur sellier serrurier souffleur tailleur tanneur tapissier
    teinturier tisserand tonnelier troubadour vannier verrier vigneron violoniste vitrier
  `),
  verb: each(`
    abandonne achète admire adopte améliore apprivoise assemble assure attend baptise bénit bricole brode
    cache capture chante cherche collectionne compte conduit console copie couronne cultive décline décore
    découvre défend démonte dérobe déterre dessine déplace dompte échange encadre enterre étudie exige
    expose fabrique fête garde gagne grave hisse ignore illustre imite inaugure inspecte installe interdit
    invente lave livre loue mesure montre nettoie numérote offre oublie ouvre peint perd pèse photographie
    plante polit porte présente prête promet protège rachète raconte range refuse regrette remporte répare
    repeint retrouve restaure sauve sculpte soigne surveille taille teste traduit trouve vend vante vernit
    vole
  `),
  what: [
    "l'ancre {quality}",
    'la balançoire {quality}',
    'la barque {quality}',
    'le baromètre {quality}',
    'le berceau {quality}',
    'la bouilloire {quality}',
    'la brouette {quality}',
    'la cage {quality}',
    'le carrosse {quality}',
    'le chandelier {quality}',
    'la charrette {quality}',
    'la cheminée {quality}',
    'la clarinette {quality}',
    'la commode {quality}',
    'la cornemuse {quality}',
    'la diligence {quality}',
    "l'échelle {quality}",
    "l'enclume {quality}",
    'le fauteuil {quality}',
    'la fontaine {quality}',
    'la girouette {quality}',
    'le gramophone {quality}',
    "l'horloge {quality}",
    'la lanterne {quality}',
    'la locomotive {quality}',
    'la lunette {quality}',
    'la machine {quality}',
    'le métier {quality}',
    'le microscope {quality}',
    'la montgolfière {quality}',
    'le moulin {quality}',
    "l'orgue {quality}",
    'la pendule {quality}',
    'le périscope {quality}',
    'le piano {quality}',
    'le puits {quality}',
    'la ruche {quality}',
    'le sablier {quality}',
    'la statue {quality}',
    'le tambour {quality}',
    'la tapisserie {quality}',
    'la théière {quality}',
    'le traîneau {quality}',
    'le trombone {quality}',
    'le tricycle {quality}',
    'le vélo {quality}',
    'le violon {quality}',
  ],
  quality: each(`
    aimable antique authentique bizarre célèbre champêtre comique énorme étrange fantastique farouche
    fragile gothique héroïque historique humide illustre immense insolite invisible jaune légendaire magique
    magnétique maritime mécanique mélancolique minuscule mythique nomade nostalgique pâle pathétique
    pittoresque robuste rouge rustique sauvage sceptique sévère solitaire splendide superbe timide
    tranquille triste unique utile véritable vide
  `),
  object: [],
  kind: [],
  maker: [],
  tool: [],
  person: {
    first: each(`
      Clémence Anselme Honorine Barnabé Léonie Théophile Zélie Achille Berthe Célestin Delphine Eusèbe
      Félicité Gaspard Hortense Isidore Joséphine Marcelin Noémie Prosper
    `),
    last: each(`
      Hautbois Lafougère Pétrin Çaillou Garance Brème Fontanelle Grosbœuf Aubépine Beaumoulin Chardon Duvallon
      Églantier Fourneau Grenadine Lhirondelle Mirabelle Noisette Pâquerette Roitelet Sansonnet Tourterelle
    `),
  },
  town: {
    starts: each(`
      Beau Belle Bois Clair Cour Font Grand Mont Neuf Pierre Riche Roche Val Vieux
    `),
    ends: each(`
      bois brun champ court font fort lieu mare mesnil moulin pont roy val ville
    `),
  },
  sky: ['petite bruine', 'ciel clair', 'nuages bas', "brume sur l'eau", 'bonne brise', 'soleil'],
  air: [],
  ground: [],
  titles: {
    news: ['{Who} {deed}', '{Who} {deed}', '{town} : {who} {deed}', '{Person} : {who} {deed}'],
    diary: ['Éloge : {thing}', '{Thing} et autres petits bonheurs', 'Une semaine, {number} notes : {thing}'],
    podcast: ['Épisode {episode} : {thing}', 'Épisode {episode} : {person} au micro'],
    forum: ['Objet trouvé : {thing}', 'Du bruit à {town} : {thing}', 'Est-ce vrai ? {Who} {deed}'],
    weather: ['{town} à {hour} : {sky}', '{Sky} sur {town}', '{town} : {sky}'],
  },
  opening: {
    news: [
      '{Who} {deed} {place}, devant {number} témoins.',
      "{Person} l'a vu en premier : {who} {deed} {why}.",
      "Personne ne s'y attendait, et pourtant : {who} {deed} {place}.",
    ],
    diary: [
      'Depuis {number} jours, je ne pense qu’à une chose : {thing}.',
      'Tout a commencé {place}, avec une tasse de thé.',
    ],
    podcast: ['{Person} est au micro {place}, pendant {number} minutes.'],
    forum: [
      'Vu pour la dernière fois {place}, {day}.',
      'Je demande seulement parce que {person} me l’a demandé {day}.',
    ],
    weather: ['{Sky} {place}, {degrees} degrés à {hour}.'],
  },
  sentences: [
    '« J’habite ici depuis {number} ans et je n’ai jamais rien vu de tel », dit {person}.',
    '« C’était calme, et puis plus du tout », raconte {person} {place}.',
    'La dernière fois, {number} curieux s’étaient rassemblés {place}.',
    'Une quête a réuni {number} sous {day} ; en cause : {thing}.',
    'Le procès-verbal mentionne {thing}, {number} chaises et un courant d’air {place}.',
    'Pendant ce temps, {who} {deed} {place} ; le lien reste à prouver.',
    'Tout renseignement est à remettre à {person} {place}, de préférence {day}.',
    '{Number} tasses de thé plus tard, l’affaire était réglée {why}.',
    'Le garde champêtre a compté {number} pas et l’a noté deux fois.',
    '{Person} et {person} sont rarement d’accord, sauf ici : {who} {deed} {why}.',
    'Les écoliers ont dessiné la scène en {number} couleurs ; le plus beau dessin est affiché {place}.',
  ],
  comment: [
    'J’y étais, ils étaient {number}.',
    'Quelqu’un a demandé à {person} ?',
    'Cela ne serait pas arrivé {place}.',
  ],
  corrected: '{title} (corrigé)',
  page: {
    newest: 'Les plus récents',
    by: 'par',
    imprint: 'Imprimé à la main ; réclamations à l’étang.',
    login: 'Veuillez vous identifier',
    missing: 'Il n’y a ici qu’un portail',
  },
}
