import type { MailKind } from '../database/tables/mail-tables.ts'
import type { Composer } from './queue/composer.ts'
import { composeAddressChangeMail } from './templates/address-change-mail.ts'
import { composeAddressChangeNotice } from './templates/address-change-notice.ts'
import { composeConnectionNotice } from './templates/google-connection-notice.ts'
import { composeKeyNotice } from './templates/key-notice.ts'
import { composeSignInMail } from './templates/sign-in-mail.ts'
import { composeSignInNotice } from './templates/sign-in-notice.ts'
import { composeSignupMail } from './templates/signup-mail.ts'

export const composers: Readonly<Record<MailKind, Composer>> = {
  sign_in: composeSignInMail,
  signup_notice: composeSignupMail,
  sign_in_notice: composeSignInNotice,
  security_notice: composeKeyNotice,
  google_notice: composeConnectionNotice,
  email_change: composeAddressChangeMail,
  email_notice: composeAddressChangeNotice,
}
