import { Type } from 'typebox'
import type { AppDescription } from '../../domain/oauth/describe-app.ts'
import { EffectiveRestrictions } from '../restrictions-schema.ts'
import { timeOrNull } from '../answer-fields.ts'

export const AppAnswer = Type.Object(
  {
    id: Type.String(),
    clientId: Type.String({ description: 'The URL of its client metadata document.' }),
    domain: Type.String({ description: 'The host of the client id, which the app cannot choose freely.' }),
    name: Type.String({ description: 'What the app calls itself.' }),
    resource: Type.String({ description: 'What its token is for: the base URL, or its `/mcp`.' }),
    restrictions: EffectiveRestrictions,
    createdAt: Type.String({ format: 'date-time', description: 'When the person allowed it.' }),
    lastUsedAt: timeOrNull('The last call with its token, at most a minute late.'),
    expiresAt: Type.String({ format: 'date-time', description: 'When its token expires.' }),
  },
  { title: 'ConnectedApp' },
)

export const exampleApp: AppDescription = {
  id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f15',
  clientId: 'https://assistant.example/client.json',
  domain: 'assistant.example',
  name: 'Assistant',
  resource: 'https://pay.example/api/v1',
  restrictions: { scopes: ['payment_links:read', 'payment_links:write'], dailyAmount: { EUR: 5000 } },
  createdAt: '2026-11-23T10:00:00.000Z',
  lastUsedAt: '2026-11-23T10:05:00.000Z',
  expiresAt: '2026-11-30T10:00:05.000Z',
}
