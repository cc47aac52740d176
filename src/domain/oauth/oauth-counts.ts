/** What happened to the access of apps and to token requests since the process started, for the metrics. */
export type AppChange = 'connected' | 'disconnected'

export type OAuthCounts = Readonly<{
  /** Called once the change is committed. */
  noteApp(change: AppChange): void
  /** @param grantType one that the token endpoint knows, or `unsupported` @param result `issued`, or the code of the error */
  noteTokenRequest(grantType: string, result: string): void
  apps(): Readonly<Record<AppChange, number>>
  tokenRequests(): readonly Readonly<{ grantType: string; result: string; count: number }>[]
}>

export function createOAuthCounts(): OAuthCounts {
  const apps = { connected: 0, disconnected: 0 }
  const requests = new Map<string, { grantType: string; result: string; count: number }>()
  return {
    noteApp: (change) => void (apps[change] += 1),
    noteTokenRequest(grantType, result) {
      const key = `${grantType} ${result}`
      const request = requests.get(key) ?? { grantType, result, count: 0 }
      request.count += 1
      requests.set(key, request)
    },
    apps: () => apps,
    tokenRequests: () => [...requests.values()],
  }
}
