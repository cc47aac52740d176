/** Request and response types of the public API, by method and path. */
import type { paths } from '../../sdk/src/generated/openapi.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'
type Operation = Readonly<{ parameters: object; responses: object }>

/** For example `GET /users/me`. */
export type Route = {
  [Path in keyof paths]: {
    [Each in Method]: paths[Path][Each] extends Operation ? `${Uppercase<Each>} ${Path}` : never
  }[Method]
}[keyof paths]

type OperationOf<R extends Route> = R extends `${infer M} ${infer Path extends keyof paths}`
  ? Extract<paths[Path][Lowercase<M> & Method], Operation>
  : never

type JsonOf<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never
type Responses<R extends Route> = OperationOf<R>['responses']

export type Answer<R extends Route> = R extends Route
  ? JsonOf<Responses<R>[keyof Responses<R> & (200 | 201 | 202)]>
  : never

type RequestOf<R extends Route> = OperationOf<R> extends { requestBody?: infer Request } ? NonNullable<Request> : never

export type Input<R extends Route> = JsonOf<RequestOf<R>>

/** Path and query parameters, header fields and body of a call. */
export type Parameters<R extends Route> = Pick<
  OperationOf<R>['parameters'],
  keyof OperationOf<R>['parameters'] & ('path' | 'query' | 'header')
> &
  (OperationOf<R> extends { requestBody: object } ? { body: Input<R> } : { body?: Input<R> })
