/** What a template is to the queue. */
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../../domain/deps.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import type { Mail } from '../smtp-transport.ts'

export type ComposeDeps = Pick<DomainDeps, 'config' | 'clock' | 'random'>

export type MailToCompose = QueuedMail &
  Readonly<{
    /** The address is paused and this is its mail of the day: it carries the button that ends the pause. */
    offersResume: boolean
  }>

/**
 * Composes a mail when it is sent. Its writes are committed before the mail server gets the mail, so that a delivered
 * link always works.
 * @returns `undefined` when there is nothing left to send
 */
export type Composer = (
  deps: ComposeDeps,
  trx: Transaction,
  mail: MailToCompose,
) => Promise<Omit<Mail, 'to'> | undefined>
