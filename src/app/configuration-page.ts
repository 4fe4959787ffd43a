/** docs/configuration.md, made from the table of options, so that it cannot say anything else than the program. */

import { environmentOf, flagOf, OPTION_NAMES, OPTIONS, type Option, SECRETS, shownValue } from './config.ts'
import { FLEET_ROLES, rolesReading } from './role-options.ts'

export function configurationPage(): string {
  const rows = OPTION_NAMES.map((name) => {
    const { kind, sentence, default: value, more = '' } = OPTIONS[name] as Option<unknown>
    const shown = shownValue(name, value)
    return `| \`--${flagOf(name)}\` | \`${environmentOf(name)}\` | ${shown ? `\`${shown}\`` : 'none'} | ${[sentence, more].filter(Boolean).join(' ')} Format: ${kind.expected}. |`
  })
  const roleRows = OPTION_NAMES.filter((name) => rolesReading(name).length > 0).map((name) => {
    const roles = rolesReading(name)
    return `| \`--${flagOf(name)}\` | ${FLEET_ROLES.map((role) => (roles.includes(role) ? 'yes' : '')).join(' | ')} |`
  })
  return `# Configuration

Every setting can be given as a flag, as an environment variable, or in a file \`freshet.toml\` in the current folder (or
wherever \`--config\` or \`FRESHET_CONFIG\` points). Flags go before the environment, the environment before the file. A
setting that is unknown or has a wrong value is refused with what was expected. \`freshet config\` shows what is in force,
and where each value came from.

In \`freshet.toml\` a setting has the name of its flag without the dashes:

\`\`\`toml
store = "news.db"
host-gap = "5s"
contact = "https://example.org/about-our-crawl"
\`\`\`

Passwords need not stand in addresses: \`--store-password\` and \`--queue-password\` are put into them as they are. ${SECRETS.map((name) => `\`${environmentOf(name)}\``).join(', ')}
can be read from a file: set the variable with \`_FILE\` behind it to its path, as in \`FRESHET_STORE_PASSWORD_FILE=/run/secrets/store\`.

It may also list sources, which \`freshet run\` adds when it begins. What is said of one that is there is said again; one that is no
longer listed stays until somebody removes it. All users can read what is listed, and admins change it:

\`\`\`toml
[[sources]]
url = "https://example.org"   # a site; with feed = true, a feed's own address
name = "example"              # what commands call it; no other feed has the same
category = "technology"       # in place of what its publisher says
folder = "News"
title-prefix = "Example: "    # is taken off its headlines
\`\`\`

| flag | environment | default | what it does |
|---|---|---|---|
${rows.join('\n')}

## Settings by role

In a fleet each role reads only these; the others are ignored. \`freshet run\` reads all of them but \`--health\`.

| flag | ${FLEET_ROLES.join(' | ')} |
|---|${FLEET_ROLES.map(() => ':-:|').join('')}
${roleRows.join('\n')}

This page is written by \`npm run docs\` from \`src/app/config.ts\`.
`
}
