/**
 * Writes the MIME text of a composed mail as one string. The library pipes each part through streams of its own, which
 * makes a whole mail, from lease to deletion, cost half as much again in processor time (docs/decisions/0039).
 */
import type MimeNode from 'nodemailer/lib/mime-node'
import { encode, wrap } from 'nodemailer/lib/qp'

/**
 * Headers, boundaries and encoding are the library's; only the concatenation is ours.
 * @param node every part is text with `encoding: 'quoted-printable'`
 */
export function mimeText(node: MimeNode): string {
  // Also sets the boundary.
  const headers = `${node.buildHeaders()}\r\n\r\n`
  if (node.childNodes.length === 0) return headers + wrap(encode(node.content as string))
  const parts = node.childNodes.map((child) => `--${node.boundary}\r\n${mimeText(child)}\r\n`)
  return `${headers}${parts.join('')}--${node.boundary}--\r\n`
}
