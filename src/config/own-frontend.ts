import type { Config } from './settings.ts'

/**
 * Whether `APP_URL` is a custom frontend instead of the service's web app. Compares URLs, not origins: behind one proxy
 * the frontend may share this service's origin.
 */
export const hasOwnFrontend = ({ appUrl, publicUrl }: Pick<Config, 'appUrl' | 'publicUrl'>): boolean =>
  appUrl.href !== new URL(publicUrl).href
