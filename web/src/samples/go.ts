import { inPythonAndGo } from './literals.ts'
import { exampleLink } from './sample.ts'
import type { Sample } from './sample.ts'

const { idempotencyKey, currency, amount, title, reference } = exampleLink

/** Indented with tabs, as gofmt does. */
export const go: Sample = {
  language: 'Go',
  file: 'create-link.go',
  run: 'go run create-link.go',
  program: ({ baseUrl, keyId, keySecret }) => String.raw`package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"
)

const (
	api       = ${inPythonAndGo(baseUrl)}
	keyID     = ${inPythonAndGo(keyId)}
	keySecret = ${inPythonAndGo(keySecret)}
)

type object map[string]any

var client = http.Client{Timeout: 30 * time.Second}

func call(path string, headers map[string]string, body object, result any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest("POST", api+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		id := response.Header.Get("X-Request-Id")
		return fmt.Errorf("%s %s request %s", response.Status, answer, id)
	}
	return json.Unmarshal(answer, result)
}

func main() {
	var exchanged struct{ Token string }
	key := object{"keyId": keyID, "keySecret": keySecret}
	if err := call("/auth/api/token", nil, key, &exchanged); err != nil {
		log.Fatal(err)
	}

	var created struct{ PaymentLink struct{ URL string } }
	headers := map[string]string{
		// A token works for an hour: use it for many calls.
		"Authorization": "Bearer " + exchanged.Token,
		"X-Currency":    "${currency}",
		// A repeated call returns the same link.
		"Idempotency-Key": "${idempotencyKey}",
	}
	link := object{
		"amount":    ${amount},
		"title":     "${title}",
		"reference": "${reference}",
	}
	if err := call("/payment-links", headers, link, &created); err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.PaymentLink.URL)
}`,
}
