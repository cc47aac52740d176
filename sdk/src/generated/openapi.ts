/** The types of every operation. Made by `npm run generate` from openapi.json (93398b272f695e04). */
export interface paths {
    "/auth/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a magic-link e-mail
         * @description The answer and its timing tell nothing about whether the address has an account. A 200 means that the mail is stored and will be sent: at once, or when the mailbox has had fewer of the mails that anybody can cause.
         */
        post: operations["requestLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify a magic-link token
         * @description Programs get the access token. A GET that accepts text/html is sent to the page /confirm, which asks for one click and then calls this endpoint as a program, so that mail scanners use no link up.
         */
        get: operations["verifyLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/links/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look at a magic link without using it */
        post: operations["inspectLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/links/not-me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a mail was not caused by oneself
         * @description Takes the token of a mail’s “This wasn’t you?”, valid for 7 days. Voids the address’s links and pauses the mails that others can cause; signs the user out everywhere and lets keys wait for the owner, as far as they came of that mail: what the sign-in by its link made, what it told of and what belongs to that, a Google account that it told of and what was made since, and everything of an account that nobody has claimed where it told of the signup. A second time changes nothing.
         */
        post: operations["notMe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/mail/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get every mail again
         * @description Takes the token of the button in the one mail a day that a paused address gets, valid for 7 days. A second time changes nothing.
         */
        post: operations["resumeMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/google/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start a sign-in with Google
         * @description Opened by the browser, not called. Within ten minutes Google sends it back to the callback; several sign-ins can be under way in one browser.
         */
        get: operations["startGoogle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/google/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish a sign-in with Google
         * @description Takes the cookie that the start set in this browser. Answers JSON; a browser whose sign-in was started with `redirectTo` is sent there, with `token` and `needsOnboarding`, or `error` and `error_description`, in the fragment.
         */
        get: operations["googleCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/google/onetap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a Google One Tap credential
         * @description A credential works once, and for an hour at most.
         */
        post: operations["oneTap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/google/connection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The connected Google account */
        get: operations["getGoogleConnection"];
        put?: never;
        /**
         * Connect a Google account
         * @description Takes a token from a sign-in by a person in the last ten minutes, and a One Tap credential. The Google account may have any address; its owner is told by mail, at a proven address. Connecting the same one again changes nothing.
         */
        post: operations["connectGoogle"];
        /**
         * Disconnect the Google account
         * @description Takes a token from a sign-in by a person in the last ten minutes. The magic link stays as the way in; its owner is told by mail, at a proven address. Tokens that came from Google live on: `POST /auth/tokens/revoke` ends them.
         */
        delete: operations["disconnectGoogle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account and its first API key
         * @description The account is unclaimed until somebody proves to hold the address; its owner is told by mail.
         */
        post: operations["signup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange API key credentials for an access token
         * @description An unknown id, a wrong secret, a revoked and an expired key, and a key of a disabled account are answered alike.
         */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys of the authenticated user */
        get: operations["listKeys"];
        put?: never;
        /** Create an API key */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description Revoking a key again changes nothing and answers the same. On an account whose address is proven, a token from an API key revokes that key and the keys made by it, transitively; for another key of the account it gets SIGN_IN_REQUIRED.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an API key a new secret
         * @description Tokens that the key was exchanged for stay valid; to end them too, revoke the key. A secret that still had grace from an earlier rotation stops working. On an account whose address is proven, a token from an API key rotates that key and the keys made by it, transitively; for another key of the account it gets SIGN_IN_REQUIRED.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/{id}/keep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep an API key that waits for the owner
         * @description Takes a token from a magic link or Google. Keeping a key that does not wait, or is revoked, changes nothing.
         */
        post: operations["keepKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/{id}/descendants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys that came from an API key
         * @description A key remembers every key whose token made it or gave it a secret; of the keys that ended the same are looked at as the list of keys shows. `POST /auth/api-keys/:id/revoke?withDescendants=true` revokes them all together.
         */
        get: operations["listDescendants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/leaked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report API key secrets found in the open
         * @description For anybody, secret scanners among them. The key of a right secret is revoked at once and its owner told by mail, at a proven address; not of a key that waits for the owner.
         */
        post: operations["reportLeaked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links
         * @description Newest first. A link whose amount cannot be given in the call’s currency has `amount` null. With `status`, a page looks at 1000 links at most: it may be short, or empty, and have a `nextCursor`.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description With an `Idempotency-Key` it can be repeated safely for 24 hours: the same key and body give the same answer and make no second link. An API key shares its Idempotency-Keys with the keys made by it, and a person’s sign-ins share theirs until they are signed out everywhere.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a payment link */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate a payment link
         * @description For good. A second time changes nothing.
         */
        post: operations["deactivatePaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{id}/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a payer may see of a payment link
         * @description The amount is the original one: no currency context applies.
         */
        get: operations["getPublicPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who makes a call, for a gateway (forward-auth)
         * @description Asked before another service is called, with the `Authorization` and `X-Currency` of that call. The answer must not be kept: a token that is revoked is refused from the next call on. Every method is answered alike, and so is every path below this one.
         */
        get: operations["check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The current user */
        get: operations["getMe"];
        put?: never;
        post?: never;
        /**
         * Delete the current user
         * @description Takes a token from a sign-in by a person in the last ten minutes, and a proven address. From the answer on nothing of the account works or is shown, and its address is free for a new one. Everything about it is deleted: Google identity, links and queued mail at once, keys, events and payment links within seconds, of very large accounts within minutes.
         */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        /** Change the current user */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/users/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export everything held about the current user
         * @description Until the address is proven, what was mailed to it and what was done with the mailbox or the address is left out. Once it is, this takes a token from a sign-in by a person.
         */
        get: operations["exportMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/tokens/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out everywhere
         * @description Increments the user’s tokenVersion: every access token of theirs, the one of this call included, is refused from now on. API keys stay and can be exchanged again. On an account whose address is proven it takes a token from a sign-in by a person.
         */
        post: operations["revokeTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the security events of the authenticated user
         * @description Kept for as many days as EVENTS_KEEP_DAYS says, 180 by default. What was done with the mailbox or the address is shown once the address is proven.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ways in that are offered */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    requestLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ana@example.com",
                 *       "redirectTo": "https://app.example.com/signed-in"
                 *     }
                 */
                "application/json": {
                    /** @description The address the link is sent to. */
                    email: string;
                    /** @description Where the browser goes after the sign-in; on the origin of the application frontend. */
                    redirectTo?: string;
                };
            };
        };
        responses: {
            /** @description The request is taken; the same for every address. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description REDIRECT_NOT_ALLOWED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "REDIRECT_NOT_ALLOWED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description ORIGIN_NOT_ALLOWED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call may not be made from another site.",
                     *         "code": "ORIGIN_NOT_ALLOWED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "ORIGIN_NOT_ALLOWED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    verifyLink: {
        parameters: {
            query: {
                /**
                 * @description The token of the mailed link.
                 * @example Vb0…43 characters
                 */
                token: string;
                /** @description Where the browser goes afterwards; overrides the one of the request. */
                redirectTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in; the link is used up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjRrUWcxeU9oIn0.e30.c2lnbmF0dXJl",
                     *       "needsOnboarding": true
                     *     }
                     */
                    "application/json": {
                        /** @description The access token, valid for 7 days. */
                        token: string;
                        /** @description No display name yet, or API keys that wait for the owner. */
                        needsOnboarding: boolean;
                    };
                };
            };
            /** @description A browser is led to the page /confirm. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description REDIRECT_NOT_ALLOWED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "REDIRECT_NOT_ALLOWED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description LINK_INVALID */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This sign-in link is unknown, used or expired. Ask for a new one.",
                     *         "code": "LINK_INVALID"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "LINK_INVALID";
                        };
                    };
                };
            };
            /** @description SIGNUP_CLOSED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This service does not take new accounts.",
                     *         "code": "SIGNUP_CLOSED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGNUP_CLOSED";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    inspectLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "k3Zr0bXn4Yk2pV9c1sQ7tLw8mJf5hDg6aEo-uRi_xyU"
                 *     }
                 */
                "application/json": {
                    /** @description The token of the mailed link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Whose link it is; it is not used up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "a***@example.com",
                     *       "expiresAt": "2026-11-21T10:10:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description The address of the link, masked. */
                        email: string;
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
            /** @description VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request is not of the declared form.",
                     *         "code": "VALIDATION_FAILED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description LINK_INVALID */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This sign-in link is unknown, used or expired. Ask for a new one.",
                     *         "code": "LINK_INVALID"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "LINK_INVALID";
                        };
                    };
                };
            };
            /** @description ORIGIN_NOT_ALLOWED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call may not be made from another site.",
                     *         "code": "ORIGIN_NOT_ALLOWED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "ORIGIN_NOT_ALLOWED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    notMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "k3Zr0bXn4Yk2pV9c1sQ7tLw8mJf5hDg6aEo-uRi_xyU"
                 *     }
                 */
                "application/json": {
                    /** @description The token of the mail’s button. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done, now or before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request is not of the declared form.",
                     *         "code": "VALIDATION_FAILED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description LINK_INVALID */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This sign-in link is unknown, used or expired. Ask for a new one.",
                     *         "code": "LINK_INVALID"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "LINK_INVALID";
                        };
                    };
                };
            };
            /** @description ORIGIN_NOT_ALLOWED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call may not be made from another site.",
                     *         "code": "ORIGIN_NOT_ALLOWED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "ORIGIN_NOT_ALLOWED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    resumeMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "k3Zr0bXn4Yk2pV9c1sQ7tLw8mJf5hDg6aEo-uRi_xyU"
                 *     }
                 */
                "application/json": {
                    /** @description The token of the mail’s button. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done, now or before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request is not of the declared form.",
                     *         "code": "VALIDATION_FAILED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description LINK_INVALID */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This sign-in link is unknown, used or expired. Ask for a new one.",
                     *         "code": "LINK_INVALID"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "LINK_INVALID";
                        };
                    };
                };
            };
            /** @description ORIGIN_NOT_ALLOWED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call may not be made from another site.",
                     *         "code": "ORIGIN_NOT_ALLOWED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "ORIGIN_NOT_ALLOWED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    startGoogle: {
        parameters: {
            query?: {
                /** @description Where a browser goes afterwards, on the frontend’s origin. */
                redirectTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To Google’s consent screen; without Google, a browser goes to its `redirectTo` with the error. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_FAILED, REDIRECT_NOT_ALLOWED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED" | "REDIRECT_NOT_ALLOWED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description GOOGLE_UNAVAILABLE, GOOGLE_NOT_CONFIGURED, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_UNAVAILABLE" | "GOOGLE_NOT_CONFIGURED" | "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    googleCallback: {
        parameters: {
            query: {
                /** @description The authorization code; absent where there is an `error`. */
                code: string;
                /** @description The state that the sign-in was started with. */
                state: string;
                /** @description The issuer (RFC 9207). */
                iss?: string;
                /** @description In place of the code: why there is none (RFC 6749, section 4.1.2.1). */
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjRrUWcxeU9oIn0.e30.c2lnbmF0dXJl",
                     *       "needsOnboarding": true,
                     *       "user": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10",
                     *         "email": "ana@gmail.com",
                     *         "role": "USER"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The access token, valid for 7 days. */
                        token: string;
                        /** @description No display name yet, or the address not proven, or API keys that wait for the owner. */
                        needsOnboarding: boolean;
                        user: {
                            id: string;
                            email: string;
                            role: string;
                        };
                    };
                };
            };
            /** @description A browser is led to the `redirectTo` of its sign-in. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description OAUTH_STATE_INVALID, OAUTH_DENIED, REDIRECT_NOT_ALLOWED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "OAUTH_STATE_INVALID" | "OAUTH_DENIED" | "REDIRECT_NOT_ALLOWED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description GOOGLE_CREDENTIAL_INVALID */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The Google credential is not valid, was used before, or is too old. Sign in again.",
                     *         "code": "GOOGLE_CREDENTIAL_INVALID"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_CREDENTIAL_INVALID";
                        };
                    };
                };
            };
            /** @description SIGNUP_CLOSED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGNUP_CLOSED" | "EMAIL_NOT_VERIFIED";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description GOOGLE_UNAVAILABLE, GOOGLE_NOT_CONFIGURED, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_UNAVAILABLE" | "GOOGLE_NOT_CONFIGURED" | "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    oneTap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": "eyJhbGciOiJSUzI1NiIs…"
                 *     }
                 */
                "application/json": {
                    /** @description The JWT issued by Google’s One Tap. */
                    credential: string;
                };
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjRrUWcxeU9oIn0.e30.c2lnbmF0dXJl",
                     *       "needsOnboarding": true,
                     *       "user": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10",
                     *         "email": "ana@gmail.com",
                     *         "role": "USER"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The access token, valid for 7 days. */
                        token: string;
                        /** @description No display name yet, or the address not proven, or API keys that wait for the owner. */
                        needsOnboarding: boolean;
                        user: {
                            id: string;
                            email: string;
                            role: string;
                        };
                    };
                };
            };
            /** @description VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request is not of the declared form.",
                     *         "code": "VALIDATION_FAILED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description GOOGLE_CREDENTIAL_INVALID */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The Google credential is not valid, was used before, or is too old. Sign in again.",
                     *         "code": "GOOGLE_CREDENTIAL_INVALID"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_CREDENTIAL_INVALID";
                        };
                    };
                };
            };
            /** @description SIGNUP_CLOSED, EMAIL_NOT_VERIFIED, ORIGIN_NOT_ALLOWED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGNUP_CLOSED" | "EMAIL_NOT_VERIFIED" | "ORIGIN_NOT_ALLOWED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description GOOGLE_UNAVAILABLE, GOOGLE_NOT_CONFIGURED, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_UNAVAILABLE" | "GOOGLE_NOT_CONFIGURED" | "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    getGoogleConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connected Google account; null: none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connection": {
                     *         "email": "ana@gmail.com",
                     *         "connectedAt": "2026-11-21T10:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        connection: {
                            /** @description The address of the Google account when it was last seen. */
                            email: string;
                            /** Format: date-time */
                            connectedAt: string;
                        } | null;
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "X-Currency must be one of RON, EUR, GBP.",
                     *         "code": "CURRENCY_NOT_SUPPORTED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description GOOGLE_NOT_CONFIGURED, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_NOT_CONFIGURED" | "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    connectGoogle: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential": "eyJhbGciOiJSUzI1NiIs…"
                 *     }
                 */
                "application/json": {
                    /** @description The JWT issued by Google’s One Tap. */
                    credential: string;
                };
            };
        };
        responses: {
            /** @description The connected Google account; null: none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connection": {
                     *         "email": "ana@gmail.com",
                     *         "connectedAt": "2026-11-21T10:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        connection: {
                            /** @description The address of the Google account when it was last seen. */
                            email: string;
                            /** Format: date-time */
                            connectedAt: string;
                        } | null;
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description GOOGLE_CREDENTIAL_INVALID, UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_CREDENTIAL_INVALID" | "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description SIGN_IN_REQUIRED, EMAIL_NOT_VERIFIED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGN_IN_REQUIRED" | "EMAIL_NOT_VERIFIED";
                        };
                    };
                };
            };
            /** @description GOOGLE_ALREADY_CONNECTED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This account has another Google account. Disconnect that first.",
                     *         "code": "GOOGLE_ALREADY_CONNECTED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_ALREADY_CONNECTED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description GOOGLE_UNAVAILABLE, GOOGLE_NOT_CONFIGURED, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_UNAVAILABLE" | "GOOGLE_NOT_CONFIGURED" | "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    disconnectGoogle: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connected Google account; null: none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "connection": {
                     *         "email": "ana@gmail.com",
                     *         "connectedAt": "2026-11-21T10:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        connection: {
                            /** @description The address of the Google account when it was last seen. */
                            email: string;
                            /** Format: date-time */
                            connectedAt: string;
                        } | null;
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call needs a token from a sign-in by a person. A token from an API key is not accepted.",
                     *         "code": "SIGN_IN_REQUIRED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGN_IN_REQUIRED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description GOOGLE_NOT_CONFIGURED, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_NOT_CONFIGURED" | "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    signup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ana@example.com",
                 *       "name": "Ana",
                 *       "keyName": "Billing server"
                 *     }
                 */
                "application/json": {
                    /** @description E-mail of the new account. */
                    email: string;
                    /**
                     * Format: display-text
                     * @description Display name.
                     */
                    name?: string;
                    /**
                     * Format: display-text
                     * @description Name of the first API key; "API key" when absent.
                     */
                    keyName?: string;
                };
            };
        };
        responses: {
            /** @description The account and its first key are made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10",
                     *         "email": "ana@example.com"
                     *       },
                     *       "apiKey": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *         "name": "Billing server",
                     *         "keyId": "plk_4fR7sQ0bXy2LkTz9WcNd1e"
                     *       },
                     *       "keySecret": "pls_…53 characters",
                     *       "token": "eyJ…",
                     *       "tokenType": "Bearer",
                     *       "expiresInSeconds": 3600,
                     *       "needsOnboarding": true
                     *     }
                     */
                    "application/json": {
                        user: {
                            id: string;
                            email: string;
                        };
                        apiKey: {
                            id: string;
                            name: string;
                            keyId: string;
                        };
                        /** @description Shown here once and never again. */
                        keySecret: string;
                        /** @description An access token, as from the first key. */
                        token: string;
                        /** @enum {string} */
                        tokenType: "Bearer";
                        expiresInSeconds: number;
                        /** @description True: nobody has proven the address yet. */
                        needsOnboarding: boolean;
                    };
                };
            };
            /** @description VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request is not of the declared form.",
                     *         "code": "VALIDATION_FAILED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description SIGNUP_CLOSED, ORIGIN_NOT_ALLOWED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGNUP_CLOSED" | "ORIGIN_NOT_ALLOWED";
                        };
                    };
                };
            };
            /** @description EMAIL_TAKEN */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "An account with this e-mail address exists, as it does after a signup whose answer was lost. With a key of it, go on at POST /auth/api/token; without, the holder of the address signs in by magic link (POST /auth/request) and makes a key.",
                     *         "code": "EMAIL_TAKEN"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "EMAIL_TAKEN";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "keyId": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                 *       "keySecret": "pls_…53 characters"
                 *     }
                 */
                "application/json": {
                    /** @description The API key id, `plk_…`. */
                    keyId: string;
                    /** @description The API key secret, `pls_…`. */
                    keySecret: string;
                };
            };
        };
        responses: {
            /** @description An access token for one hour. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJ…",
                     *       "tokenType": "Bearer",
                     *       "expiresInSeconds": 3600,
                     *       "user": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10",
                     *         "email": "ana@example.com",
                     *         "role": "USER"
                     *       }
                     *     }
                     */
                    "application/json": {
                        token: string;
                        /** @enum {string} */
                        tokenType: "Bearer";
                        expiresInSeconds: number;
                        user: {
                            id: string;
                            email: string;
                            role: string;
                        };
                    };
                };
            };
            /** @description VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request is not of the declared form.",
                     *         "code": "VALIDATION_FAILED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description INVALID_CREDENTIALS */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The API key id or secret is not valid.",
                     *         "code": "INVALID_CREDENTIALS"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INVALID_CREDENTIALS";
                        };
                    };
                };
            };
            /** @description KEY_AWAITS_OWNER */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This key was made before the owner of the address signed in. It works again once the owner keeps it.",
                     *         "code": "KEY_AWAITS_OWNER"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "KEY_AWAITS_OWNER";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, newest first; of those that were revoked, and of those that expired, the hundred that did so last. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKeys": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *           "name": "Billing server",
                     *           "keyId": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                     *           "status": "ACTIVE",
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "lastUsedAt": null,
                     *           "expiresAt": null,
                     *           "revokedAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        apiKeys: {
                            /** @description The record id; used in paths. */
                            id: string;
                            name: string;
                            /** @description The public credential id, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: made before the owner of the address signed in; works again once the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was made.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
                        }[];
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "X-Currency must be one of RON, EUR, GBP.",
                     *         "code": "CURRENCY_NOT_SUPPORTED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Billing server",
                 *       "expiresInDays": 90
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: display-text
                     * @description A label; "API key" when absent.
                     */
                    name?: string;
                    /** @description The key stops working then; never, when absent. */
                    expiresInDays?: number;
                };
            };
        };
        responses: {
            /** @description The key is made; its secret is in this answer only. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKey": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *         "name": "Billing server",
                     *         "keyId": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                     *         "createdAt": "2026-11-21T10:00:00.000Z",
                     *         "expiresAt": null
                     *       },
                     *       "keySecret": "pls_…53 characters"
                     *     }
                     */
                    "application/json": {
                        apiKey: {
                            /** @description The record id; used in paths. */
                            id: string;
                            name: string;
                            /** @description The public credential id, `plk_…`. */
                            keyId: string;
                            /**
                             * Format: date-time
                             * @description When the key was made.
                             */
                            createdAt: string;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                        };
                        /** @description Shown here once and never again. */
                        keySecret: string;
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description KEY_LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This account has reached its limit of API keys. Revoke one first.",
                     *         "code": "KEY_LIMIT_REACHED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "KEY_LIMIT_REACHED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /** @description Revoke the keys too that this key’s tokens made, and those that their tokens made. */
                withDescendants?: "true" | "false";
            };
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path: {
                /** @description The key’s record id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKey": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *         "name": "Billing server",
                     *         "keyId": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                     *         "status": "REVOKED",
                     *         "createdAt": "2026-11-21T10:00:00.000Z",
                     *         "lastUsedAt": null,
                     *         "expiresAt": null,
                     *         "revokedAt": "2026-11-21T11:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        apiKey: {
                            /** @description The record id; used in paths. */
                            id: string;
                            name: string;
                            /** @description The public credential id, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: made before the owner of the address signed in; works again once the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was made.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
                        };
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call needs a token from a sign-in by a person. A token from an API key is not accepted.",
                     *         "code": "SIGN_IN_REQUIRED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGN_IN_REQUIRED";
                        };
                    };
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Not found.",
                     *         "code": "NOT_FOUND"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "NOT_FOUND";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path: {
                /** @description The key’s record id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "graceSeconds": 3600
                 *     }
                 */
                "application/json": {
                    /** @description How long the old secret still works; not at all, when absent. */
                    graceSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The key with its new secret, under the same keyId. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKey": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *         "name": "Billing server",
                     *         "keyId": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                     *         "status": "ACTIVE",
                     *         "createdAt": "2026-11-21T10:00:00.000Z",
                     *         "lastUsedAt": null,
                     *         "expiresAt": null,
                     *         "revokedAt": null
                     *       },
                     *       "keySecret": "pls_…53 characters"
                     *     }
                     */
                    "application/json": {
                        apiKey: {
                            /** @description The record id; used in paths. */
                            id: string;
                            name: string;
                            /** @description The public credential id, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: made before the owner of the address signed in; works again once the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was made.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
                        };
                        /** @description The new secret: shown here once and never again. */
                        keySecret: string;
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call needs a token from a sign-in by a person. A token from an API key is not accepted.",
                     *         "code": "SIGN_IN_REQUIRED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGN_IN_REQUIRED";
                        };
                    };
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Not found.",
                     *         "code": "NOT_FOUND"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "NOT_FOUND";
                        };
                    };
                };
            };
            /** @description KEY_NOT_ACTIVE */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This key is revoked, expired or waits for its owner.",
                     *         "code": "KEY_NOT_ACTIVE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "KEY_NOT_ACTIVE";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    keepKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path: {
                /** @description The key’s record id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKey": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *         "name": "Billing server",
                     *         "keyId": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                     *         "status": "ACTIVE",
                     *         "createdAt": "2026-11-21T10:00:00.000Z",
                     *         "lastUsedAt": null,
                     *         "expiresAt": null,
                     *         "revokedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        apiKey: {
                            /** @description The record id; used in paths. */
                            id: string;
                            name: string;
                            /** @description The public credential id, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: made before the owner of the address signed in; works again once the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was made.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
                        };
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call needs a token from a sign-in by a person. A token from an API key is not accepted.",
                     *         "code": "SIGN_IN_REQUIRED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGN_IN_REQUIRED";
                        };
                    };
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Not found.",
                     *         "code": "NOT_FOUND"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "NOT_FOUND";
                        };
                    };
                };
            };
            /** @description KEY_LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This account has reached its limit of API keys. Revoke one first.",
                     *         "code": "KEY_LIMIT_REACHED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "KEY_LIMIT_REACHED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    listDescendants: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path: {
                /** @description The key’s record id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its descendants, newest first; not the key itself. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "apiKeys": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *           "name": "Billing server",
                     *           "keyId": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                     *           "status": "ACTIVE",
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "lastUsedAt": null,
                     *           "expiresAt": null,
                     *           "revokedAt": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        apiKeys: {
                            /** @description The record id; used in paths. */
                            id: string;
                            name: string;
                            /** @description The public credential id, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: made before the owner of the address signed in; works again once the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was made.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
                        }[];
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "X-Currency must be one of RON, EUR, GBP.",
                     *         "code": "CURRENCY_NOT_SUPPORTED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Not found.",
                     *         "code": "NOT_FOUND"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "NOT_FOUND";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    reportLeaked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "secrets": [
                 *         {
                 *           "keySecret": "pls_…53 characters",
                 *           "seenAt": "https://example.com/paste/1"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    secrets: {
                        /** @description The secret as it was found, `pls_…`. */
                        keySecret: string;
                        /**
                         * Format: display-text
                         * @description Where it was seen, for its owner: an address, a file, a commit.
                         */
                        seenAt?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description The report is taken; the same whatever the secrets were. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request is not of the declared form.",
                     *         "code": "VALIDATION_FAILED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many, 1 to 100; 50 when absent. */
                limit?: string;
                status?: "ACTIVE" | "INACTIVE" | "EXPIRED";
                /** @description Only links with this very reference. */
                reference?: string;
            };
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payment links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paymentLinks": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20",
                     *           "url": "https://auth.example.com/pay/0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20",
                     *           "title": "Website design",
                     *           "reference": "INV-2026-014",
                     *           "status": "ACTIVE",
                     *           "amount": {
                     *             "value": 245000,
                     *             "currency": "RON"
                     *           },
                     *           "original": {
                     *             "value": 245000,
                     *             "currency": "RON"
                     *           },
                     *           "exchangeRate": null,
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "expiresAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        paymentLinks: {
                            id: string;
                            /** @description Where the link is shown to whoever pays. */
                            url: string;
                            title: string;
                            /** @description The caller’s own name for it. */
                            reference: string | null;
                            /**
                             * @description INACTIVE: deactivated, or held until the owner keeps the API key that made it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "INACTIVE" | "EXPIRED";
                            original: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            };
                            /** @description Null: the amount was not converted. */
                            exchangeRate: {
                                /** @description Units of the call’s currency for one of the original, to ten decimals. The amount is computed from the exact quotient. */
                                rate: string;
                                /** Format: date */
                                date: string;
                                /** @enum {string} */
                                source: "BNR";
                            } | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description When it can no longer be paid. */
                            expiresAt: string | null;
                            /** @description Null: no exchange rate is held. */
                            amount: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            } | null;
                        }[];
                        /** @description Null: there are no more. Only this says so: a page may have fewer links than `limit`. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description VALIDATION_FAILED, CURRENCY_NOT_SUPPORTED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED" | "CURRENCY_NOT_SUPPORTED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text that no other request of yours has, for example a UUID. */
                "idempotency-key"?: string;
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 245000,
                 *       "title": "Website design",
                 *       "reference": "INV-2026-014"
                 *     }
                 */
                "application/json": {
                    /** @description In minor units of the call’s currency (`X-Currency`): 1050 is 10.50. */
                    amount: number;
                    /**
                     * Format: display-text
                     * @description What is paid for; whoever pays sees it.
                     */
                    title: string;
                    /**
                     * Format: display-text
                     * @description Your own name for it, for example an invoice number.
                     */
                    reference?: string;
                    /**
                     * Format: date-time
                     * @description When it can no longer be paid; never, when absent.
                     */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description The link is made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paymentLink": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20",
                     *         "url": "https://auth.example.com/pay/0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20",
                     *         "title": "Website design",
                     *         "reference": "INV-2026-014",
                     *         "status": "ACTIVE",
                     *         "amount": {
                     *           "value": 245000,
                     *           "currency": "RON"
                     *         },
                     *         "original": {
                     *           "value": 245000,
                     *           "currency": "RON"
                     *         },
                     *         "exchangeRate": null,
                     *         "createdAt": "2026-11-21T10:00:00.000Z",
                     *         "expiresAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        paymentLink: {
                            id: string;
                            /** @description Where the link is shown to whoever pays. */
                            url: string;
                            title: string;
                            /** @description The caller’s own name for it. */
                            reference: string | null;
                            /**
                             * @description INACTIVE: deactivated, or held until the owner keeps the API key that made it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "INACTIVE" | "EXPIRED";
                            original: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            };
                            /** @description Null: the amount was not converted. */
                            exchangeRate: {
                                /** @description Units of the call’s currency for one of the original, to ten decimals. The amount is computed from the exact quotient. */
                                rate: string;
                                /** Format: date */
                                date: string;
                                /** @enum {string} */
                                source: "BNR";
                            } | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description When it can no longer be paid. */
                            expiresAt: string | null;
                            amount: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            };
                        };
                    };
                };
            };
            /** @description VALIDATION_FAILED, CURRENCY_NOT_SUPPORTED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED" | "CURRENCY_NOT_SUPPORTED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description IDEMPOTENCY_CONFLICT, PAYMENT_LINK_LIMIT_REACHED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "IDEMPOTENCY_CONFLICT" | "PAYMENT_LINK_LIMIT_REACHED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path: {
                /** @description The payment link’s id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paymentLink": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20",
                     *         "url": "https://auth.example.com/pay/0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20",
                     *         "title": "Website design",
                     *         "reference": "INV-2026-014",
                     *         "status": "ACTIVE",
                     *         "amount": {
                     *           "value": 245000,
                     *           "currency": "RON"
                     *         },
                     *         "original": {
                     *           "value": 245000,
                     *           "currency": "RON"
                     *         },
                     *         "exchangeRate": null,
                     *         "createdAt": "2026-11-21T10:00:00.000Z",
                     *         "expiresAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        paymentLink: {
                            id: string;
                            /** @description Where the link is shown to whoever pays. */
                            url: string;
                            title: string;
                            /** @description The caller’s own name for it. */
                            reference: string | null;
                            /**
                             * @description INACTIVE: deactivated, or held until the owner keeps the API key that made it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "INACTIVE" | "EXPIRED";
                            original: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            };
                            /** @description Null: the amount was not converted. */
                            exchangeRate: {
                                /** @description Units of the call’s currency for one of the original, to ten decimals. The amount is computed from the exact quotient. */
                                rate: string;
                                /** Format: date */
                                date: string;
                                /** @enum {string} */
                                source: "BNR";
                            } | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description When it can no longer be paid. */
                            expiresAt: string | null;
                            amount: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            };
                        };
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "X-Currency must be one of RON, EUR, GBP.",
                     *         "code": "CURRENCY_NOT_SUPPORTED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Not found.",
                     *         "code": "NOT_FOUND"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "NOT_FOUND";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description EXCHANGE_RATE_UNAVAILABLE, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "EXCHANGE_RATE_UNAVAILABLE" | "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    deactivatePaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path: {
                /** @description The payment link’s id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link as it is now; its `amount` is null where no exchange rate is held. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paymentLink": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20",
                     *         "url": "https://auth.example.com/pay/0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20",
                     *         "title": "Website design",
                     *         "reference": "INV-2026-014",
                     *         "status": "INACTIVE",
                     *         "amount": {
                     *           "value": 245000,
                     *           "currency": "RON"
                     *         },
                     *         "original": {
                     *           "value": 245000,
                     *           "currency": "RON"
                     *         },
                     *         "exchangeRate": null,
                     *         "createdAt": "2026-11-21T10:00:00.000Z",
                     *         "expiresAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        paymentLink: {
                            id: string;
                            /** @description Where the link is shown to whoever pays. */
                            url: string;
                            title: string;
                            /** @description The caller’s own name for it. */
                            reference: string | null;
                            /**
                             * @description INACTIVE: deactivated, or held until the owner keeps the API key that made it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "INACTIVE" | "EXPIRED";
                            original: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            };
                            /** @description Null: the amount was not converted. */
                            exchangeRate: {
                                /** @description Units of the call’s currency for one of the original, to ten decimals. The amount is computed from the exact quotient. */
                                rate: string;
                                /** Format: date */
                                date: string;
                                /** @enum {string} */
                                source: "BNR";
                            } | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description When it can no longer be paid. */
                            expiresAt: string | null;
                            /** @description Null: no exchange rate is held. */
                            amount: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            } | null;
                        };
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Not found.",
                     *         "code": "NOT_FOUND"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "NOT_FOUND";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    getPublicPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment link’s id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing about its owner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "paymentLink": {
                     *         "title": "Website design",
                     *         "amount": {
                     *           "value": 245000,
                     *           "currency": "RON"
                     *         },
                     *         "status": "ACTIVE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        paymentLink: {
                            /** @description Null while the link is held back: its account is disabled, or its owner has not kept the API key that made it. */
                            title: string | null;
                            /** @description Null while the link is held back: its account is disabled, or its owner has not kept the API key that made it. */
                            amount: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            } | null;
                            /**
                             * @description Only an ACTIVE one may be paid.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "INACTIVE" | "EXPIRED";
                        };
                    };
                };
            };
            /** @description NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Not found.",
                     *         "code": "NOT_FOUND"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "NOT_FOUND";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    check: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call may pass. What is known of its caller is in header fields, for the gateway to hand on. */
            200: {
                headers: {
                    /** @description The caller’s account. */
                    "X-User-Id"?: string;
                    /** @description Its role. */
                    "X-User-Role"?: string;
                    /** @description The key that the token came from; absent: a person signed in. */
                    "X-Api-Key-Id"?: string;
                    /** @description The currency of the call, the default included. */
                    "X-Currency"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description CURRENCY_NOT_SUPPORTED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "X-Currency must be one of RON, EUR, GBP.",
                     *         "code": "CURRENCY_NOT_SUPPORTED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10",
                     *         "email": "ana@example.com",
                     *         "role": "USER",
                     *         "name": "Ana",
                     *         "needsOnboarding": false,
                     *         "createdAt": "2026-11-21T10:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: {
                            id: string;
                            email: string;
                            role: string;
                            name: string | null;
                            /** @description No display name, or the address not proven, or API keys that wait for the owner. */
                            needsOnboarding: boolean;
                            /** Format: date-time */
                            createdAt: string;
                        };
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "X-Currency must be one of RON, EUR, GBP.",
                     *         "code": "CURRENCY_NOT_SUPPORTED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    deleteMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call needs a token from a sign-in by a person. A token from an API key is not accepted.",
                     *         "code": "SIGN_IN_REQUIRED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGN_IN_REQUIRED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ana"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: display-text
                     * @description Display name.
                     */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The account as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10",
                     *         "email": "ana@example.com",
                     *         "role": "USER",
                     *         "name": "Ana",
                     *         "needsOnboarding": false,
                     *         "createdAt": "2026-11-21T10:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: {
                            id: string;
                            email: string;
                            role: string;
                            name: string | null;
                            /** @description No display name, or the address not proven, or API keys that wait for the owner. */
                            needsOnboarding: boolean;
                            /** Format: date-time */
                            createdAt: string;
                        };
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    exportMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything but the hashes of secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10",
                     *         "email": "ana@example.com",
                     *         "role": "USER",
                     *         "name": "Ana",
                     *         "locale": "ro",
                     *         "tokenVersion": 0,
                     *         "createdAt": "2026-11-21T10:00:00.000Z",
                     *         "claimedAt": "2026-11-21T10:00:00.000Z"
                     *       },
                     *       "identities": [
                     *         {
                     *           "issuer": "https://accounts.google.com",
                     *           "subject": "110169484474386276334",
                     *           "email": "ana@gmail.com",
                     *           "connectedAt": "2026-11-21T10:00:00.000Z",
                     *           "signInId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13"
                     *         }
                     *       ],
                     *       "apiKeys": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *           "name": "Billing server",
                     *           "keyId": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                     *           "status": "ACTIVE",
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "lastUsedAt": null,
                     *           "expiresAt": null,
                     *           "revokedAt": null,
                     *           "awaitsOwnerSince": null,
                     *           "rotatedAt": null,
                     *           "previousSecretUntil": null,
                     *           "weekNoticeAt": null,
                     *           "dayNoticeAt": null
                     *         }
                     *       ],
                     *       "keyMakers": [
                     *         {
                     *           "apiKeyId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *           "how": "created",
                     *           "makerApiKeyId": null,
                     *           "signInId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13",
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "lastAt": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "events": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f12",
                     *           "type": "signed_in",
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "client": "203.0.113.9",
                     *           "apiKeyId": null,
                     *           "byApiKeyId": null,
                     *           "detail": "magic_link",
                     *           "times": 1
                     *         }
                     *       ],
                     *       "paymentLinks": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20",
                     *           "title": "Website design",
                     *           "reference": "INV-2026-014",
                     *           "status": "ACTIVE",
                     *           "value": 245000,
                     *           "currency": "RON",
                     *           "apiKeyId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "expiresAt": null,
                     *           "deactivatedAt": null
                     *         }
                     *       ],
                     *       "signInLinks": [],
                     *       "mailButtons": [],
                     *       "queuedMails": [],
                     *       "mailPause": null
                     *     }
                     */
                    "application/json": {
                        user: {
                            id: string;
                            email: string;
                            role: string;
                            name: string | null;
                            locale: string | null;
                            tokenVersion: number;
                            /** Format: date-time */
                            createdAt: string;
                            claimedAt: string | null;
                        };
                        identities: {
                            issuer: string;
                            subject: string;
                            email: string;
                            /** Format: date-time */
                            connectedAt: string;
                            signInId: string;
                        }[];
                        apiKeys: {
                            /** @description The record id; used in paths. */
                            id: string;
                            name: string;
                            /** @description The public credential id, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: made before the owner of the address signed in; works again once the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was made.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
                            awaitsOwnerSince: string | null;
                            rotatedAt: string | null;
                            previousSecretUntil: string | null;
                            weekNoticeAt: string | null;
                            dayNoticeAt: string | null;
                        }[];
                        keyMakers: {
                            apiKeyId: string;
                            /** @description created, rotated or kept. */
                            how: string;
                            makerApiKeyId: string | null;
                            signInId: string | null;
                            /** Format: date-time */
                            at: string;
                            lastAt: string | null;
                        }[];
                        events: {
                            id: string;
                            /**
                             * @description `account_created`: The account was made, by signup or a first sign-in. `signup_refused`: Somebody tried to sign up with this address. `account_claimed`: The address was proven: what was made before waits for the owner. `signed_in`: A person signed in; `detail` says how. `sign_in_refused`: A link of this address was used again, or after its time; with `detail` google, a Google account with this address is not connected; with `detail` disabled, a link was asked for while the account was disabled. `google_connected`: A Google account was connected, by joining at its first sign-in or by a signed-in user; `detail` is its address. `google_disconnected`: The Google account was disconnected; `detail` is its address. `tokens_revoked`: Every access token was made invalid; with `detail` operator, by whoever runs the service. `key_created`: An API key was made; with `detail` operator, by whoever runs the service. `key_rotated`: An API key got a new secret. `key_kept`: An API key that waited for the owner works again. `key_revoked`: An API key was revoked; with `detail` operator, by whoever runs the service. `key_leaked`: The secret of an API key was found in the open, and the key revoked; `detail` says where. `key_expiring`: The owner was told that an API key is about to expire. `exchange_refused`: An API key’s id came with a wrong secret, or the key was not in force. `limit_hit`: A rate limit refused a call; `detail` names the limit. `renamed`: The display name was changed. `exported`: Everything held about the account was read. `payment_link_deactivated`: Payment links were deactivated; `times` says how many. `not_me`: Somebody with access to the mailbox said that a mail was not theirs. `mail_resumed`: The pause of mails that others can cause was lifted. `account_disabled`: Whoever runs the service disabled the account: nothing signs in to it, and every access token is dead. `account_enabled`: Whoever runs the service enabled the account again.
                             * @enum {unknown}
                             */
                            type: "account_created" | "signup_refused" | "account_claimed" | "signed_in" | "sign_in_refused" | "google_connected" | "google_disconnected" | "tokens_revoked" | "key_created" | "key_rotated" | "key_kept" | "key_revoked" | "key_leaked" | "key_expiring" | "exchange_refused" | "limit_hit" | "renamed" | "exported" | "payment_link_deactivated" | "not_me" | "mail_resumed" | "account_disabled" | "account_enabled";
                            /** Format: date-time */
                            at: string;
                            /** @description From where: an IPv4 address or an IPv6 /64; null: nobody called, or many networks did. */
                            client: string | null;
                            /** @description The record id of the API key it happened to. */
                            apiKeyId: string | null;
                            /** @description The record id of the API key whose token did it; null: no key’s. */
                            byApiKeyId: string | null;
                            /** @description More about it, by type. */
                            detail: string | null;
                            /** @description How often: of what may happen any number of times, such as failures, what is alike is one event an hour, of the time of the first. */
                            times: number;
                        }[];
                        paymentLinks: {
                            id: string;
                            title: string;
                            reference: string | null;
                            /** @enum {unknown} */
                            status: "ACTIVE" | "INACTIVE" | "EXPIRED";
                            /** @description In minor units of the currency. */
                            value: number;
                            currency: string;
                            apiKeyId: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            expiresAt: string | null;
                            deactivatedAt: string | null;
                        }[];
                        signInLinks: {
                            /** Format: date-time */
                            expiresAt: string;
                            redirectTo: string | null;
                        }[];
                        mailButtons: {
                            action: string;
                            mailKind: string;
                            /** Format: date-time */
                            mailedAt: string;
                            /** Format: date-time */
                            expiresAt: string;
                            signInId: string | null;
                            tellsSince: string | null;
                            usedAt: string | null;
                        }[];
                        queuedMails: {
                            kind: string;
                            locale: string;
                            redirectTo: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            tellsSince: string | null;
                            /** Format: date-time */
                            dueAt: string;
                            attempts: number;
                        }[];
                        mailPause: {
                            /** Format: date-time */
                            pausedAt: string;
                            mailedAt: string | null;
                        } | null;
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "X-Currency must be one of RON, EUR, GBP.",
                     *         "code": "CURRENCY_NOT_SUPPORTED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call needs a token from a sign-in by a person. A token from an API key is not accepted.",
                     *         "code": "SIGN_IN_REQUIRED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGN_IN_REQUIRED";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    revokeTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every token issued so far is refused from now on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This call needs a token from a sign-in by a person. A token from an API key is not accepted.",
                     *         "code": "SIGN_IN_REQUIRED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "SIGN_IN_REQUIRED";
                        };
                    };
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body is larger than 64 KiB.",
                     *         "code": "PAYLOAD_TOO_LARGE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "PAYLOAD_TOO_LARGE";
                        };
                    };
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request body must be sent as Content-Type: application/json.",
                     *         "code": "UNSUPPORTED_MEDIA_TYPE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNSUPPORTED_MEDIA_TYPE";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description How many, 1 to 100; 50 when absent. */
                limit?: string;
            };
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: "RON" | "EUR" | "GBP";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events: fewer than asked for, or none, also where more follow. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f12",
                     *           "type": "signed_in",
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "client": "203.0.113.9",
                     *           "apiKeyId": null,
                     *           "byApiKeyId": null,
                     *           "detail": "magic_link",
                     *           "times": 1
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": {
                        events: {
                            id: string;
                            /**
                             * @description `account_created`: The account was made, by signup or a first sign-in. `signup_refused`: Somebody tried to sign up with this address. `account_claimed`: The address was proven: what was made before waits for the owner. `signed_in`: A person signed in; `detail` says how. `sign_in_refused`: A link of this address was used again, or after its time; with `detail` google, a Google account with this address is not connected; with `detail` disabled, a link was asked for while the account was disabled. `google_connected`: A Google account was connected, by joining at its first sign-in or by a signed-in user; `detail` is its address. `google_disconnected`: The Google account was disconnected; `detail` is its address. `tokens_revoked`: Every access token was made invalid; with `detail` operator, by whoever runs the service. `key_created`: An API key was made; with `detail` operator, by whoever runs the service. `key_rotated`: An API key got a new secret. `key_kept`: An API key that waited for the owner works again. `key_revoked`: An API key was revoked; with `detail` operator, by whoever runs the service. `key_leaked`: The secret of an API key was found in the open, and the key revoked; `detail` says where. `key_expiring`: The owner was told that an API key is about to expire. `exchange_refused`: An API key’s id came with a wrong secret, or the key was not in force. `limit_hit`: A rate limit refused a call; `detail` names the limit. `renamed`: The display name was changed. `exported`: Everything held about the account was read. `payment_link_deactivated`: Payment links were deactivated; `times` says how many. `not_me`: Somebody with access to the mailbox said that a mail was not theirs. `mail_resumed`: The pause of mails that others can cause was lifted. `account_disabled`: Whoever runs the service disabled the account: nothing signs in to it, and every access token is dead. `account_enabled`: Whoever runs the service enabled the account again.
                             * @enum {unknown}
                             */
                            type: "account_created" | "signup_refused" | "account_claimed" | "signed_in" | "sign_in_refused" | "google_connected" | "google_disconnected" | "tokens_revoked" | "key_created" | "key_rotated" | "key_kept" | "key_revoked" | "key_leaked" | "key_expiring" | "exchange_refused" | "limit_hit" | "renamed" | "exported" | "payment_link_deactivated" | "not_me" | "mail_resumed" | "account_disabled" | "account_enabled";
                            /** Format: date-time */
                            at: string;
                            /** @description From where: an IPv4 address or an IPv6 /64; null: nobody called, or many networks did. */
                            client: string | null;
                            /** @description The record id of the API key it happened to. */
                            apiKeyId: string | null;
                            /** @description The record id of the API key whose token did it; null: no key’s. */
                            byApiKeyId: string | null;
                            /** @description More about it, by type. */
                            detail: string | null;
                            /** @description How often: of what may happen any number of times, such as failures, what is alike is one event an hour, of the time of the first. */
                            times: number;
                        }[];
                        /** @description Null: there are no more. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description CURRENCY_NOT_SUPPORTED, VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "CURRENCY_NOT_SUPPORTED" | "VALIDATION_FAILED";
                        };
                    };
                };
            };
            /** @description UNAUTHORIZED */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Unauthorized",
                     *         "code": "UNAUTHORIZED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAUTHORIZED";
                        };
                    };
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Too many requests.",
                     *         "code": "RATE_LIMITED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "RATE_LIMITED";
                        };
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    getConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "google": null,
                     *       "signup": "open"
                     *     }
                     */
                    "application/json": {
                        /** @description Null: sign-in with Google is not configured. */
                        google: {
                            clientId: string;
                        } | null;
                        /** @enum {unknown} */
                        signup: "open" | "closed";
                    };
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Something went wrong on our side.",
                     *         "code": "INTERNAL"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "INTERNAL";
                        };
                    };
                };
            };
            /** @description UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The service cannot reach its database. Try again shortly.",
                     *         "code": "UNAVAILABLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
}
