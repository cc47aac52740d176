/** Saves a file from the page. A blob, because the Content-Security-Policy and Chromium refuse data: URLs. */
export function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has its own reference by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
