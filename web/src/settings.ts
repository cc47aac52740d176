/** What this installation offers, as the service wrote it into the page. */

/** The settings that the pages need before they can be drawn. */
export type Settings = Readonly<{
  /** The origin that the service is known by. Opened by another name, it takes no sign-in. */
  publicUrl: string
  /** A frontend of the team's own; null: these pages are the frontend. */
  frontend: string | null
  google: Readonly<{ clientId: string; clientScript: string }> | null
  signup: 'open' | 'closed'
  /** The development mailbox; null: mail really goes out. */
  mailbox: string | null
}>

/** The settings of this installation. */
export const settings = JSON.parse(document.body.dataset['settings'] ?? '') as Settings
