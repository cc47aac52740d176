import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from '../../http/negotiation/negotiation.ts'

/** The placeholder for `PUBLIC_URL` in the pages, replaced so that copied commands work. */
const WRITTEN_URL = 'http://localhost:3000'

/** Quality 11, the highest, takes thirty times as long and saves an eighth. */
const BROTLI_QUALITY = 5

/**
 * Reads and compresses each file on its first request: a start waits for none, and the text is complete only with the
 * `PUBLIC_URL`. All responses share one buffer per encoding.
 * @param folder of the built documentation
 */
export function createFileReader(
  folder: string,
  publicUrl: string,
): (file: string, encoding: Encoding) => Promise<Buffer> {
  const contents = new Map<string, Promise<Buffer>>()
  const load = async (file: string, encoding: Encoding): Promise<Buffer> => {
    const text = await readFile(join(folder, file), 'utf8')
    // An origin needs no HTML escaping.
    return encoders[encoding](text.replaceAll(WRITTEN_URL, () => publicUrl))
  }
  return (file, encoding) => {
    const key = `${encoding} ${file}`
    const content = contents.get(key) ?? load(file, encoding)
    contents.set(key, content)
    // Not cached if it failed: the next request tries again.
    content.catch(() => contents.delete(key))
    return content
  }
}

const compressBrotli = promisify(brotliCompress)
const encoders: Readonly<Record<Encoding, (text: string) => Promise<Buffer>>> = {
  identity: async (text) => Buffer.from(text),
  gzip: promisify(gzip),
  br: (text) => compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
}
