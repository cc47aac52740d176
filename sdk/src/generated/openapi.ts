/** The types of every operation. Made by `npm run generate` from openapi.json (f4d1069fef65d044). */
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
        /**
         * Inspect a magic link without consuming it
         * @description For a page that shows whose link it is before it is used.
         */
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
        /**
         * Get the connected Google account
         * @description The connected Google account signs in to this account.
         */
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
        /**
         * List the API keys of the authenticated user
         * @description Every key of the account, also those that a program created. Ended keys are deleted after EVENTS_KEEP_DAYS days, by default 180. Secrets are never listed.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description An account can have 25 live keys. A token from a key creates a descendant of that key: see `GET /auth/api-keys/{id}/descendants`. With an `Idempotency-Key` a call whose response was lost can be repeated safely for 24 hours: the repeat creates no second key and gets `ALREADY_CREATED`, which names the key. Rotate that key to get a secret.
         */
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
         * @description Access tokens already issued for the key stay valid; revoke the key to end them. A secret still in the grace period of an earlier rotation stops working. On an account with a proven address, a token from an API key can rotate only that key and the keys created with it, transitively; any other key is SIGN_IN_REQUIRED. With an `Idempotency-Key` a repeat within 24 hours rotates nothing and gets `ALREADY_CREATED`; another rotation, with another `Idempotency-Key`, gives a secret.
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
         * @description With an `Idempotency-Key` the call can be repeated safely for 24 hours: the same key and body return the same response, with `Idempotent-Replayed: true`, and create no second link. An API key shares its Idempotency-Keys with the keys created with it. A person’s sign-ins share theirs until the person signs out everywhere.
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
        /**
         * Get a payment link
         * @description Only the caller’s own. `GET /payment-links/{id}/public` is what a payer sees.
         */
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
         * @description The amount is in the link’s own currency; `X-Currency` has no effect. A link is deleted PAYMENT_LINK_RETENTION_DAYS days after it expired or was deactivated, by default 400, and is then NOT_FOUND.
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
        /**
         * Get the current user
         * @description The account of the token’s user.
         */
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
        /**
         * Update the current user
         * @description Sets the display name.
         */
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
         * @description Amounts are in the currency of the call. Mails and events about the mailbox or the address are left out until the address is proven. After that, a token from a magic-link or Google sign-in is required.
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
        /**
         * Get the available sign-in methods
         * @description For sign-in pages: whether to show the Google button, and whether new accounts are accepted.
         */
        get: operations["getConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the documentation
         * @description The base URL itself, with or without a slash at the end.
         */
        get: operations["getIndex"];
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
    schemas: {
        ApiKey: {
            /** @description The record id, used in paths. */
            id: string;
            name: string;
            /** @description The public id of the credential, `plk_…`. */
            keyId: string;
            status: components["schemas"]["ApiKeyStatus"];
            /**
             * Format: date-time
             * @description When the key was created.
             */
            createdAt: string;
            /** @description The last call made with the key or one of its tokens, at most a minute late. */
            lastUsedAt: string | null;
            /** @description When the key stops working. */
            expiresAt: string | null;
            /** @description When the key was revoked. */
            revokedAt: string | null;
        };
        /**
         * @description AWAITS_OWNER: created before the owner of the address first signed in; works again after the owner keeps it.
         * @enum {string}
         */
        ApiKeyStatus: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
        ConnectGoogleRequest: {
            /** @description The JWT issued by Google’s One Tap. */
            credential: string;
            select_by?: string | null;
            clientId?: string | null;
            client_id?: string | null;
            state?: string | null;
            g_csrf_token?: string | null;
        };
        ConnectGoogleResult: {
            connection: components["schemas"]["GoogleConnection"] | null;
        };
        CreateKeyRequest: {
            name?: string | null;
            expiresInDays?: number | null;
        };
        CreateKeyResult: {
            apiKey: components["schemas"]["NewApiKey"];
            /** @description Returned only in this response. */
            keySecret: string;
        };
        CreatePaymentLinkRequest: {
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
        CreatePaymentLinkResult: {
            paymentLink: components["schemas"]["PaymentLink"];
        };
        /** @enum {string} */
        Currency: "RON" | "EUR" | "GBP";
        DeactivatePaymentLinkResult: {
            paymentLink: components["schemas"]["PaymentLink"];
        };
        DeleteMeResult: {
            ok: boolean;
        };
        DisconnectGoogleResult: {
            connection: components["schemas"]["GoogleConnection"] | null;
        };
        ExchangeRate: {
            /** @description Units of the call’s currency per unit of the original currency, to ten decimals. The amount is computed from the exact quotient. */
            rate: string;
            /** Format: date */
            date: string;
            /**
             * @description BNR: National Bank of Romania. SAMPLE: not a real rate; in development only.
             * @enum {string}
             */
            source: "BNR" | "SAMPLE";
        };
        ExchangeTokenRequest: {
            /** @description The API key id, `plk_…`. */
            keyId: string;
            /** @description The API key secret, `pls_…`. */
            keySecret: string;
        };
        ExchangeTokenResult: {
            token: string;
            /** @enum {string} */
            tokenType: "Bearer";
            expiresInSeconds: number;
            user: components["schemas"]["SignedInUser"];
        };
        ExportMeResult: {
            user: components["schemas"]["ExportedUser"];
            identities: components["schemas"]["ExportedIdentity"][];
            apiKeys: components["schemas"]["ExportedApiKey"][];
            keyMakers: components["schemas"]["ExportedKeyMaker"][];
            events: components["schemas"]["SecurityEvent"][];
            paymentLinks: components["schemas"]["ExportedPaymentLink"][];
            signInLinks: components["schemas"]["ExportedSignInLink"][];
            mailButtons: components["schemas"]["ExportedMailButton"][];
            queuedMails: components["schemas"]["ExportedMail"][];
            mailPause: components["schemas"]["ExportedMailPause"] | null;
        };
        ExportedApiKey: {
            /** @description The record id, used in paths. */
            id: string;
            name: string;
            /** @description The public id of the credential, `plk_…`. */
            keyId: string;
            status: components["schemas"]["ApiKeyStatus"];
            /**
             * Format: date-time
             * @description When the key was created.
             */
            createdAt: string;
            /** @description The last call made with the key or one of its tokens, at most a minute late. */
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
        };
        /** @description A connected account of an OpenID provider. */
        ExportedIdentity: {
            issuer: string;
            subject: string;
            email: string;
            /** Format: date-time */
            connectedAt: string;
            signInId: string;
        };
        /** @description The API key or the sign-in whose token created, rotated or kept a key. The user id stands for keys that are deleted from the record. */
        ExportedKeyMaker: {
            apiKeyId: string;
            /** @enum {string} */
            how: "created" | "rotated" | "kept";
            makerApiKeyId: string | null;
            signInId: string | null;
            /** Format: date-time */
            at: string;
            lastAt: string | null;
        };
        ExportedMail: {
            kind: components["schemas"]["MailKind"];
            locale: string;
            redirectTo: string | null;
            /** Format: date-time */
            createdAt: string;
            tellsSince: string | null;
            /** Format: date-time */
            dueAt: string;
            attempts: number;
        };
        ExportedMailButton: {
            /** @enum {string} */
            action: "not_me" | "resume_mail";
            mailKind: components["schemas"]["MailKind"];
            /** Format: date-time */
            mailedAt: string;
            /** Format: date-time */
            expiresAt: string;
            signInId: string | null;
            tellsSince: string | null;
            usedAt: string | null;
        };
        ExportedMailPause: {
            /** Format: date-time */
            pausedAt: string;
            mailedAt: string | null;
        };
        ExportedPaymentLink: {
            id: string;
            title: string;
            reference: string | null;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description In the currency of the call. Null: no exchange rate of the last seven days is available. */
            amount: components["schemas"]["Money"] | null;
            original: components["schemas"]["Money"];
            /** @description Null: the amount was not converted. */
            exchangeRate: components["schemas"]["ExchangeRate"] | null;
            apiKeyId: string | null;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            deactivatedAt: string | null;
        };
        ExportedSignInLink: {
            /** Format: date-time */
            expiresAt: string;
            redirectTo: string | null;
        };
        ExportedUser: {
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
        GetConfigResult: {
            /** @description Null: sign-in with Google is not configured. */
            google: components["schemas"]["GetConfigResultGoogle"] | null;
            /** @enum {string} */
            signup: "open" | "closed";
        };
        GetConfigResultGoogle: {
            clientId: string;
        };
        GetGoogleConnectionResult: {
            connection: components["schemas"]["GoogleConnection"] | null;
        };
        GetIndexResult: {
            name: string;
            /** @description For agents: how to sign up and create a payment link, on one page of text. */
            guide: string;
            openapi: string;
            documentation: string;
            /** @description Every error code with its cause and cure. */
            errors: string;
        };
        GetMeResult: {
            user: components["schemas"]["User"];
        };
        GetPaymentLinkResult: {
            paymentLink: components["schemas"]["PaymentLink"];
        };
        GetPublicPaymentLinkResult: {
            paymentLink: components["schemas"]["PublicPaymentLink"];
        };
        GoogleCallbackResult: {
            /** @description The access token, valid for 7 days. */
            token: string;
            /** @description True if there is no display name, the address is not proven, or API keys await the owner. */
            needsOnboarding: boolean;
            user: components["schemas"]["SignedInUser"];
        };
        GoogleConnection: {
            /** @description The address of the Google account at its last sign-in. */
            email: string;
            /** Format: date-time */
            connectedAt: string;
        };
        InspectLinkRequest: {
            /** @description The token of the mailed link. */
            token: string;
        };
        InspectLinkResult: {
            /** @description The masked address of the link. */
            email: string;
            /** Format: date-time */
            expiresAt: string;
        };
        KeepKeyResult: {
            apiKey: components["schemas"]["ApiKey"];
        };
        LeakedSecret: {
            /** @description The secret as found, `pls_…`. */
            keySecret: string;
            seenAt?: string | null;
        };
        ListDescendantsResult: {
            apiKeys: components["schemas"]["ApiKey"][];
        };
        ListEventsResult: {
            events: components["schemas"]["SecurityEvent"][];
            /** @description Null: there are no more events. */
            nextCursor: string | null;
        };
        ListKeysResult: {
            apiKeys: components["schemas"]["ApiKey"][];
        };
        ListPaymentLinksResult: {
            paymentLinks: components["schemas"]["PaymentLink"][];
            /** @description Null on the last page, and only there: other pages may also have fewer links than `limit`. */
            nextCursor: string | null;
        };
        /** @enum {string} */
        MailKind: "sign_in" | "signup_notice" | "google_notice" | "security_notice";
        Money: {
            /** @description In minor units: 1050 is 10.50. */
            value: number;
            currency: components["schemas"]["Currency"];
        };
        NewApiKey: {
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
        NotMeRequest: {
            /** @description The token of the button in the mail. */
            token: string;
        };
        NotMeResult: {
            ok: boolean;
        };
        OneTapRequest: {
            /** @description The JWT issued by Google’s One Tap. */
            credential: string;
            select_by?: string | null;
            clientId?: string | null;
            client_id?: string | null;
            state?: string | null;
            g_csrf_token?: string | null;
        };
        OneTapResult: {
            /** @description The access token, valid for 7 days. */
            token: string;
            /** @description True if there is no display name, the address is not proven, or API keys await the owner. */
            needsOnboarding: boolean;
            user: components["schemas"]["SignedInUser"];
        };
        PaymentLink: {
            id: string;
            /** @description The page that the payer opens. */
            url: string;
            title: string;
            /** @description The caller’s own reference. */
            reference: string | null;
            status: components["schemas"]["PaymentLinkStatus"];
            /** @description In the currency of the call. Null: no exchange rate of the last seven days is available. */
            amount: components["schemas"]["Money"] | null;
            original: components["schemas"]["Money"];
            /** @description Null: the amount was not converted. */
            exchangeRate: components["schemas"]["ExchangeRate"] | null;
            /** Format: date-time */
            createdAt: string;
            /** @description When the link expires. */
            expiresAt: string | null;
        };
        /**
         * @description INACTIVE: deactivated, or held until the owner keeps the API key that created it.
         * @enum {string}
         */
        PaymentLinkStatus: "ACTIVE" | "INACTIVE" | "EXPIRED";
        PublicPaymentLink: {
            /** @description Null while the link is held: its account is disabled, or its owner has not kept the API key that created it. */
            title: string | null;
            /** @description Null while the link is held: its account is disabled, or its owner has not kept the API key that created it. */
            amount: components["schemas"]["Money"] | null;
            /** @description Only an ACTIVE link can be paid. */
            status: components["schemas"]["PaymentLinkStatus"];
        };
        ReportLeakedRequest: {
            secrets: components["schemas"]["LeakedSecret"][];
        };
        ReportLeakedResult: {
            ok: boolean;
        };
        RequestLinkRequest: {
            /** @description The address the link is sent to. */
            email: string;
            redirectTo?: string | null;
        };
        RequestLinkResult: {
            ok: boolean;
        };
        ResumeMailRequest: {
            /** @description The token of the button in the mail. */
            token: string;
        };
        ResumeMailResult: {
            ok: boolean;
        };
        RevokeKeyResult: {
            apiKey: components["schemas"]["ApiKey"];
        };
        RevokeTokensResult: {
            ok: boolean;
        };
        RotateKeyRequest: {
            graceSeconds?: number | null;
        };
        RotateKeyResult: {
            apiKey: components["schemas"]["ApiKey"];
            /** @description The new secret, returned only in this response. */
            keySecret: string;
        };
        SecurityEvent: {
            id: string;
            type: components["schemas"]["SecurityEventType"];
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
        };
        /**
         * @description `account_created`: The account was created, by signup or a first sign-in. `signup_refused`: Somebody tried to sign up with this address. `account_claimed`: The address was proven: keys created before await the owner. `signed_in`: A person signed in; `detail` says how. `sign_in_refused`: A link sent to this address was used twice or after it expired. With `detail` google: a Google account with this address is not connected. With `detail` disabled: a link was requested while the account was disabled. `google_connected`: A Google account was connected, by joining at its first sign-in or by a signed-in user; `detail` is its address. `google_disconnected`: The Google account was disconnected; `detail` is its address. `tokens_revoked`: Every access token was revoked; with `detail` operator, by the operator of the service. `key_created`: An API key was created; with `detail` operator, by the operator of the service. `key_rotated`: An API key got a new secret. `key_kept`: An API key that awaited the owner works again. `key_revoked`: An API key was revoked; with `detail` operator, by the operator of the service. `key_leaked`: The secret of an API key was found in the open, and the key was revoked; `detail` says where. `key_expiring`: The owner was notified that an API key is about to expire. `exchange_refused`: An exchange was refused: the secret was wrong, or the API key is not active. `limit_hit`: A rate limit refused a call; `detail` names the limit. `renamed`: The display name was changed. `exported`: The account’s data was exported. `payment_link_deactivated`: Payment links were deactivated; `times` says how many. `not_me`: Somebody with access to the mailbox reported a mail with "this wasn’t me". `mail_resumed`: The pause of mails to this address was ended. `account_disabled`: The operator of the service disabled the account: nobody can sign in to it, and every access token is revoked. `account_enabled`: The operator of the service enabled the account again.
         * @enum {string}
         */
        SecurityEventType: "account_created" | "signup_refused" | "account_claimed" | "signed_in" | "sign_in_refused" | "google_connected" | "google_disconnected" | "tokens_revoked" | "key_created" | "key_rotated" | "key_kept" | "key_revoked" | "key_leaked" | "key_expiring" | "exchange_refused" | "limit_hit" | "renamed" | "exported" | "payment_link_deactivated" | "not_me" | "mail_resumed" | "account_disabled" | "account_enabled";
        SignedInUser: {
            id: string;
            email: string;
            role: string;
        };
        SignupRequest: {
            /** @description E-mail of the new account. */
            email: string;
            name?: string | null;
            keyName?: string | null;
        };
        SignupResult: {
            user: components["schemas"]["SignupResultUser"];
            apiKey: components["schemas"]["SignupResultApiKey"];
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
        SignupResultApiKey: {
            id: string;
            name: string;
            keyId: string;
        };
        SignupResultUser: {
            id: string;
            email: string;
        };
        UpdateMeRequest: {
            /** @description Null clears it. */
            name: string | null;
        };
        UpdateMeResult: {
            user: components["schemas"]["User"];
        };
        User: {
            id: string;
            email: string;
            role: string;
            name: string | null;
            /** @description True if there is no display name, the address is not proven, or API keys await the owner. */
            needsOnboarding: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        VerifyLinkResult: {
            /** @description The access token, valid for 7 days. */
            token: string;
            /** @description True if there is no display name, or API keys await the owner. */
            needsOnboarding: boolean;
        };
        /** @description An error of any code. */
        Error: {
            error: {
                /** @description For people. */
                message: string;
                code: components["schemas"]["ErrorCode"];
            };
        };
        /**
         * @description Stable, for programs.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_FAILED" | "REDIRECT_NOT_ALLOWED" | "CURRENCY_NOT_SUPPORTED" | "OAUTH_STATE_INVALID" | "OAUTH_DENIED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "LINK_INVALID" | "GOOGLE_CREDENTIAL_INVALID" | "EMAIL_NOT_VERIFIED" | "KEY_AWAITS_OWNER" | "SIGN_IN_REQUIRED" | "SIGNUP_CLOSED" | "ORIGIN_NOT_ALLOWED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "EMAIL_TAKEN" | "KEY_NOT_ACTIVE" | "KEY_LIMIT_REACHED" | "PAYMENT_LINK_LIMIT_REACHED" | "GOOGLE_ALREADY_CONNECTED" | "ALREADY_CREATED" | "IDEMPOTENCY_CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL" | "GOOGLE_NOT_CONFIGURED" | "GOOGLE_UNAVAILABLE" | "UNAVAILABLE";
        /** @description The request is malformed or does not match the schema of this endpoint. */
        ValidationFailedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "VALIDATION_FAILED";
            };
        };
        /** @description redirectTo must be an absolute URL on the origin of the application frontend. */
        RedirectNotAllowedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "REDIRECT_NOT_ALLOWED";
            };
        };
        /** @description X-Currency must be one of RON, EUR, GBP. */
        CurrencyNotSupportedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "CURRENCY_NOT_SUPPORTED";
            };
        };
        /** @description This sign-in was not started in this browser, has already finished, or has expired. Start again. */
        OauthStateInvalidError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "OAUTH_STATE_INVALID";
            };
        };
        /** @description The sign-in was cancelled, or Google refused it. */
        OauthDeniedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "OAUTH_DENIED";
            };
        };
        /** @description Unauthorized */
        UnauthorizedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "UNAUTHORIZED";
            };
        };
        /** @description The API key id or secret is not valid. */
        InvalidCredentialsError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "INVALID_CREDENTIALS";
            };
        };
        /** @description This sign-in link is unknown, used or expired. Ask for a new one. */
        LinkInvalidError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "LINK_INVALID";
            };
        };
        /** @description The Google credential is not valid, was used before, or is too old. Sign in again. */
        GoogleCredentialInvalidError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "GOOGLE_CREDENTIAL_INVALID";
            };
        };
        /** @description This Google account has no usable e-mail address that Google has verified. Sign in by magic link instead. */
        EmailNotVerifiedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "EMAIL_NOT_VERIFIED";
            };
        };
        /** @description This API key was created before the owner of the address first signed in. It works again after the owner keeps it. */
        KeyAwaitsOwnerError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "KEY_AWAITS_OWNER";
            };
        };
        /** @description This endpoint requires a token from a magic-link or Google sign-in. A token from an API key is not accepted. */
        SignInRequiredError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "SIGN_IN_REQUIRED";
            };
        };
        /** @description Signup is closed: this service does not accept new accounts. */
        SignupClosedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "SIGNUP_CLOSED";
            };
        };
        /** @description This endpoint cannot be called from a page of another site. */
        OriginNotAllowedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "ORIGIN_NOT_ALLOWED";
            };
        };
        /** @description Not found. */
        NotFoundError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "NOT_FOUND";
            };
        };
        /** @description An account with this e-mail address exists, perhaps from an earlier signup whose answer was lost. If you have an API key of the account, exchange it at POST /auth/api/token. Otherwise the holder of the address must sign in by magic link (POST /auth/request) and create a key. */
        EmailTakenError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "EMAIL_TAKEN";
            };
        };
        /** @description This API key is revoked, expired or awaiting its owner. */
        KeyNotActiveError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "KEY_NOT_ACTIVE";
            };
        };
        /** @description This account has reached its limit of API keys. Revoke one first. */
        KeyLimitReachedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "KEY_LIMIT_REACHED";
            };
        };
        /** @description This account has reached its limit of payment links. Ask the operator of this service to raise it, or create links in another account. */
        PaymentLinkLimitReachedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "PAYMENT_LINK_LIMIT_REACHED";
            };
        };
        /** @description Another Google account is connected to this account. Disconnect it first. */
        GoogleAlreadyConnectedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "GOOGLE_ALREADY_CONNECTED";
            };
        };
        /** @description An earlier request with this Idempotency-Key has already created or rotated an API key. Its secret is not shown again. Rotate the key to get a new one. */
        AlreadyCreatedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "ALREADY_CREATED";
            };
        };
        /** @description This Idempotency-Key was used for a different request (another body or `X-Currency`) in the last 24 hours. Use a new key. */
        IdempotencyConflictError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "IDEMPOTENCY_CONFLICT";
            };
        };
        /** @description The request body is larger than 64 KiB. */
        PayloadTooLargeError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "PAYLOAD_TOO_LARGE";
            };
        };
        /** @description The request body must be sent as Content-Type: application/json. */
        UnsupportedMediaTypeError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "UNSUPPORTED_MEDIA_TYPE";
            };
        };
        /** @description Too many requests. */
        RateLimitedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "RATE_LIMITED";
            };
        };
        /** @description The request headers are too large. */
        HeadersTooLargeError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "HEADERS_TOO_LARGE";
            };
        };
        /** @description Internal error. Report it with the X-Request-Id of this response. */
        InternalError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "INTERNAL";
            };
        };
        /** @description This service does not offer sign-in with Google. */
        GoogleNotConfiguredError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "GOOGLE_NOT_CONFIGURED";
            };
        };
        /** @description Google cannot be reached. Try again shortly, or sign in by magic link. */
        GoogleUnavailableError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "GOOGLE_UNAVAILABLE";
            };
        };
        /** @description The service cannot reach its database. Try again shortly. */
        UnavailableError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "UNAVAILABLE";
            };
        };
    };
    responses: {
        /** @description Another error, for example of another method of the path: NOT_FOUND, METHOD_NOT_ALLOWED, REQUEST_TIMEOUT. */
        Error: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EMAIL_NOT_VERIFIED, SIGN_IN_REQUIRED */
        EmailNotVerifiedOrSignInRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EmailNotVerifiedError"] | components["schemas"]["SignInRequiredError"];
            };
        };
        /** @description EMAIL_NOT_VERIFIED, SIGNUP_CLOSED, ORIGIN_NOT_ALLOWED */
        EmailNotVerifiedOrSignupClosedOrOriginNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EmailNotVerifiedError"] | components["schemas"]["SignupClosedError"] | components["schemas"]["OriginNotAllowedError"];
            };
        };
        /** @description EMAIL_TAKEN */
        EmailTaken: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EmailTakenError"];
            };
        };
        /** @description GOOGLE_ALREADY_CONNECTED */
        GoogleAlreadyConnected: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleAlreadyConnectedError"];
            };
        };
        /** @description GOOGLE_CREDENTIAL_INVALID */
        GoogleCredentialInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleCredentialInvalidError"];
            };
        };
        /** @description GOOGLE_NOT_CONFIGURED */
        GoogleNotConfigured: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleNotConfiguredError"];
            };
        };
        /** @description GOOGLE_UNAVAILABLE, UNAVAILABLE */
        GoogleUnavailableOrUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoogleUnavailableError"] | components["schemas"]["UnavailableError"];
            };
        };
        /** @description HEADERS_TOO_LARGE */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HeadersTooLargeError"];
            };
        };
        /** @description INTERNAL */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description INVALID_CREDENTIALS */
        InvalidCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidCredentialsError"];
            };
        };
        /** @description KEY_AWAITS_OWNER */
        KeyAwaitsOwner: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyAwaitsOwnerError"];
            };
        };
        /** @description KEY_LIMIT_REACHED */
        KeyLimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyLimitReachedError"];
            };
        };
        /** @description KEY_LIMIT_REACHED, ALREADY_CREATED, IDEMPOTENCY_CONFLICT */
        KeyLimitReachedOrAlreadyCreatedOrIdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyLimitReachedError"] | components["schemas"]["AlreadyCreatedError"] | components["schemas"]["IdempotencyConflictError"];
            };
        };
        /** @description KEY_NOT_ACTIVE, ALREADY_CREATED, IDEMPOTENCY_CONFLICT */
        KeyNotActiveOrAlreadyCreatedOrIdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyNotActiveError"] | components["schemas"]["AlreadyCreatedError"] | components["schemas"]["IdempotencyConflictError"];
            };
        };
        /** @description LINK_INVALID */
        LinkInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LinkInvalidError"];
            };
        };
        /** @description NOT_FOUND */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description ORIGIN_NOT_ALLOWED */
        OriginNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OriginNotAllowedError"];
            };
        };
        /** @description PAYLOAD_TOO_LARGE */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description PAYMENT_LINK_LIMIT_REACHED, IDEMPOTENCY_CONFLICT */
        PaymentLinkLimitReachedOrIdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PaymentLinkLimitReachedError"] | components["schemas"]["IdempotencyConflictError"];
            };
        };
        /** @description RATE_LIMITED */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description SIGN_IN_REQUIRED */
        SignInRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInRequiredError"];
            };
        };
        /** @description SIGNUP_CLOSED */
        SignupClosed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignupClosedError"];
            };
        };
        /** @description SIGNUP_CLOSED, ORIGIN_NOT_ALLOWED */
        SignupClosedOrOriginNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignupClosedError"] | components["schemas"]["OriginNotAllowedError"];
            };
        };
        /** @description UNAUTHORIZED */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /** @description UNAUTHORIZED, GOOGLE_CREDENTIAL_INVALID */
        UnauthorizedOrGoogleCredentialInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"] | components["schemas"]["GoogleCredentialInvalidError"];
            };
        };
        /** @description UNAVAILABLE */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableError"];
            };
        };
        /** @description UNSUPPORTED_MEDIA_TYPE */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        /** @description VALIDATION_FAILED */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationFailedError"];
            };
        };
        /** @description VALIDATION_FAILED, CURRENCY_NOT_SUPPORTED */
        ValidationFailedOrCurrencyNotSupported: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationFailedError"] | components["schemas"]["CurrencyNotSupportedError"];
            };
        };
        /** @description VALIDATION_FAILED, REDIRECT_NOT_ALLOWED */
        ValidationFailedOrRedirectNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationFailedError"] | components["schemas"]["RedirectNotAllowedError"];
            };
        };
    };
    parameters: {
        /** @description The currency context of the call; RON when absent. Echoed back. */
        XCurrency: components["schemas"]["Currency"];
        /** @description A text unique to this request, for example a UUID. */
        IdempotencyKey: string;
        /** @description The key’s record id. */
        Id: string;
        /** @description `nextCursor` of the previous page. */
        Cursor: string;
        /** @description The page size, 1 to 100. Default: 50. */
        Limit: number;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the call in the service’s log. The caller’s own, if it sent a usable one. */
        "X-Request-Id": string;
        /** @description The currency context of the call. Absent if the call was refused before it was read. */
        "X-Currency": components["schemas"]["Currency"];
        /** @description Seconds to wait before the next attempt. */
        "Retry-After": number;
        /** @description What is left of each limit that the call counted on, and the seconds until more: `"reads";r=99;t=1`. */
        RateLimit: string;
        /** @description Those limits: calls (`q`) in seconds (`w`), for example `"reads";q=600;w=60`. */
        "RateLimit-Policy": string;
        /** @description `Bearer`, with `error="invalid_token"` if the call carried a token (RFC 6750). */
        "WWW-Authenticate": string;
        /** @description Where the browser goes next. */
        Location: string;
        /** @description The state of the sign-in with Google: set by its start, deleted by its callback. */
        "Set-Cookie": string;
        /** @description Names the file for a browser that saves the answer. */
        "Content-Disposition": string;
        /** @description `true`: the call repeats an earlier one with its `Idempotency-Key`, and changed nothing. */
        "Idempotent-Replayed": string;
        /** @description On 405: the methods of the path. */
        Allow: string;
    };
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
                "application/json": components["schemas"]["RequestLinkRequest"];
            };
        };
        responses: {
            /** @description The request is accepted. The response is the same for every address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["RequestLinkResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrRedirectNotAllowed"];
            403: components["responses"]["OriginNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjRrUWcxeU9oIn0.e30.c2lnbmF0dXJl",
                     *       "needsOnboarding": true
                     *     }
                     */
                    "application/json": components["schemas"]["VerifyLinkResult"];
                };
            };
            /** @description A browser is redirected to the page /confirm. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrRedirectNotAllowed"];
            401: components["responses"]["LinkInvalid"];
            403: components["responses"]["SignupClosed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                "application/json": components["schemas"]["InspectLinkRequest"];
            };
        };
        responses: {
            /** @description The address and expiry of the link, which is not consumed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "a***@example.com",
                     *       "expiresAt": "2026-11-21T10:10:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InspectLinkResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["LinkInvalid"];
            403: components["responses"]["OriginNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                "application/json": components["schemas"]["NotMeRequest"];
            };
        };
        responses: {
            /** @description Done, by this call or an earlier one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["NotMeResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["LinkInvalid"];
            403: components["responses"]["OriginNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                "application/json": components["schemas"]["ResumeMailRequest"];
            };
        };
        responses: {
            /** @description Done, by this call or an earlier one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["ResumeMailResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["LinkInvalid"];
            403: components["responses"]["OriginNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrRedirectNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            501: components["responses"]["GoogleNotConfigured"];
            503: components["responses"]["GoogleUnavailableOrUnavailable"];
            default: components["responses"]["Error"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
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
                    "application/json": components["schemas"]["GoogleCallbackResult"];
                };
            };
            /** @description A browser is redirected to the `redirectTo` of its sign-in. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_FAILED, REDIRECT_NOT_ALLOWED, OAUTH_STATE_INVALID, OAUTH_DENIED */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"] | components["schemas"]["RedirectNotAllowedError"] | components["schemas"]["OauthStateInvalidError"] | components["schemas"]["OauthDeniedError"];
                };
            };
            /** @description GOOGLE_CREDENTIAL_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleCredentialInvalidError"];
                };
            };
            /** @description EMAIL_NOT_VERIFIED, SIGNUP_CLOSED */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmailNotVerifiedError"] | components["schemas"]["SignupClosedError"];
                };
            };
            /** @description RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitedError"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadersTooLargeError"];
                };
            };
            /** @description INTERNAL */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
            /** @description GOOGLE_NOT_CONFIGURED */
            501: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleNotConfiguredError"];
                };
            };
            /** @description GOOGLE_UNAVAILABLE, UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GoogleUnavailableError"] | components["schemas"]["UnavailableError"];
                };
            };
            default: components["responses"]["Error"];
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
                "application/json": components["schemas"]["OneTapRequest"];
            };
        };
        responses: {
            /** @description Signed in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["OneTapResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["GoogleCredentialInvalid"];
            403: components["responses"]["EmailNotVerifiedOrSignupClosedOrOriginNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            501: components["responses"]["GoogleNotConfigured"];
            503: components["responses"]["GoogleUnavailableOrUnavailable"];
            default: components["responses"]["Error"];
        };
    };
    getGoogleConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connected Google account, or null. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["GetGoogleConnectionResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            501: components["responses"]["GoogleNotConfigured"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    connectGoogle: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
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
                "application/json": components["schemas"]["ConnectGoogleRequest"];
            };
        };
        responses: {
            /** @description The connected Google account, or null. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
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
                    "application/json": components["schemas"]["ConnectGoogleResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["UnauthorizedOrGoogleCredentialInvalid"];
            403: components["responses"]["EmailNotVerifiedOrSignInRequired"];
            409: components["responses"]["GoogleAlreadyConnected"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            501: components["responses"]["GoogleNotConfigured"];
            503: components["responses"]["GoogleUnavailableOrUnavailable"];
            default: components["responses"]["Error"];
        };
    };
    disconnectGoogle: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connected Google account, or null. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
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
                    "application/json": components["schemas"]["DisconnectGoogleResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SignInRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            501: components["responses"]["GoogleNotConfigured"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                "application/json": components["schemas"]["SignupRequest"];
            };
        };
        responses: {
            /** @description The account and its first key are created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["SignupResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            403: components["responses"]["SignupClosedOrOriginNotAllowed"];
            409: components["responses"]["EmailTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                "application/json": components["schemas"]["ExchangeTokenRequest"];
            };
        };
        responses: {
            /** @description An access token, valid for one hour. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["ExchangeTokenResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["InvalidCredentials"];
            403: components["responses"]["KeyAwaitsOwner"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, newest first. Of the revoked and of the expired keys, only the latest hundred each. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["ListKeysResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text unique to this request, for example a UUID. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
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
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description The key is created. Its secret is in this response only. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["CreateKeyResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["KeyLimitReachedOrAlreadyCreatedOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /** @description Also revoke every key that a token of this key, or of its descendants, created or rotated. */
                withDescendants?: boolean;
            };
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path: {
                /** @description The key’s record id. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
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
                    "application/json": components["schemas"]["RevokeKeyResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SignInRequired"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text unique to this request, for example a UUID. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path: {
                /** @description The key’s record id. */
                id: components["parameters"]["Id"];
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
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            /** @description The key and its new secret; the keyId stays the same. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["RotateKeyResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SignInRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyNotActiveOrAlreadyCreatedOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    keepKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path: {
                /** @description The key’s record id. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
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
                    "application/json": components["schemas"]["KeepKeyResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SignInRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyLimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    listDescendants: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path: {
                /** @description The key’s record id. */
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The descendants, newest first, without the key itself. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["ListDescendantsResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                "application/json": components["schemas"]["ReportLeakedRequest"];
            };
        };
        responses: {
            /** @description The report is accepted. The response is the same for valid and invalid secrets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["ReportLeakedResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The page size, 1 to 100. Default: 50. */
                limit?: components["parameters"]["Limit"];
                status?: components["schemas"]["PaymentLinkStatus"];
                /** @description Only links with exactly this reference. */
                reference?: string;
            };
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payment links. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["ListPaymentLinksResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text unique to this request, for example a UUID. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
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
                "application/json": components["schemas"]["CreatePaymentLinkRequest"];
            };
        };
        responses: {
            /** @description The link is created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
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
                    "application/json": components["schemas"]["CreatePaymentLinkResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["PaymentLinkLimitReachedOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["GetPaymentLinkResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    deactivatePaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
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
                    "application/json": components["schemas"]["DeactivatePaymentLinkResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
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
                    "application/json": components["schemas"]["GetPublicPaymentLinkResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["GetMeResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    deleteMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteMeResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SignInRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
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
                "application/json": components["schemas"]["UpdateMeRequest"];
            };
        };
        responses: {
            /** @description The current state of the account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
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
                    "application/json": components["schemas"]["UpdateMeResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    exportMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything stored, except the hashes of secrets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
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
                     *           "amount": {
                     *             "value": 245000,
                     *             "currency": "RON"
                     *           },
                     *           "original": {
                     *             "value": 245000,
                     *             "currency": "RON"
                     *           },
                     *           "exchangeRate": null,
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
                    "application/json": components["schemas"]["ExportMeResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SignInRequired"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    revokeTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every access token issued before this response is invalid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["RevokeTokensResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SignInRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The page size, 1 to 100. Default: 50. */
                limit?: components["parameters"]["Limit"];
            };
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. It may be short, or empty, although more follow. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
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
                    "application/json": components["schemas"]["ListEventsResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "google": null,
                     *       "signup": "open"
                     *     }
                     */
                    "application/json": components["schemas"]["GetConfigResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    getIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Addresses of the documentation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "paylink-auth",
                     *       "guide": "https://auth.example.com/llms.txt",
                     *       "openapi": "https://auth.example.com/api/v1/openapi.json",
                     *       "documentation": "https://auth.example.com/docs",
                     *       "errors": "https://auth.example.com/docs/errors.md"
                     *     }
                     */
                    "application/json": components["schemas"]["GetIndexResult"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    check: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call is allowed. The headers identify its caller, for the gateway to forward. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The currency of the call, or the default. */
                    "X-Currency"?: string;
                    /** @description The caller’s user id. */
                    "X-User-Id"?: string;
                    /** @description The user’s role. */
                    "X-User-Role"?: string;
                    /** @description The record id of the API key that the token was issued for. Absent: the token is from a sign-in. */
                    "X-Api-Key-Id"?: string;
                    /** @description Whether the holder of the account’s address has proven it. `false`: anybody may have signed up with it. */
                    "X-Account-Claimed"?: "true" | "false";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
}
