/** Others' tools read openapi.json: linters find nothing, and generated clients compile and work. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { build } from 'rolldown'
import { temporaryFolder } from '../support/files.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

const root = join(import.meta.dirname, '../..')
const openapi = join(root, 'openapi.json')
const tools = join(root, 'sdk/generators')
const toolOf = createRequire(join(tools, 'package.json'))
const compilers = [join(root, 'node_modules/.bin/tsc'), join(tools, 'node_modules/.bin/tsc')]
const folder = temporaryFolder()
after(() => folder.remove())

describe('linters find nothing', () => {
  test('Redocly, by its recommended rules', async () => {
    const { createConfig, lint } = toolOf('@redocly/openapi-core')
    const config = await createConfig({ extends: ['recommended'] })
    const problems: any[] = await lint({ ref: openapi, config })
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    )
  })

  test('Spectral, by its recommended rules', async () => {
    const { Spectral } = toolOf('@stoplight/spectral-core')
    const { oas } = toolOf('@stoplight/spectral-rulesets')
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [[oas, 'recommended']] })
    const problems: any[] = await spectral.run(JSON.parse(readFileSync(openapi, 'utf8')))
    assert.deepEqual(
      problems.map(({ code, message, path }) => [code, message, path.join('.')]),
      [],
    )
  })
})

/** What each client prints of the same calls. */
const expected = (name: string) => ({
  email: `${name}@example.com`,
  original: { value: 1050, currency: 'EUR' },
  listed: 1,
  unknown: 'NOT_FOUND',
  status: 'REVOKED',
})

describe('a generated client compiles and works', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  // Not synchronous: the service answers in this process.
  async function printedBy(
    program: string,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<unknown> {
    const { stdout } = await promisify(execFile)(program, [...args], { env: { ...process.env, ...env } })
    return JSON.parse(stdout)
  }

  function newProject(name: string, program: string): string {
    const project = join(folder.path, name)
    mkdirSync(project)
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
    writeFileSync(join(project, 'main.ts'), program)
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
    return project
  }

  /** Type-checks the project with both compilers, bundles it, and runs it. */
  async function printedByProject(project: string): Promise<unknown> {
    for (const compiler of compilers)
      execFileSync(compiler, ['-p', project], { stdio: ['ignore', 'inherit', 'inherit'] })
    const file = join(project, 'dist/main.js')
    await build({ input: join(project, 'main.ts'), platform: 'node', output: { file }, logLevel: 'silent' })
    return printedBy(process.execPath, [file, service.baseUrl])
  }

  test('by openapi-typescript, in TypeScript', async () => {
    const project = newProject('openapi-typescript', programOfTypes)
    const generator = join(root, 'sdk/generate/node_modules/.bin/openapi-typescript')
    execFileSync(process.execPath, [generator, openapi, '-o', join(project, 'api.ts')], { stdio: 'ignore' })
    assert.deepEqual(await printedByProject(project), expected('types'))
  })

  test('by @hey-api/openapi-ts, in TypeScript', async () => {
    const project = newProject('hey-api', programOfFunctions)
    const generator = join(tools, 'node_modules/.bin/openapi-ts')
    execFileSync(process.execPath, [generator, '-i', openapi, '-o', join(project, 'api'), '--silent'])
    assert.deepEqual(await printedByProject(project), expected('functions'))
  })

  test('by OpenAPI::Client, in Perl, which checks requests by the document', async () => {
    const program = join(folder.path, 'client.pl')
    writeFileSync(program, programInPerl)
    // It looks for the schema of OpenAPI 3.1 in this folder before it would load it from the Internet.
    const schemas = join(folder.path, 'schemas')
    mkdirSync(schemas)
    const name = createHash('md5').update('https://spec.openapis.org/oas/3.1/schema/2021-05-20').digest('hex')
    const schema = 'node_modules/@seriousme/openapi-schema-validator/schemas/v3.1/schema.json'
    copyFileSync(join(root, schema), join(schemas, name))
    // In one order of Perl's random hashes in six, its validator takes a header for a reference and refuses the document.
    const order = { PERL_HASH_SEED: '1', PERL_PERTURB_KEYS: '0' }
    const env = { JSON_VALIDATOR_CACHE_PATH: schemas, ...order }
    const printed = await printedBy('perl', [program, openapi, service.baseUrl], env)
    assert.deepEqual(printed, { ...expected('perl'), refusedHere: ['/limit'] })
  })
})

const compilerOptions = {
  strict: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'preserve',
  noEmit: true,
  types: ['node'],
  skipLibCheck: true,
}

const programOfTypes = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api'

type Schemas = components['schemas']
const [baseUrl] = process.argv.slice(2)
const headers: Record<string, string> = {}
const client = createClient<paths>({ baseUrl, headers })
const signup = await client.POST('/auth/api/signup', { body: { email: 'types@example.com' } })
headers['authorization'] = \`Bearer \${signup.data!.token}\`
const signedIn = createClient<paths>({ baseUrl, headers })
const user: Schemas['User'] = (await signedIn.GET('/users/me')).data!.user
const created = await signedIn.POST('/payment-links', {
  body: { amount: 1050, title: 'Logo' },
  params: { header: { 'x-currency': 'EUR', 'idempotency-key': 'once' } },
})
const original: Schemas['Money'] = created.data!.paymentLink.original
const page = await signedIn.GET('/payment-links', { params: { query: { limit: 1 } } })
const { error } = await signedIn.GET('/payment-links/{id}', { params: { path: { id: 'none' } } })
const unknown: Schemas['ErrorCode'] | undefined = error?.error.code
const [key] = (await signedIn.GET('/auth/api-keys')).data!.apiKeys
const revoked = await signedIn.POST('/auth/api-keys/{id}/revoke', {
  params: { path: { id: key!.id }, query: { withDescendants: true } },
})
const apiKey: Schemas['ApiKey'] = revoked.data!.apiKey
const listed = page.data!.paymentLinks.length
console.log(JSON.stringify({ email: user.email, original, listed, unknown, status: apiKey.status }))
`

const programOfFunctions = `
import { createPaymentLink, getMe, getPaymentLink, listKeys, listPaymentLinks, revokeKey, signup } from './api'
import type { ApiKey, ErrorCode, Money, PaymentLink, User } from './api'
import { client } from './api/client.gen'

client.setConfig({ baseUrl: process.argv[2] as '/api/v1' })
const { data } = await signup({ body: { email: 'functions@example.com' }, throwOnError: true })
client.setConfig({ auth: data.token })
const user: User = (await getMe({ throwOnError: true })).data.user
const created = await createPaymentLink({
  body: { amount: 1050, title: 'Logo' },
  headers: { 'x-currency': 'EUR', 'idempotency-key': 'once' },
  throwOnError: true,
})
const link: PaymentLink = created.data.paymentLink
const original: Money = link.original
const page = await listPaymentLinks({ query: { limit: 1 }, throwOnError: true })
const { error } = await getPaymentLink({ path: { id: 'none' } })
const unknown: ErrorCode | undefined = error?.error.code
const keys: ApiKey[] = (await listKeys({ throwOnError: true })).data.apiKeys
const query = { withDescendants: true }
const revoked = await revokeKey({ path: { id: keys[0]!.id }, query, throwOnError: true })
const { status } = revoked.data.apiKey
console.log(JSON.stringify({ email: user.email, original, listed: page.data.paymentLinks.length, unknown, status }))
`

const programInPerl = `
use strict;
use warnings;
use Mojo::JSON qw(encode_json);
use Mojo::URL;
use OpenAPI::Client;

my ($document, $base_url) = @ARGV;
my $client = OpenAPI::Client->new("file://$document");
$client->base_url(Mojo::URL->new($base_url));
my $token;
$client->ua->on(start => sub { $_[1]->req->headers->authorization("Bearer $token") if $token });
sub answer { my $tx = shift; die $tx->req->url . ': ' . $tx->res->body if $tx->error; $tx->res->json }

$token = answer($client->signup({}, json => { email => 'perl@example.com' }))->{token};
my $me = answer($client->getMe);
my $link = answer($client->createPaymentLink(
  { 'x-currency' => 'EUR', 'idempotency-key' => 'once' },
  json => { amount => 1050, title => 'Logo' },
))->{paymentLink};
my $page = answer($client->listPaymentLinks({ limit => 1 }));
my $refused = $client->listPaymentLinks({ limit => 101 })->res->json;
my $unknown = $client->getPaymentLink({ id => 'none' })->res->json;
my $keys = answer($client->listKeys)->{apiKeys};
my $revoked = answer($client->revokeKey({ id => $keys->[0]{id}, withDescendants => 'true' }));
print encode_json({
  email => $me->{user}{email},
  original => $link->{original},
  listed => scalar @{ $page->{paymentLinks} },
  unknown => $unknown->{error}{code},
  status => $revoked->{apiKey}{status},
  refusedHere => [map { $_->{path} } @{ $refused->{errors} }],
});
`
