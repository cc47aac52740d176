type Inbox = Readonly<{ name: string; url: string }>

const gmail = { name: 'Gmail', url: 'https://mail.google.com/mail/u/0/#inbox' }
const outlook = { name: 'Outlook', url: 'https://outlook.live.com/mail/0/' }
const yahoo = { name: 'Yahoo Mail', url: 'https://mail.yahoo.com/' }
const icloud = { name: 'iCloud Mail', url: 'https://www.icloud.com/mail' }
const proton = { name: 'Proton Mail', url: 'https://mail.proton.me/' }

const byDomain: Readonly<Record<string, Inbox>> = {
  'gmail.com': gmail,
  'googlemail.com': gmail,
  'outlook.com': outlook,
  'hotmail.com': outlook,
  'live.com': outlook,
  'msn.com': outlook,
  'yahoo.com': yahoo,
  'yahoo.ro': yahoo,
  'ymail.com': yahoo,
  'icloud.com': icloud,
  'me.com': icloud,
  'mac.com': icloud,
  'proton.me': proton,
  'protonmail.com': proton,
}

/** The inbox of a known mail domain; otherwise the providers that most companies use. */
export function inboxesFor(email: string): readonly Inbox[] {
  const [, domain = ''] = email.toLowerCase().split('@')
  const inbox = byDomain[domain]
  return inbox ? [inbox] : [gmail, outlook]
}
