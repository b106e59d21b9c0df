const PUBLIC_DOMAINS: ReadonlySet<string> = new Set(
  `126.com 163.com aim.com aol.com aol.de bigpond.com bluewin.ch bol.com.br btinternet.com charter.net comcast.net
  cox.net duck.com earthlink.net email.de fastmail.com fastmail.fm foxmail.com free.fr freenet.de gmail.com gmx.at
  gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr
  hotmail.it hushmail.com icloud.com inbox.com inbox.ru interia.pl juno.com kpnmail.nl laposte.net libero.it list.ru
  live.co.uk live.com live.de live.fr live.it live.nl mac.com mail.com mail.de mail.ru mailbox.org me.com msn.com
  naver.com neuf.fr o2.pl online.de orange.fr outlook.com outlook.de outlook.es outlook.fr outlook.it pm.me posteo.de
  proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com sbcglobal.net seznam.cz
  sfr.fr sina.com skynet.be t-online.de talktalk.net telenet.be terra.com.br tiscali.it tutanota.com tuta.io
  uol.com.br verizon.net virgilio.it virgin.net wanadoo.fr web.de wp.pl ya.ru yahoo.ca yahoo.co.in yahoo.co.jp
  yahoo.co.uk yahoo.com yahoo.com.au yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com yandex.ru ymail.com
  ziggo.nl zoho.com`.split(/\s+/),
);

/** These providers have the same name under many top-level domains, as in yahoo.com.sg. */
const PUBLIC_NAMES =
  /^(aol|gmail|gmx|googlemail|hotmail|icloud|live|msn|outlook|proton|protonmail|rocketmail|tutanota|yahoo|yandex|ymail)(\.[a-z]{2,3}){1,2}$/;

/** Whether anybody can get an address there. Approving the whole domain would approve everybody. */
export function isPublicDomain(domain: string): boolean {
  return PUBLIC_DOMAINS.has(domain) || PUBLIC_NAMES.test(domain);
}
