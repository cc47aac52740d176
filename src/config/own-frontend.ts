import type { Config } from './settings.ts'

/** Whether the team has a frontend of its own, instead of the web app of the service. */
// Compares URLs, not origins: behind one proxy the frontend may share this service's origin.
export const hasOwnFrontend = ({ appUrl, publicUrl }: Pick<Config, 'appUrl' | 'publicUrl'>): boolean =>
  appUrl.href !== new URL(publicUrl).href
