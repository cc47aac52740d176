/** Answers of a hostile or broken server: slow, endless, compressed, cut off. */
import type { ServerResponse } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Handler } from '../google/issuer.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

export const hangs: Handler = () => {}

/** Sends header fields for ever: a byte every 100 ms. */
export const tricklesHeaders: Handler = (_request, { socket }) => {
  socket?.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-slow: ')
  drip(() => socket?.writable === true && socket.write('a'))
}

/** Sends a body for ever: a byte every 100 ms. */
export const tricklesBody: Handler = (_request, response) => {
  response.writeHead(200, JSON_TYPE).write('{')
  drip(() => !response.destroyed && response.write(' '))
}

/** Announces a long body, sends a part of it and stops. */
export const stopsHalfway: Handler = (_request, response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 }).write('{')
}

function drip(write: () => boolean): void {
  const dripping = setInterval(() => write() || clearInterval(dripping), 100)
}

/** A gigabyte, as fast as it is read; `sent` is called with the number of bytes written. */
export const gigabyte =
  (sent: (bytes: number) => void): Handler =>
  (_request, response) =>
    void sendGigabyte(response.writeHead(200, JSON_TYPE), sent)

async function sendGigabyte(response: ServerResponse, sent: (bytes: number) => void): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  let goOn = () => {}
  response
    .on('drain', () => goOn())
    .on('close', () => goOn())
    .on('error', () => {})
  for (let left = 1024 ** 3; left > 0 && !response.destroyed; left -= chunk.length) {
    sent(chunk.length)
    if (!response.write(chunk)) await new Promise<void>((resolve) => void (goOn = resolve))
  }
  response.end()
}

/** 64 MiB of white space before `{}`, a few kilobytes when compressed. */
const BOMB = Buffer.concat([Buffer.alloc(64 * 1024 ** 2, ' '), Buffer.from('{}')])
const packed = {
  gzip: () => gzipSync(BOMB, { level: 1 }),
  'gzip, gzip': () => gzipSync(gzipSync(BOMB, { level: 1 })),
  br: () => brotliCompressSync(BOMB, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
}

export function bomb(coding: keyof typeof packed): Handler {
  const bytes = packed[coding]()
  return (_request, response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': coding }).end(bytes)
}

/** An HTML page, like a proxy's error page. */
export const html: Handler = (_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Down</title>')

export const redirects =
  (to: string, status = 302): Handler =>
  (_request, response) =>
    response.writeHead(status, { location: to }).end()

/** These bytes, with the content type JSON. */
export const answerWith =
  (body: string | Uint8Array, status = 200): Handler =>
  (_request, response) =>
    response.writeHead(status, JSON_TYPE).end(body)

export const cuts: Handler = (request) => void request.socket.destroy()
