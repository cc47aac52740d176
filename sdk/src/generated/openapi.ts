/** The types of every operation. Made by `npm run generate` from openapi.json (d302ce8425128ac3). */
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
         * @description The response and its timing do not reveal whether the address has an account. A 200 means that the mail is stored and will be sent: at once, or later if the mailbox has reached its limit of mails that anybody can cause.
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
         * @description Programs get the access token. A GET that accepts text/html is redirected to the page /confirm, which asks for a click and then calls this endpoint as a program. So mail scanners that open links do not consume them.
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
        /** Inspect a magic link without consuming it */
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
         * Disown a mail (“This wasn’t you?”)
         * @description Takes the token of the “This wasn’t you?” button of a mail, valid for 7 days. It voids the address’s sign-in links and pauses mails that others can cause. If the mail led to a sign-in or a change, it also signs the user out everywhere and makes the keys that came from it, and their descendants, await the owner. These are, by kind of mail: the keys that the sign-in by its link created, rotated or kept; the keys that it reported; the keys created since the Google connection that it reported, which is removed; or all keys of the unclaimed account whose signup it reported. A second call changes nothing.
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
         * End the pause of mails
         * @description Takes the token of the button in the daily mail to a paused address, valid for 7 days. A second call changes nothing.
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
         * @description Navigate the browser to this URL; do not call it with fetch. Google must return the browser to the callback within ten minutes. Up to three sign-ins can be in progress in one browser.
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
         * @description Requires the cookie set by `/auth/google/start` in this browser. Returns JSON. If the sign-in was started with `redirectTo`, a browser is redirected there with `token` and `needsOnboarding`, or `error` and `error_description`, in the fragment.
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
         * @description A credential works once, for at most an hour.
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
        /** Get the connected Google account */
        get: operations["getGoogleConnection"];
        put?: never;
        /**
         * Connect a Google account
         * @description Requires a token from a magic-link or Google sign-in in the last ten minutes, and a One Tap credential. The Google account may have any address. If the address of the account is proven, a mail notifies its owner. Connecting the same Google account again changes nothing.
         */
        post: operations["connectGoogle"];
        /**
         * Disconnect the Google account
         * @description Requires a token from a magic-link or Google sign-in in the last ten minutes. Sign-in by magic link remains available. If the address of the account is proven, a mail notifies its owner. Access tokens from Google sign-ins stay valid; `POST /auth/tokens/revoke` ends them.
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
         * @description The account stays unclaimed until somebody proves the address. A mail notifies the owner of the address.
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
         * @description The response is the same for an unknown id, a wrong secret, a revoked key, an expired key and a key of a disabled account.
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
         * @description Idempotent: revoking a key again changes nothing and returns the same, unless the caller’s token is from that key: its tokens are refused from then on, so the second call is UNAUTHORIZED. On an account with a proven address, a token from an API key can revoke only that key and the keys created with it, transitively; any other key is SIGN_IN_REQUIRED.
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
         * Rotate the secret of an API key
         * @description Access tokens already issued for the key stay valid; revoke the key to end them. A secret still in the grace period of an earlier rotation stops working. On an account with a proven address, a token from an API key can rotate only that key and the keys created with it, transitively; any other key is SIGN_IN_REQUIRED.
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
         * Keep an API key that awaits its owner
         * @description Requires a token from a magic-link or Google sign-in. Keeping a key that is not AWAITS_OWNER changes nothing.
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
         * List the descendants of an API key
         * @description A descendant is a key that a token of this key, or of another descendant, created or rotated. Of the revoked and expired keys, only those in the list of keys are included. `POST /auth/api-keys/:id/revoke?withDescendants=true` revokes the key and its descendants.
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
         * Report leaked API key secrets
         * @description Open to everyone, for example secret scanners. The key of a valid secret is revoked at once, and its owner is notified by mail if the address is proven. There is no mail about a key that awaits its owner.
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
         * @description Newest first. `amount` is null if it cannot be converted to the call’s currency. With `status`, a page searches at most 1000 links: it may be short or empty and still have a `nextCursor`.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description With an `Idempotency-Key` the call can be repeated safely for 24 hours: the same key and body return the same response and create no second link. An API key shares its Idempotency-Keys with the keys created with it. A person’s sign-ins share theirs until the person signs out everywhere.
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
         * @description A deactivated link cannot be activated again. A second call changes nothing.
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
         * Get the public part of a payment link
         * @description The amount is in the link’s own currency; `X-Currency` has no effect.
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
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the current user */
        get: operations["getMe"];
        put?: never;
        post?: never;
        /**
         * Delete the current user
         * @description Requires a token from a magic-link or Google sign-in in the last ten minutes, and a proven address. After the response, nothing of the account works or is visible, and its address is free for a new account. Google identity, sign-in links and queued mail are deleted at once; keys, events and payment links within seconds, or within minutes for very large accounts.
         */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        /** Update the current user */
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
         * Export everything stored about the current user
         * @description Mails and events about the mailbox or the address are left out until the address is proven. After that, a token from a magic-link or Google sign-in is required.
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
         * @description Increments the user’s tokenVersion, which invalidates every access token of the user, including the token of this call. API keys stay valid and can be exchanged again. On an account with a proven address, a token from a magic-link or Google sign-in is required.
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
         * @description Events are kept for EVENTS_KEEP_DAYS days, by default 180. Events about the mailbox or the address are shown only after the address is proven.
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
        /** Get the available sign-in methods */
        get: operations["getConfig"];
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
         * Authenticate a call for a gateway (forward-auth)
         * @description A gateway calls it before it forwards a call, with the `Authorization` and `X-Currency` of that call. Do not cache the response: a revoked token is refused from the next call on. All methods except CONNECT, and all paths below this one, behave the same; the body is ignored.
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
                    redirectTo?: string | null;
                };
            };
        };
        responses: {
            /** @description The request is accepted. The response is the same for every address. */
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
                     *         "message": "This endpoint cannot be called from a page of another site.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                /** @description The URL to redirect the browser to afterwards. Overrides the one of `POST /auth/request`. */
                redirectTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in. The link is consumed. */
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
                        /** @description True if there is no display name, or API keys await the owner. */
                        needsOnboarding: boolean;
                    };
                };
            };
            /** @description A browser is redirected to the page /confirm. */
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
                     *         "message": "Signup is closed: this service does not accept new accounts.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The address and expiry of the link, which is not consumed. */
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
                        /** @description The masked address of the link. */
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
                     *         "message": "The request is malformed or does not match the schema of this endpoint.",
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
                     *         "message": "This endpoint cannot be called from a page of another site.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                    /** @description The token of the button in the mail. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done, by this call or an earlier one. */
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
                     *         "message": "The request is malformed or does not match the schema of this endpoint.",
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
                     *         "message": "This endpoint cannot be called from a page of another site.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                    /** @description The token of the button in the mail. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done, by this call or an earlier one. */
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
                     *         "message": "The request is malformed or does not match the schema of this endpoint.",
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
                     *         "message": "This endpoint cannot be called from a page of another site.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                /** @description The URL to redirect the browser to afterwards, on the frontend’s origin. */
                redirectTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirects to Google’s consent screen. If Google is unreachable or not configured, redirects a browser to its `redirectTo` with the error. */
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description GOOGLE_NOT_CONFIGURED */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This service does not offer sign-in with Google.",
                     *         "code": "GOOGLE_NOT_CONFIGURED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_NOT_CONFIGURED";
                        };
                    };
                };
            };
            /** @description GOOGLE_UNAVAILABLE, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_UNAVAILABLE" | "UNAVAILABLE";
                        };
                    };
                };
            };
        };
    };
    googleCallback: {
        parameters: {
            query: {
                /** @description The authorization code. Required unless there is an `error`. */
                code?: string;
                /** @description The state of the sign-in that was started. */
                state: string;
                /** @description The issuer (RFC 9207). */
                iss?: string;
                /** @description Replaces the code if the sign-in failed (RFC 6749, section 4.1.2.1). */
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
                        /** @description True if there is no display name, the address is not proven, or API keys await the owner. */
                        needsOnboarding: boolean;
                        user: {
                            id: string;
                            email: string;
                            role: string;
                        };
                    };
                };
            };
            /** @description A browser is redirected to the `redirectTo` of its sign-in. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_FAILED, OAUTH_STATE_INVALID, OAUTH_DENIED, REDIRECT_NOT_ALLOWED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "VALIDATION_FAILED" | "OAUTH_STATE_INVALID" | "OAUTH_DENIED" | "REDIRECT_NOT_ALLOWED";
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description GOOGLE_NOT_CONFIGURED */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This service does not offer sign-in with Google.",
                     *         "code": "GOOGLE_NOT_CONFIGURED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_NOT_CONFIGURED";
                        };
                    };
                };
            };
            /** @description GOOGLE_UNAVAILABLE, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_UNAVAILABLE" | "UNAVAILABLE";
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
                    select_by?: string | null;
                    clientId?: string | null;
                    client_id?: string | null;
                    state?: string | null;
                    g_csrf_token?: string | null;
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
                        /** @description True if there is no display name, the address is not proven, or API keys await the owner. */
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
                     *         "message": "The request is malformed or does not match the schema of this endpoint.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description GOOGLE_NOT_CONFIGURED */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This service does not offer sign-in with Google.",
                     *         "code": "GOOGLE_NOT_CONFIGURED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_NOT_CONFIGURED";
                        };
                    };
                };
            };
            /** @description GOOGLE_UNAVAILABLE, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_UNAVAILABLE" | "UNAVAILABLE";
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
            /** @description The connected Google account, or null. */
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
                            /** @description The address of the Google account at its last sign-in. */
                            email: string;
                            /** Format: date-time */
                            connectedAt: string;
                        } | null;
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description GOOGLE_NOT_CONFIGURED */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This service does not offer sign-in with Google.",
                     *         "code": "GOOGLE_NOT_CONFIGURED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_NOT_CONFIGURED";
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
                    select_by?: string | null;
                    clientId?: string | null;
                    client_id?: string | null;
                    state?: string | null;
                    g_csrf_token?: string | null;
                };
            };
        };
        responses: {
            /** @description The connected Google account, or null. */
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
                            /** @description The address of the Google account at its last sign-in. */
                            email: string;
                            /** Format: date-time */
                            connectedAt: string;
                        } | null;
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
                     *         "message": "Another Google account is connected to this account. Disconnect it first.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description GOOGLE_NOT_CONFIGURED */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This service does not offer sign-in with Google.",
                     *         "code": "GOOGLE_NOT_CONFIGURED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_NOT_CONFIGURED";
                        };
                    };
                };
            };
            /** @description GOOGLE_UNAVAILABLE, UNAVAILABLE */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_UNAVAILABLE" | "UNAVAILABLE";
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
            /** @description The connected Google account, or null. */
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
                            /** @description The address of the Google account at its last sign-in. */
                            email: string;
                            /** Format: date-time */
                            connectedAt: string;
                        } | null;
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
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description GOOGLE_NOT_CONFIGURED */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This service does not offer sign-in with Google.",
                     *         "code": "GOOGLE_NOT_CONFIGURED"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            message: string;
                            /** @enum {unknown} */
                            code: "GOOGLE_NOT_CONFIGURED";
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
                    name?: string | null;
                    keyName?: string | null;
                };
            };
        };
        responses: {
            /** @description The account and its first key are created. */
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
                        /** @description Returned only in this response. */
                        keySecret: string;
                        /** @description An access token of the first key. */
                        token: string;
                        /** @enum {string} */
                        tokenType: "Bearer";
                        expiresInSeconds: number;
                        /** @description True: the address is not proven yet. */
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
                     *         "message": "The request is malformed or does not match the schema of this endpoint.",
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
                     *         "message": "An account with this e-mail address exists, perhaps from an earlier signup whose answer was lost. If you have an API key of the account, exchange it at POST /auth/api/token. Otherwise the holder of the address must sign in by magic link (POST /auth/request) and create a key.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description An access token, valid for one hour. */
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
                     *         "message": "The request is malformed or does not match the schema of this endpoint.",
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
                     *         "message": "This API key was created before the owner of the address first signed in. It works again after the owner keeps it.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The keys, newest first. Of the revoked and of the expired keys, only the latest hundred each. */
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
                            /** @description The record id, used in paths. */
                            id: string;
                            name: string;
                            /** @description The public id of the credential, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: created before the owner of the address first signed in; works again after the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was created.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged for a token, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
                        }[];
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                    name?: string | null;
                    expiresInDays?: number | null;
                };
            };
        };
        responses: {
            /** @description The key is created. Its secret is in this response only. */
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
                            /** @description The record id, used in paths. */
                            id: string;
                            name: string;
                            /** @description The public id of the credential, `plk_…`. */
                            keyId: string;
                            /**
                             * Format: date-time
                             * @description When the key was created.
                             */
                            createdAt: string;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                        };
                        /** @description Returned only in this response. */
                        keySecret: string;
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                /** @description Also revoke every key that a token of this key, or of its descendants, created or rotated. */
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
            /** @description The current state of the key. */
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
                            /** @description The record id, used in paths. */
                            id: string;
                            name: string;
                            /** @description The public id of the credential, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: created before the owner of the address first signed in; works again after the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was created.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged for a token, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
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
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                    graceSeconds?: number | null;
                };
            };
        };
        responses: {
            /** @description The key and its new secret; the keyId stays the same. */
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
                            /** @description The record id, used in paths. */
                            id: string;
                            name: string;
                            /** @description The public id of the credential, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: created before the owner of the address first signed in; works again after the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was created.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged for a token, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
                        };
                        /** @description The new secret, returned only in this response. */
                        keySecret: string;
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
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted.",
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
                     *         "message": "This API key is revoked, expired or awaiting its owner.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The current state of the key. */
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
                            /** @description The record id, used in paths. */
                            id: string;
                            name: string;
                            /** @description The public id of the credential, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: created before the owner of the address first signed in; works again after the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was created.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged for a token, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
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
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The descendants, newest first, without the key itself. */
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
                            /** @description The record id, used in paths. */
                            id: string;
                            name: string;
                            /** @description The public id of the credential, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: created before the owner of the address first signed in; works again after the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was created.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged for a token, to the minute. */
                            lastUsedAt: string | null;
                            /** @description When the key stops working. */
                            expiresAt: string | null;
                            /** @description When the key was revoked. */
                            revokedAt: string | null;
                        }[];
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                        /** @description The secret as found, `pls_…`. */
                        keySecret: string;
                        seenAt?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description The report is accepted. The response is the same for valid and invalid secrets. */
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
                     *         "message": "The request is malformed or does not match the schema of this endpoint.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The page size, 1 to 100. Default: 50. */
                limit?: string;
                status?: "ACTIVE" | "INACTIVE" | "EXPIRED";
                /** @description Only links with exactly this reference. */
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
                            /** @description The page that the payer opens. */
                            url: string;
                            title: string;
                            /** @description The caller’s own reference. */
                            reference: string | null;
                            /**
                             * @description INACTIVE: deactivated, or held until the owner keeps the API key that created it.
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
                                /** @description Units of the call’s currency per unit of the original currency, to ten decimals. The amount is computed from the exact quotient. */
                                rate: string;
                                /** Format: date */
                                date: string;
                                /** @enum {string} */
                                source: "BNR";
                            } | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description When the link expires. */
                            expiresAt: string | null;
                            /** @description Null: no exchange rate is available. */
                            amount: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            } | null;
                        }[];
                        /** @description Null on the last page, and only there: other pages may also have fewer links than `limit`. */
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                /** @description A text unique to this request, for example a UUID. */
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
                     * @description What the payment is for. The payer sees it.
                     */
                    title: string;
                    reference?: string | null;
                    expiresAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The link is created. */
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
                            /** @description The page that the payer opens. */
                            url: string;
                            title: string;
                            /** @description The caller’s own reference. */
                            reference: string | null;
                            /**
                             * @description INACTIVE: deactivated, or held until the owner keeps the API key that created it.
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
                                /** @description Units of the call’s currency per unit of the original currency, to ten decimals. The amount is computed from the exact quotient. */
                                rate: string;
                                /** Format: date */
                                date: string;
                                /** @enum {string} */
                                source: "BNR";
                            } | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description When the link expires. */
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The current state of the link. */
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
                            /** @description The page that the payer opens. */
                            url: string;
                            title: string;
                            /** @description The caller’s own reference. */
                            reference: string | null;
                            /**
                             * @description INACTIVE: deactivated, or held until the owner keeps the API key that created it.
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
                                /** @description Units of the call’s currency per unit of the original currency, to ten decimals. The amount is computed from the exact quotient. */
                                rate: string;
                                /** Format: date */
                                date: string;
                                /** @enum {string} */
                                source: "BNR";
                            } | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description When the link expires. */
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The current state of the link. Its `amount` is null if no exchange rate is available. */
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
                            /** @description The page that the payer opens. */
                            url: string;
                            title: string;
                            /** @description The caller’s own reference. */
                            reference: string | null;
                            /**
                             * @description INACTIVE: deactivated, or held until the owner keeps the API key that created it.
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
                                /** @description Units of the call’s currency per unit of the original currency, to ten decimals. The amount is computed from the exact quotient. */
                                rate: string;
                                /** Format: date */
                                date: string;
                                /** @enum {string} */
                                source: "BNR";
                            } | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** @description When the link expires. */
                            expiresAt: string | null;
                            /** @description Null: no exchange rate is available. */
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The link, without anything about its owner. */
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
                            /** @description Null while the link is held: its account is disabled, or its owner has not kept the API key that created it. */
                            title: string | null;
                            /** @description Null while the link is held: its account is disabled, or its owner has not kept the API key that created it. */
                            amount: {
                                /** @description In minor units: 1050 is 10.50. */
                                value: number;
                                /** @enum {unknown} */
                                currency: "RON" | "EUR" | "GBP";
                            } | null;
                            /**
                             * @description Only an ACTIVE link can be paid.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "INACTIVE" | "EXPIRED";
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
                     *         "message": "The request is malformed or does not match the schema of this endpoint.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The current state of the account. */
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
                            /** @description True if there is no display name, the address is not proven, or API keys await the owner. */
                            needsOnboarding: boolean;
                            /** Format: date-time */
                            createdAt: string;
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The account is deleted. */
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
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                    /** @description Null clears it. */
                    name: string | null;
                };
            };
        };
        responses: {
            /** @description The current state of the account. */
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
                            /** @description True if there is no display name, the address is not proven, or API keys await the owner. */
                            needsOnboarding: boolean;
                            /** Format: date-time */
                            createdAt: string;
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description Everything stored, except the hashes of secrets. */
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
                            /** @description The record id, used in paths. */
                            id: string;
                            name: string;
                            /** @description The public id of the credential, `plk_…`. */
                            keyId: string;
                            /**
                             * @description AWAITS_OWNER: created before the owner of the address first signed in; works again after the owner keeps it.
                             * @enum {unknown}
                             */
                            status: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
                            /**
                             * Format: date-time
                             * @description When the key was created.
                             */
                            createdAt: string;
                            /** @description When the key was last exchanged for a token, to the minute. */
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
                            /** @enum {unknown} */
                            how: "created" | "rotated" | "kept";
                            makerApiKeyId: string | null;
                            signInId: string | null;
                            /** Format: date-time */
                            at: string;
                            lastAt: string | null;
                        }[];
                        events: {
                            id: string;
                            /**
                             * @description `account_created`: The account was created, by signup or a first sign-in. `signup_refused`: Somebody tried to sign up with this address. `account_claimed`: The address was proven: keys created before await the owner. `signed_in`: A person signed in; `detail` says how. `sign_in_refused`: A link sent to this address was used twice or after it expired. With `detail` google: a Google account with this address is not connected. With `detail` disabled: a link was requested while the account was disabled. `google_connected`: A Google account was connected, by joining at its first sign-in or by a signed-in user; `detail` is its address. `google_disconnected`: The Google account was disconnected; `detail` is its address. `tokens_revoked`: Every access token was revoked; with `detail` operator, by the operator of the service. `key_created`: An API key was created; with `detail` operator, by the operator of the service. `key_rotated`: An API key got a new secret. `key_kept`: An API key that awaited the owner works again. `key_revoked`: An API key was revoked; with `detail` operator, by the operator of the service. `key_leaked`: The secret of an API key was found in the open, and the key was revoked; `detail` says where. `key_expiring`: The owner was notified that an API key is about to expire. `exchange_refused`: An exchange was refused: the secret was wrong, or the API key is not active. `limit_hit`: A rate limit refused a call; `detail` names the limit. `renamed`: The display name was changed. `exported`: The account’s data was exported. `payment_link_deactivated`: Payment links were deactivated; `times` says how many. `not_me`: Somebody with access to the mailbox reported a mail with "this wasn’t me". `mail_resumed`: The pause of mails to this address was ended. `account_disabled`: The operator of the service disabled the account: nobody can sign in to it, and every access token is revoked. `account_enabled`: The operator of the service enabled the account again.
                             * @enum {unknown}
                             */
                            type: "account_created" | "signup_refused" | "account_claimed" | "signed_in" | "sign_in_refused" | "google_connected" | "google_disconnected" | "tokens_revoked" | "key_created" | "key_rotated" | "key_kept" | "key_revoked" | "key_leaked" | "key_expiring" | "exchange_refused" | "limit_hit" | "renamed" | "exported" | "payment_link_deactivated" | "not_me" | "mail_resumed" | "account_disabled" | "account_enabled";
                            /** Format: date-time */
                            at: string;
                            /** @description The client’s IPv4 address or IPv6 /64. Null: no call caused the event, or calls from many networks did. */
                            client: string | null;
                            /** @description The record id of the API key that the event is about. */
                            apiKeyId: string | null;
                            /** @description The record id of the API key whose token caused the event. Null: no key’s token did. */
                            byApiKeyId: string | null;
                            /** @description Details, depending on the type. */
                            detail: string | null;
                            /** @description How often it happened. Repeatable events, such as failures, are combined into one per hour, with the time of the first. */
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
                            /** @enum {unknown} */
                            action: "not_me" | "resume_mail";
                            /** @enum {unknown} */
                            mailKind: "sign_in" | "signup_notice" | "google_notice" | "security_notice";
                            /** Format: date-time */
                            mailedAt: string;
                            /** Format: date-time */
                            expiresAt: string;
                            signInId: string | null;
                            tellsSince: string | null;
                            usedAt: string | null;
                        }[];
                        queuedMails: {
                            /** @enum {unknown} */
                            kind: "sign_in" | "signup_notice" | "google_notice" | "security_notice";
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
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description Every access token issued before this response is invalid. */
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
            /** @description SIGN_IN_REQUIRED */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted.",
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description The page size, 1 to 100. Default: 50. */
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
            /** @description A page of events. It may be short, or empty, although more follow. */
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
                             * @description `account_created`: The account was created, by signup or a first sign-in. `signup_refused`: Somebody tried to sign up with this address. `account_claimed`: The address was proven: keys created before await the owner. `signed_in`: A person signed in; `detail` says how. `sign_in_refused`: A link sent to this address was used twice or after it expired. With `detail` google: a Google account with this address is not connected. With `detail` disabled: a link was requested while the account was disabled. `google_connected`: A Google account was connected, by joining at its first sign-in or by a signed-in user; `detail` is its address. `google_disconnected`: The Google account was disconnected; `detail` is its address. `tokens_revoked`: Every access token was revoked; with `detail` operator, by the operator of the service. `key_created`: An API key was created; with `detail` operator, by the operator of the service. `key_rotated`: An API key got a new secret. `key_kept`: An API key that awaited the owner works again. `key_revoked`: An API key was revoked; with `detail` operator, by the operator of the service. `key_leaked`: The secret of an API key was found in the open, and the key was revoked; `detail` says where. `key_expiring`: The owner was notified that an API key is about to expire. `exchange_refused`: An exchange was refused: the secret was wrong, or the API key is not active. `limit_hit`: A rate limit refused a call; `detail` names the limit. `renamed`: The display name was changed. `exported`: The account’s data was exported. `payment_link_deactivated`: Payment links were deactivated; `times` says how many. `not_me`: Somebody with access to the mailbox reported a mail with "this wasn’t me". `mail_resumed`: The pause of mails to this address was ended. `account_disabled`: The operator of the service disabled the account: nobody can sign in to it, and every access token is revoked. `account_enabled`: The operator of the service enabled the account again.
                             * @enum {unknown}
                             */
                            type: "account_created" | "signup_refused" | "account_claimed" | "signed_in" | "sign_in_refused" | "google_connected" | "google_disconnected" | "tokens_revoked" | "key_created" | "key_rotated" | "key_kept" | "key_revoked" | "key_leaked" | "key_expiring" | "exchange_refused" | "limit_hit" | "renamed" | "exported" | "payment_link_deactivated" | "not_me" | "mail_resumed" | "account_disabled" | "account_enabled";
                            /** Format: date-time */
                            at: string;
                            /** @description The client’s IPv4 address or IPv6 /64. Null: no call caused the event, or calls from many networks did. */
                            client: string | null;
                            /** @description The record id of the API key that the event is about. */
                            apiKeyId: string | null;
                            /** @description The record id of the API key whose token caused the event. Null: no key’s token did. */
                            byApiKeyId: string | null;
                            /** @description Details, depending on the type. */
                            detail: string | null;
                            /** @description How often it happened. Repeatable events, such as failures, are combined into one per hour, with the time of the first. */
                            times: number;
                        }[];
                        /** @description Null: there are no more events. */
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
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The available sign-in methods. */
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
            /** @description VALIDATION_FAILED */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "The request is malformed or does not match the schema of this endpoint.",
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
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
            /** @description The call is allowed. The headers identify its caller, for the gateway to forward. */
            200: {
                headers: {
                    /** @description The caller’s user id. */
                    "X-User-Id"?: string;
                    /** @description The user’s role. */
                    "X-User-Role"?: string;
                    /** @description The record id of the API key that the token was issued for. Absent: the token is from a sign-in. */
                    "X-Api-Key-Id"?: string;
                    /** @description The currency of the call, or the default. */
                    "X-Currency"?: string;
                    [name: string]: unknown;
                };
                content?: never;
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
            /** @description INTERNAL */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "Internal error. Report it with the X-Request-Id of this response.",
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
