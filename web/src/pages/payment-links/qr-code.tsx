import { useRef } from 'preact/hooks'
import { save } from '../../parts/save-file.ts'
import { useLoaded } from '../../parts/use-loaded.ts'
import { words } from '../payment-links.words.ts'
import styles from './share-link.module.css'

const { sharing } = words
/** Modules around the code, which scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4
const PNG_WIDTH = 1024

type QrCodeProps = Readonly<{ text: string; fileName: string }>

// Imported on demand: bundled, it would make every page behind the sign-in load a fifth more.
async function encode(text: string): Promise<boolean[][]> {
  const { encodeQR } = await import('qr')
  return encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
}

/** Dark on light in either theme: many scanners read no inverted code. */
export function QrCode({ text, fileName }: QrCodeProps) {
  const { value: modules, error } = useLoaded(`code ${text}`, () => encode(text))
  const shown = useRef<SVGSVGElement>(null)
  const saveSvg = (): void => {
    if (!shown.current) return
    const svg = new XMLSerializer().serializeToString(shown.current)
    save(new Blob([svg], { type: 'image/svg+xml' }), `${fileName}.svg`)
  }
  const savePng = async (): Promise<void> => {
    if (modules) save(await draw(modules).convertToBlob(), `${fileName}.png`)
  }
  if (error) return <p class="small soft">{sharing.noCode}</p>
  return (
    <figure class={styles.code}>
      <div class={styles.square}>
        {modules && (
          <svg
            ref={shown}
            role="img"
            aria-labelledby="qr-title"
            viewBox={`0 0 ${modules.length} ${modules.length}`}
            shape-rendering="crispEdges"
          >
            <title id="qr-title">{sharing.code}</title>
            <rect width={modules.length} height={modules.length} fill="#fff" />
            <path d={pathOf(modules)} fill="#000" />
          </svg>
        )}
      </div>
      <figcaption class="small">
        <span class="soft">{sharing.download}</span>
        <button type="button" class="link-button" aria-label={sharing.downloadAs('PNG')} onClick={() => void savePng()}>
          PNG
        </button>
        <button type="button" class="link-button" aria-label={sharing.downloadAs('SVG')} onClick={saveSvg}>
          SVG
        </button>
      </figcaption>
    </figure>
  )
}

const darkModules = (modules: boolean[][]) =>
  modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [{ x, y }] : [])))

const pathOf = (modules: boolean[][]): string =>
  darkModules(modules)
    .map(({ x, y }) => `M${x} ${y}h1v1h-1z`)
    .join('')

function draw(modules: boolean[][]): OffscreenCanvas {
  const scale = Math.ceil(PNG_WIDTH / modules.length)
  const width = scale * modules.length
  const canvas = new OffscreenCanvas(width, width)
  const context = canvas.getContext('2d')
  if (context) {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, width)
    context.fillStyle = '#000'
    for (const { x, y } of darkModules(modules)) context.fillRect(x * scale, y * scale, scale, scale)
  }
  return canvas
}
