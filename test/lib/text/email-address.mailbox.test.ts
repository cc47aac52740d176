import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mailboxOf } from '../../../src/lib/text/email-address.ts'

describe('mailboxOf', () => {
  const same: Record<string, string> = {
    'ana@example.com': 'ana@example.com',
    'ana+tag@example.com': 'ana@example.com',
    'ana+a+b@example.com': 'ana@example.com',
    'a.na+tag@example.com': 'a.na@example.com',
    'a.na@gmail.com': 'ana@gmail.com',
    'a.n.a+tag.x@googlemail.com': 'ana@gmail.com',
    'a.n-a_p+tag@proton.me': 'anap@protonmail.com',
    'ana-p@pm.me': 'anap@protonmail.com',
    'a-na.p@ya.ru': 'a.na.p@yandex.ru',
    'ana_p@yandex.com': 'ana_p@yandex.ru',
    'a.na+tag@me.com': 'a.na@icloud.com',
    'a.na-p@mac.com': 'a.na-p@icloud.com',
    'a.n-a_p@example.com': 'a.n-a_p@example.com',
    '+tag@example.com': '+tag@example.com',
    '+a+b@example.com': '+a@example.com',
    'a.na@mail.gmail.com': 'a.na@mail.gmail.com',
    'a.na@gmail.com.example': 'a.na@gmail.com.example',
  }
  for (const [address, mailbox] of Object.entries(same)) {
    test(`${address} counts as ${mailbox}`, () => {
      assert.equal(mailboxOf(address), mailbox)
      assert.equal(mailboxOf(mailbox), mailbox, 'a mailbox maps to itself')
    })
  }
})
