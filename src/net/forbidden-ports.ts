/**
 * Ports of other protocols. No feed is published there, but a redirect could make us send HTTP to a mail server or a database, some of which
 * accept anything. All other ports are allowed.
 */
export const FORBIDDEN_PORTS: ReadonlySet<number> = new Set([
  ...[20, 21, 22, 23, 989, 990, 992, 2049, 3389, 5900], // files and terminals
  ...[25, 109, 110, 143, 465, 587, 993, 995], // mail
  ...[53, 111, 123, 135, 137, 139, 161, 179, 389, 445, 514, 515, 636, 853], // network services
  ...[119, 194, 563, 5060, 5061, 6000, 6665, 6666, 6667, 6668, 6669, 6697], // news, chat, telephony, displays
  ...[1433, 1521, 3306, 5432, 6379, 11211, 27017], // databases
])
