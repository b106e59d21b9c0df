/** Words that say nothing about a text, from four letters on, in English, German, French and Spanish. */
const STOP_WORDS = new Set(
  `about after again against also among another because been before being below between both could does done down during
  each either else every from further have having here into itself made make many more most much must neither never none
  only other over same shall should since some such than that their them then there these they this those through under
  unless until upon very were what when where whether which while whom whose will with within without would your
  aber alle allem allen aller alles also andere anderen auch außer beide beiden beim bereits bevor bleibt dabei damit dann
  daran darauf darf dass davon dazu dem denn deren dessen diese diesem diesen dieser dieses doch dort durch eben eine einem
  einen einer eines einmal etwas gegen gibt haben hatte hier hinter ihre ihrem ihren ihrer immer jede jedem jeden jeder
  jedes jemand jene kann kein keine keinem keinen keiner können mehr muss nach nicht nichts noch oder ohne schon sein seine
  seinem seinen seiner selben selbst sich sind sofern sonst soweit sowie über unter viel vier wenn werden wird wurde wurden
  zwischen zwei drei
  afin ainsi alors après aucun aucune aussi autre autres avant avec avoir cela celle celui ceux chacun chaque cette comme
  contre dans depuis donc dont elle elles encore entre être eux fait faire leur leurs lorsque lors mais même moins nous
  notre ont ou par pas pendant peut plus pour quand quatre quel quelle quelques rien sans sauf selon sera seront ses soit
  sont sous sur tous tout toute toutes trois très une vers vous
  algo antes aquel aunque cada como contra cual cuando cuatro debe del desde donde dos durante ella ellos entre eran esta
  este estos estas fueron hace hacia hasta hubo mismo misma mismos mucho muy nada ninguno nuestra otra otras otro otros para
  pero poco porque puede pueden queda quien segun según será serán sido siempre sino sobre solo sólo suyo también tiene
  tienen todo todos tras tres unos usted varios veces
  date from subject page pages journal diario january february march april june july august september october november
  december januar februar märz juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre
  novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre pounds euro
  euros dollars francs`.split(/\s+/),
);

/** The words of a text that say what it is about, in lower case; each as often as it occurs. */
export const contentWords = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}{4,40}/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
