/** The settings that the service writes into each page. */
export type Settings = Readonly<{
  /** Origin of PUBLIC_URL. The service refuses sign-ins from any other origin. */
  publicUrl: string
  /** The team's own frontend; null if these pages are the frontend. */
  frontend: string | null
  google: Readonly<{ clientId: string; clientScript: string }> | null
  signup: 'open' | 'closed'
  /** URL of the development mailbox; null if mail is sent. */
  mailbox: string | null
}>

export const settings = JSON.parse(document.body.dataset['settings'] ?? '') as Settings
