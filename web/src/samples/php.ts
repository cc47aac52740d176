import { inPhp } from './literals.ts'
import { exampleLink } from './sample.ts'
import type { Sample } from './sample.ts'

const { idempotencyKey, currency, amount, title, reference } = exampleLink

export const php: Sample = {
  language: 'PHP',
  file: 'create-link.php',
  run: 'php create-link.php',
  program: ({ baseUrl, keyId, keySecret }) => String.raw`<?php
const API = ${inPhp(baseUrl)};
const KEY_ID = ${inPhp(keyId)};
const KEY_SECRET = ${inPhp(keySecret)};

function call(string $path, array $body, array $headers = []): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Content-Type: application/json', ...$headers],
        'content' => json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 30,
        'follow_location' => 0,
        'ignore_errors' => true,
    ]]);
    $stream = fopen(API . $path, 'r', false, $context);
    if ($stream === false) {
        stop('No answer');
    }
    $answer = stream_get_contents($stream);
    $lines = stream_get_meta_data($stream)['wrapper_data'];
    if (!preg_match('/^\S+ 2/', $lines[0])) {
        $request = preg_grep('/^x-request-id:/i', $lines);
        stop("$lines[0] $answer " . implode($request));
    }
    return json_decode($answer, true, 512, JSON_THROW_ON_ERROR);
}

function stop(string $message): never
{
    fwrite(STDERR, "$message\n");
    exit(1);
}

// A token works for an hour: use it for many calls.
['token' => $token] = call('/auth/api/token', [
    'keyId' => KEY_ID,
    'keySecret' => KEY_SECRET,
]);

$link = [
    'amount' => ${amount},
    'title' => '${title}',
    'reference' => '${reference}',
];
$created = call('/payment-links', $link, [
    "Authorization: Bearer $token",
    'X-Currency: ${currency}',
    // A repeated call returns the same link.
    'Idempotency-Key: ${idempotencyKey}',
]);
echo $created['paymentLink']['url'], "\n";`,
}
