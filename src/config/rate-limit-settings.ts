import { integer, oneOf, rate } from './parsers.ts'
import { setting } from './setting.ts'

export const rateSettings = {
  rateLimits: setting({
    name: 'RATE_LIMITS',
    parse: oneOf('on', 'off'),
    defaultText: 'on',
    why: '`off` turns every limit off, for load tests. A limit of `5/15m` is a bucket: five at once, then one every three minutes.',
  }),
  limitRequestRepeat: setting({
    name: 'RATE_LIMIT_REQUEST_REPEAT',
    parse: rate,
    defaultText: '1/30s',
    why: 'Link requests for one mailbox from one client network, against a double click.',
  }),
  limitRequestAddressClient: setting({
    name: 'RATE_LIMIT_REQUEST_ADDRESS_CLIENT',
    parse: rate,
    defaultText: '5/15m',
    why: 'Link requests for one mailbox, whatever its `+tag`, from one client network.',
  }),
  limitRequestAddress: setting({
    name: 'RATE_LIMIT_REQUEST_ADDRESS',
    parse: rate,
    defaultText: '5/25m',
    why: 'Link requests for one address as it is spelled, over all networks: a burst, then refilled evenly, so that a link is always on its way.',
  }),
  limitRequestClient: setting({
    name: 'RATE_LIMIT_REQUEST_CLIENT',
    parse: rate,
    defaultText: '30/15m',
    why: 'Link requests from one client network.',
  }),
  siteFactor: setting({
    name: 'RATE_LIMIT_SITE_FACTOR',
    parse: integer(1, 1000),
    defaultText: '10',
    why: 'Factor by which the mail limits of an IPv6 /56 or IPv4 /24 exceed those of one client: a home has more than one /64, and a /24 may be a carrier’s NAT.',
  }),
  wideFactor: setting({
    name: 'RATE_LIMIT_WIDE_FACTOR',
    parse: integer(1, 1000),
    defaultText: '30',
    why: 'The same factor for an IPv6 /48, which comes with many rented servers.',
  }),
  limitMailMailbox: setting({
    name: 'RATE_LIMIT_MAIL_MAILBOX',
    parse: rate,
    defaultText: '5/25m',
    why: 'Mails to one mailbox, in all its spellings, that strangers can cause: a burst, then one every five minutes, which is half of a link’s lifetime. Further mails wait. All processes share it.',
  }),
  limitMailNotices: setting({
    name: 'RATE_LIMIT_MAIL_NOTICES',
    parse: rate,
    defaultText: '4/1h',
    why: 'Security notices of one kind to one mailbox, about actions with a credential. Further notices are combined into one mail, which waits.',
  }),
  limitMailUnproven: setting({
    name: 'RATE_LIMIT_MAIL_UNPROVEN',
    parse: rate,
    defaultText: '1000/10m',
    why: 'Mails to all unproven addresses together: a flood of them damages the sender’s reputation. Further mails wait. All processes share it.',
  }),
  limitMailQueue: setting({
    name: 'RATE_LIMIT_MAIL_QUEUE',
    parse: rate,
    defaultText: '50000/1h',
    why: 'Requests for mail that one process accepts, which bounds the queue. Above the limit, networks that exceed their share are refused.',
  }),
  limitExchangeFailures: setting({
    name: 'RATE_LIMIT_EXCHANGE_FAILURES',
    parse: rate,
    defaultText: '10/1m',
    why: 'Wrong secrets for one key id from one client network. A right secret always works.',
  }),
  exchangeBlockSeconds: setting({
    name: 'RATE_LIMIT_EXCHANGE_BLOCK_SECONDS',
    parse: integer(0, 86_400),
    defaultText: '900',
    why: 'How many seconds after the last of these wrong secrets the client network gets 429.',
  }),
  limitExchangeFailuresClient: setting({
    name: 'RATE_LIMIT_EXCHANGE_FAILURES_CLIENT',
    parse: rate,
    defaultText: '300/1m',
    why: 'Wrong secrets from one client network for all key ids together. This also bounds the memory for counting them.',
  }),
  limitExchangeKey: setting({
    name: 'RATE_LIMIT_EXCHANGE_KEY',
    parse: rate,
    defaultText: '120/1m',
    why: 'Tokens for one key.',
  }),
  limitKeyCreation: setting({
    name: 'RATE_LIMIT_KEY_CREATION',
    parse: rate,
    defaultText: '60/1h',
    why: 'API keys and new secrets created by one person, or by one key and the keys created by it.',
  }),
  limitSignupHour: setting({
    name: 'RATE_LIMIT_SIGNUP_HOUR',
    parse: rate,
    defaultText: '5/1h',
    why: 'Signups from one client network: signup reveals whether an address has an account.',
  }),
  limitSignupDay: setting({
    name: 'RATE_LIMIT_SIGNUP_DAY',
    parse: rate,
    defaultText: '20/1d',
    why: 'Signups from one client network.',
  }),
  limitExport: setting({
    name: 'RATE_LIMIT_EXPORT',
    parse: rate,
    defaultText: '10/1h',
    why: 'Exports by one person: each reads all data of the account.',
  }),
  limitLeakReports: setting({
    name: 'RATE_LIMIT_LEAK_REPORTS',
    parse: rate,
    defaultText: '60/15m',
    why: 'Reports of leaked secrets from one client network.',
  }),
  limitPaymentLinks: setting({
    name: 'RATE_LIMIT_PAYMENT_LINKS',
    parse: rate,
    defaultText: '600/10m',
    why: 'Payment links created by one person, or by one key and the keys created by it.',
  }),
  limitReads: setting({
    name: 'RATE_LIMIT_READS',
    parse: rate,
    defaultText: '600/1m',
    why: 'Reads with the tokens of one sign-in, or of one key and the keys created by it, counted by each process for itself. A thief’s reads are not counted against the owner. `/auth/check` is not counted: gateways ask it for every call.',
  }),
  limitSignInFailures: setting({
    name: 'RATE_LIMIT_SIGN_IN_FAILURES',
    parse: rate,
    defaultText: '30/15m',
    why: 'Failed sign-ins from one client network. A live link always works.',
  }),
}
