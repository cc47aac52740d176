/** The types of every operation. Made by `npm run generate` from openapi.json (ab430e1c1c563d47). */
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
    "/auth/links/not-me/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Inspect a mail before it is disowned
         * @description For a page that shows which sign-in the button will end.
         */
        post: operations["inspectButton"];
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
         * @description Takes the token of the “This wasn’t you?” button of a mail, valid for 7 days. It voids the address’s sign-in links and pauses mails that others can cause. If the mail led to a sign-in or a change, it also signs the user out everywhere, disconnects the Google accounts that this sign-in connected or was made with, clears a display name that it set, undoes a change of the address that followed from it, and makes the keys that came from it, and their descendants, await the owner. These are, by kind of mail: the keys that the sign-in by its link created, rotated, widened or kept; the keys that it reported; the keys created since the Google connection that it reported, which is removed; or all keys of the unclaimed account whose signup it reported. A second call changes nothing.
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
    "/auth/email/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a change of the e-mail address
         * @description Takes the token of the button in a mail to the former address, valid until seven days after the change. It restores the address and the Google accounts of before, except those connected in the week before the change or used to ask for it, ends every sign-in, and makes the API keys created since await the owner. Later changes are undone too, and an account that was deleted since comes back. A second call changes nothing.
         */
        post: operations["undoEmail"];
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
         * @description The connected Google account signs in to this account. A token of a restricted API key needs the scope `account:read`. A token of a restricted API key needs the scope `account:read`.
         */
        get: operations["getGoogleConnection"];
        put?: never;
        /**
         * Connect a Google account
         * @description Requires a token from a magic-link or Google sign-in in the last ten minutes, and a One Tap credential. The Google account may have any address. If the address of the account is proven, a mail notifies its owner. Connecting the same Google account again changes nothing. A token of a restricted API key needs the scope `account:write`.
         */
        post: operations["connectGoogle"];
        /**
         * Disconnect the Google account
         * @description Requires a token from a magic-link or Google sign-in in the last ten minutes. Sign-in by magic link remains available. If the address of the account is proven, a mail notifies its owner. Access tokens from Google sign-ins stay valid; `POST /auth/tokens/revoke` ends them. A token of a restricted API key needs the scope `account:write`.
         */
        delete: operations["disconnectGoogle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the sign-in that the token of this call comes from: the token is refused from this response on, on every process. Other sign-ins and API keys keep working. A token from an API key has no sign-in. A token of a restricted API key needs the scope `account:write`.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sign-ins
         * @description The sign-ins by people that have neither ended nor expired. A sign-in by a version of the service before it listed sign-ins is not shown. On an account with a proven address, a token from a magic-link or Google sign-in is required. A token of a restricted API key needs the scope `account:read`. A token of a restricted API key needs the scope `account:read`.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a sign-in
         * @description Every token of the sign-in is refused from this response on, on every process. Idempotent for any sign-in but the caller’s own, until a week after the sign-in would have expired; then it is NOT_FOUND. On an account with a proven address, a token from a magic-link or Google sign-in is required. A token of a restricted API key needs the scope `account:write`.
         */
        post: operations["revokeSession"];
        delete?: never;
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
         * @description The response is the same for an unknown id, a wrong secret, a revoked key, an expired key, a key of a disabled account and a key used from outside of its networks.
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
         * @description Every key of the account, also those that a program created. Ended keys are deleted after EVENTS_KEEP_DAYS days, by default 180. Secrets are never listed. A token of a restricted API key needs the scope `keys:read`. A token of a restricted API key needs the scope `keys:read`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description An account can have 25 live keys. A token from a key creates a descendant of that key: see `GET /auth/api-keys/{id}/descendants`. With an `Idempotency-Key` a call whose response was lost can be repeated safely for 24 hours: the repeat creates no second key and gets `ALREADY_CREATED`, which names the key. Rotate that key to get a secret. A token of a restricted API key needs the scope `keys:write`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename or restrict an API key
         * @description Restrictions hold from the next call on, on every process, also for tokens issued before. They narrow every key created with a token of this key too, and a key never may do more than the key above it. A token from an API key can only narrow. On an account with a proven address, and on any account if its key has restrictions or an expiry, it can change only that key and the keys created with it, transitively. Otherwise: SIGN_IN_REQUIRED. The owner gets a mail when a key may do more than before; such changes are limited like new keys. A token of a restricted API key needs the scope `keys:write`.
         */
        patch: operations["updateKey"];
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
         * @description Idempotent: revoking a key again changes nothing and returns the same, unless the caller’s token is from that key: its tokens are refused from then on, so the second call is UNAUTHORIZED. On an account with a proven address, a token from an API key can revoke only that key and the keys created with it, transitively; any other key is SIGN_IN_REQUIRED. So it is on any account for a key with restrictions or an expiry. A token of a restricted API key needs the scope `keys:write`.
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
         * @description Access tokens already issued for the key stay valid; revoke the key to end them. A secret still in the grace period of an earlier rotation stops working. On an account with a proven address, a token from an API key can rotate only that key and the keys created with it, transitively; any other key is SIGN_IN_REQUIRED. So it is on any account for a key with restrictions or an expiry. With an `Idempotency-Key` a repeat within 24 hours rotates nothing and gets `ALREADY_CREATED`; another rotation, with another `Idempotency-Key`, gives a secret. A token of a restricted API key needs the scope `keys:write`.
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
         * @description Requires a token from a magic-link or Google sign-in. Keeping a key that is not AWAITS_OWNER changes nothing. A token of a restricted API key needs the scope `keys:write`.
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
         * @description A descendant is a key that a token of this key, or of another descendant, created or rotated. Of the revoked and expired keys, only those in the list of keys are included. `POST /auth/api-keys/:id/revoke?withDescendants=true` revokes the key and its descendants. A token of a restricted API key needs the scope `keys:read`. A token of a restricted API key needs the scope `keys:read`.
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
    "/auth/api-keys/{id}/uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the uses of an API key per day
         * @description Uses of the last minute may be missing. Calls with the tokens of the key are not counted. A token of a restricted API key needs the scope `keys:read`. A token of a restricted API key needs the scope `keys:read`.
         */
        get: operations["listUses"];
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
    "/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask a person for access (OAuth)
         * @description For browsers. The authorization endpoint of OAuth 2.1: redirects to the consent page, with the same query. A client is a URL of a client metadata document; PKCE with S256 is required. See `/docs/programs`.
         */
        get: operations["authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/authorize/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what an app asks for
         * @description For the consent page: fetches the metadata document of the client and checks the request. Requires a token from a magic-link or Google sign-in, and a proven address. A token of a restricted API key needs the scope `account:write`.
         */
        post: operations["inspectAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/authorize/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide what an app gets
         * @description Allowing requires a token from a magic-link or Google sign-in in the last ten minutes, and a proven address. `restrictions` narrow what the app asks for; without them it gets all of that. A request is decided once: a second call is CONSENT_ENDED. The owner of the account is notified by mail. A token of a restricted API key needs the scope `account:write`.
         */
        post: operations["decideAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected apps
         * @description The apps whose access has neither ended nor expired. On an account with a proven address, a token from a magic-link or Google sign-in is required. A token of a restricted API key needs the scope `account:read`. A token of a restricted API key needs the scope `account:read`.
         */
        get: operations["listApps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/apps/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disconnect an app
         * @description Every token of the app is refused from this response on, on every process. Idempotent. On an account with a proven address, a token from a magic-link or Google sign-in is required. A token of a restricted API key needs the scope `account:write`.
         */
        post: operations["revokeApp"];
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
         * @description Newest first. `amount` is null if it cannot be converted to the call’s currency. With `status` or `search`, a page searches at most 1000 links: it may be short or empty and still have a `nextCursor`. A token of a restricted API key needs the scope `payment_links:read`. A token of a restricted API key needs the scope `payment_links:read`.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description With an `Idempotency-Key` the call can be repeated safely for 24 hours: the same key and body return the same response, with `Idempotent-Replayed: true`, and create no second link. An API key shares its Idempotency-Keys with the keys created with it. A person’s sign-ins share theirs until the person signs out everywhere. A token of a restricted API key needs the scope `payment_links:write`.
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
         * @description Only the caller’s own. `GET /payment-links/{id}/public` is what a payer sees. A token of a restricted API key needs the scope `payment_links:read`. A token of a restricted API key needs the scope `payment_links:read`.
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
         * @description A deactivated link cannot be activated again. A second call changes nothing. A token of a restricted API key needs the scope `payment_links:write`.
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
         * @description The account of the token’s user. A token of a restricted API key needs the scope `account:read`. A token of a restricted API key needs the scope `account:read`.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        /**
         * Delete the current user
         * @description Requires a token from a magic-link or Google sign-in in the last ten minutes, and a proven address. After the response, nothing of the account works or is visible, and its address is free for a new account. Google identity, sign-in links and queued mail are deleted at once; keys, events and payment links within seconds, or within minutes for very large accounts. If the address was changed in the last seven days, the account is only disabled at once, and all of it is deleted when the change can no longer be undone; undoing it restores the account. A token of a restricted API key needs the scope `account:write`.
         */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        /**
         * Update the current user
         * @description Sets the display name. A token of a restricted API key needs the scope `account:write`.
         */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/users/me/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask to change the e-mail address
         * @description Requires a token from a magic-link or Google sign-in in the last ten minutes, and a proven address. The new address gets a link, valid for ten minutes, whose page calls `POST /auth/email/confirm`; the present address gets a notice. An address that has an account gets a mail that says so; the response and its timing do not reveal it. A new request replaces an earlier one. Asking for the present address does nothing. A token of a restricted API key needs the scope `account:write`.
         */
        post: operations["changeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a new e-mail address
         * @description Takes the mailed token, and an access token of the sign-in that asked: with any other the answer is `SIGN_IN_REQUIRED`, and the link still works. It revokes every access token, voids the links mailed to both addresses, and disconnects Google accounts. For seven days the old address is reserved, and its holder can undo the change with the button of a mail. Signing out everywhere, “This wasn’t you?” and disabling end a change that is not confirmed. A token of a restricted API key needs the scope `account:write`.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Amounts are in the currency of the call. Mails and events about the mailbox or the address are left out until the address is proven. After that, a token from a magic-link or Google sign-in is required. A token of a restricted API key needs the scope `account:read`. A token of a restricted API key needs the scope `account:read`.
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
         * @description Increments the user’s tokenVersion, which invalidates every access token of the user, including the token of this call. API keys stay valid and can be exchanged again. On an account with a proven address, a token from a magic-link or Google sign-in is required. A token of a restricted API key needs the scope `account:write`.
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
         * @description Events are kept for EVENTS_KEEP_DAYS days, by default 180. Events about the mailbox or the address are shown only after the address is proven. A token of a restricted API key needs the scope `events:read`. A token of a restricted API key needs the scope `events:read`.
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
         * @description A gateway calls it before it forwards a call, with the `Authorization` and `X-Currency` of that call. Do not cache the response: a revoked token is refused from the next call on. With `scope`, a token of an API key without that scope is refused. Without it, a token of an API key with restricted scopes is refused, so that a gateway that does not ask for one does not let it do everything. All methods except CONNECT behave the same, and the body is ignored. So do all paths below this one, but their query is that of the original call, so `scope` in it means nothing.
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
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token as an OAuth client
         * @description With `client_credentials` (RFC 6749, section 4.4) an API key gets the token that `POST /auth/api/token` answers with, under the same limits. The refusal is the same for an unknown id, a wrong secret, a revoked key, an expired key, a key of a disabled account and a key used from outside of its networks. With `authorization_code` (section 4.1.3) an app exchanges its code for a token that lives for seven days. A code works once, for one minute; a second use, or a wrong one, ends the access of the app.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for the state of an access token
         * @description For services behind this one (RFC 7662). The caller is an API key with the scope `tokens:introspect`, which only the operator of this service gives: by its id and secret, or by a bearer token of it. Do not cache the answer: it is read for this call, and a revoked token is inactive from the next call on.
         */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an access token, and what it comes from
         * @description A token of a sign-in ends the sign-in. A token of an API key revokes the key, with all its tokens: the key is what was granted (RFC 7009, section 2.1). Who holds the token may revoke it; a client that names or authenticates itself can revoke only its own. A token that is unknown, expired or revoked before gets the same response.
         */
        post: operations["revokeToken"];
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
            restrictions?: components["schemas"]["EffectiveKeyRestrictions"];
            /** @description What the key may do, where a key above it, whose token created it, may do less than `restrictions` says. An empty list allows nothing. */
            effectiveRestrictions?: components["schemas"]["EffectiveKeyRestrictions"];
        };
        /**
         * @description AWAITS_OWNER: created before the owner of the address first signed in; works again after the owner keeps it.
         * @enum {string}
         */
        ApiKeyStatus: "ACTIVE" | "AWAITS_OWNER" | "EXPIRED" | "REVOKED";
        /** @enum {string} */
        AppScope: "account:read" | "events:read" | "payment_links:read" | "payment_links:write";
        AuthorizationRequest: {
            /** @description For the decision. Valid for ten minutes, and decided once. */
            id: string;
            clientId: string;
            /** @description The host of the client id, which the client cannot choose freely. */
            domain: string;
            /** @description What the client calls itself. Anyone can claim it. */
            name: string | null;
            /** @description Where the browser is sent with the code. */
            redirectHost: string;
            /** @description True: a program on the person’s own machine gets the code. Any program there can name any client. */
            isLoopback: boolean;
            scopes: components["schemas"]["AppScope"][];
            /** @description What the token is for: the base URL, or its `/mcp`. */
            resource: string;
        };
        ChangeEmailRequest: {
            /** @description The new address. */
            email: string;
        };
        ChangeEmailResult: {
            ok: boolean;
        };
        ConfirmEmailRequest: {
            /** @description The token of the link mailed to the new address. */
            token: string;
        };
        ConfirmEmailResult: {
            /** @description An access token of the same sign-in, which expires when the one of this call would have. */
            token: string;
            user: components["schemas"]["User"];
        };
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
        ConnectedApp: {
            id: string;
            /** @description The URL of its client metadata document. */
            clientId: string;
            /** @description The host of the client id, which the app cannot choose freely. */
            domain: string;
            /** @description What the app calls itself. */
            name: string;
            /** @description What its token is for: the base URL, or its `/mcp`. */
            resource: string;
            /** @description What the key may do, where a key above it, whose token created it, may do less than `restrictions` says. An empty list allows nothing. */
            restrictions: components["schemas"]["EffectiveKeyRestrictions"];
            /**
             * Format: date-time
             * @description When the person allowed it.
             */
            createdAt: string;
            /** @description The last call with its token, at most a minute late. */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When its token expires.
             */
            expiresAt: string;
        };
        CreateKeyRequest: {
            name?: string | null;
            expiresInDays?: number | null;
            restrictions?: components["schemas"]["KeyRestrictions"] | null;
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
        DecideAuthorizationRequest: {
            /** @description The `id` of `POST /oauth/authorize/inspect`. */
            requestId: string;
            allow: boolean;
            restrictions?: components["schemas"]["KeyRestrictions"] | null;
        };
        DecideAuthorizationResult: {
            /** @description Where to send the browser, with `code`, or with `error=access_denied`. */
            redirectTo: string;
        };
        DeleteMeResult: {
            ok: boolean;
        };
        DisconnectGoogleResult: {
            connection: components["schemas"]["GoogleConnection"] | null;
        };
        /** @description The key’s own restrictions. An absent field restricts nothing. */
        EffectiveKeyRestrictions: {
            /** @description What the key may do. `account:read`: Read the account, its connection to Google and its export. `account:write`: Change the name of the account and what belongs to its owner. `keys:read`: List API keys. `keys:write`: Create, rename, narrow, rotate and revoke API keys. `events:read`: Read the security events. `payment_links:read`: Read payment links. `payment_links:write`: Create and deactivate payment links. `tokens:introspect`: Ask for the state of tokens of every account. Only the operator of the service gives it. */
            scopes?: components["schemas"]["KeyScope"][];
            /** @description From where the key and its tokens work: IPv4 and IPv6 networks in CIDR notation. From elsewhere they get the answer of a wrong secret or an invalid token. */
            networks?: string[];
            /** @description The currencies in which it may create payment links. */
            currencies?: components["schemas"]["Currency"][];
            maxAmount?: components["schemas"]["EffectiveKeyRestrictionsMaxAmount"];
            dailyAmount?: components["schemas"]["EffectiveKeyRestrictionsDailyAmount"];
        };
        /** @description The most that the key and the keys created with it may ask for in payment links a day (UTC), in minor units by currency. Other currencies are refused. */
        EffectiveKeyRestrictionsDailyAmount: {
            RON?: number;
            EUR?: number;
            GBP?: number;
        };
        /** @description The largest amount of one payment link, in minor units by currency. Other currencies are refused. */
        EffectiveKeyRestrictionsMaxAmount: {
            RON?: number;
            EUR?: number;
            GBP?: number;
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
            signIns: components["schemas"]["ExportedSignIn"][];
            identities: components["schemas"]["ExportedIdentity"][];
            addressChanges: components["schemas"]["ExportedAddressChange"][];
            apiKeys: components["schemas"]["ExportedApiKey"][];
            keyMakers: components["schemas"]["ExportedKeyMaker"][];
            keyAmounts: components["schemas"]["ExportedAmount"][];
            keyUses: components["schemas"]["ExportedKeyUses"][];
            events: components["schemas"]["SecurityEvent"][];
            paymentLinks: components["schemas"]["ExportedPaymentLink"][];
            signInLinks: components["schemas"]["ExportedSignInLink"][];
            mailButtons: components["schemas"]["ExportedMailButton"][];
            queuedMails: components["schemas"]["ExportedMail"][];
            mailPause: components["schemas"]["ExportedMailPause"] | null;
        };
        /** @description A change of the address; `identities` were connected before it. */
        ExportedAddressChange: {
            oldEmail: string;
            newEmail: string;
            signInId: string;
            /** Format: date-time */
            askedAt: string;
            /** Format: date-time */
            expiresAt: string;
            confirmedAt: string | null;
            undoUntil: string | null;
            endedAt: string | null;
            deletionAskedAt: string | null;
            identities: components["schemas"]["ExportedIdentity"][];
        };
        /** @description For how much a key created payment links on a day (UTC), in minor units: of the last days only. */
        ExportedAmount: {
            apiKeyId: string;
            /** Format: date */
            day: string;
            currency: string;
            amount: number;
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
            restrictions?: components["schemas"]["EffectiveKeyRestrictions"];
            /** @description What the key may do, where a key above it, whose token created it, may do less than `restrictions` says. An empty list allows nothing. */
            effectiveRestrictions?: components["schemas"]["EffectiveKeyRestrictions"];
            /**
             * @description `app`: the access of an app, which has no secret.
             * @enum {string}
             */
            kind: "key" | "app";
            clientId: string | null;
            resource: string | null;
            lastUsedClient: string | null;
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
        /** @description The API key or the sign-in whose token created, rotated, widened or kept a key. The user id stands for keys that are deleted from the record. */
        ExportedKeyMaker: {
            apiKeyId: string;
            /** @enum {string} */
            how: "created" | "rotated" | "widened" | "kept";
            makerApiKeyId: string | null;
            signInId: string | null;
            /** Format: date-time */
            at: string;
            lastAt: string | null;
        };
        /** @description How often a key was exchanged and refused on a day (UTC). */
        ExportedKeyUses: {
            apiKeyId: string;
            /** Format: date */
            day: string;
            exchanges: number;
            refusals: number;
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
            action: "not_me" | "resume_mail" | "confirm_email" | "undo_email";
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
        /** @description A sign-in by a person, until a week after its expiry. It is live while `endedAt` is null, `tokenVersion` is that of the user and `expiresAt` has not passed. */
        ExportedSignIn: {
            id: string;
            /** @enum {string} */
            method: "magic_link" | "google";
            tokenVersion: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            endedAt: string | null;
            browser: string | null;
            client: string;
            isNewBrowser: boolean;
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
        InspectAuthorizationRequest: {
            /** @description The query of the URL of the consent page. */
            query: string;
        };
        InspectAuthorizationResult: {
            request: components["schemas"]["AuthorizationRequest"] | null;
            refused: components["schemas"]["RefusedAuthorization"] | null;
        };
        InspectButtonRequest: {
            /** @description The token of the button in the mail. */
            token: string;
        };
        InspectButtonResult: {
            /** @description The masked address of the mail. */
            email: string;
            mailKind: components["schemas"]["MailKind"];
            /** Format: date-time */
            mailedAt: string;
            /** @description When the button was pressed. Null: it was not. */
            usedAt: string | null;
            /** @description The sign-in by the link of this mail, or the first from a new browser that it reports. Null: there was none, or it ended more than a week ago. */
            signIn: components["schemas"]["SignIn"] | null;
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
        IntrospectTokenRequest: {
            /** @description The access token in question. */
            token: string;
            /** @description Not needed. */
            token_type_hint?: string;
            /**
             * Format: ip
             * @description The address of the client that used the token. Without it a token of an API key with `networks` is not active.
             */
            client_ip?: string;
            /** @description The API key id, `plk_…`; or in HTTP Basic. Of an app: the URL of its client metadata document. */
            client_id?: string;
            /** @description The API key secret, `pls_…`; or in HTTP Basic. */
            client_secret?: string;
        };
        IntrospectTokenResult: {
            /** @description `false`, and no other field: the token is not accepted, for whatever reason. */
            active: boolean;
            /** @description What the token may do. Empty: nothing. */
            scope?: string;
            /** @description The API key id, or the URL of an app’s client metadata document. Absent: a person’s sign-in. */
            client_id?: string;
            /** @enum {string} */
            token_type?: "Bearer";
            exp?: number;
            iat?: number;
            /** @description The user id. */
            sub?: string;
            /** @description What the token is for: the base URL of the API, or a part of it. */
            aud?: string;
            iss?: string;
            jti?: string;
            /** @description The user’s role. */
            role?: string;
            /** @description Whether the holder of the account’s address has proven it. */
            account_claimed?: boolean;
        };
        IssueTokenRequest: {
            /** @description `client_credentials` or `authorization_code`. */
            grant_type: string;
            /** @description The API key id, `plk_…`; or in HTTP Basic. Of an app: the URL of its client metadata document. */
            client_id?: string;
            /** @description The API key secret, `pls_…`; or in HTTP Basic. */
            client_secret?: string;
            /** @description The authorization code. */
            code?: string;
            /** @description That of the authorization request. */
            redirect_uri?: string;
            /** @description PKCE (RFC 7636). */
            code_verifier?: string;
            /** @description Scopes, separated by spaces: all that the client has. Default: the same. */
            scope?: string;
            /** @description What the token is for (RFC 8707). Default: the base URL of the API. */
            resource?: string;
        };
        IssueTokenResult: {
            access_token: string;
            /** @enum {string} */
            token_type: "Bearer";
            /** @description Seconds. */
            expires_in: number;
            /** @description What the token may do. Absent: nothing. */
            scope?: string;
        };
        KeepKeyResult: {
            apiKey: components["schemas"]["ApiKey"];
        };
        /** @description An absent field restricts nothing. */
        KeyRestrictions: {
            /** @description What the key may do. `account:read`: Read the account, its connection to Google and its export. `account:write`: Change the name of the account and what belongs to its owner. `keys:read`: List API keys. `keys:write`: Create, rename, narrow, rotate and revoke API keys. `events:read`: Read the security events. `payment_links:read`: Read payment links. `payment_links:write`: Create and deactivate payment links. */
            scopes?: components["schemas"]["Scope"][];
            /** @description From where the key and its tokens work: IPv4 and IPv6 networks in CIDR notation. From elsewhere they get the answer of a wrong secret or an invalid token. */
            networks?: string[];
            /** @description The currencies in which it may create payment links. */
            currencies?: components["schemas"]["Currency"][];
            maxAmount?: components["schemas"]["KeyRestrictionsMaxAmount"];
            dailyAmount?: components["schemas"]["KeyRestrictionsDailyAmount"];
        };
        /** @description The most that the key and the keys created with it may ask for in payment links a day (UTC), in minor units by currency. Other currencies are refused. */
        KeyRestrictionsDailyAmount: {
            RON?: number;
            EUR?: number;
            GBP?: number;
        };
        /** @description The largest amount of one payment link, in minor units by currency. Other currencies are refused. */
        KeyRestrictionsMaxAmount: {
            RON?: number;
            EUR?: number;
            GBP?: number;
        };
        /** @enum {string} */
        KeyScope: "account:read" | "account:write" | "keys:read" | "keys:write" | "events:read" | "payment_links:read" | "payment_links:write" | "tokens:introspect";
        KeyUsesOfDay: {
            /**
             * Format: date
             * @description In UTC.
             */
            day: string;
            /** @description Access tokens issued for the key. */
            exchanges: number;
            /** @description Exchanges refused: a wrong secret, an ended key, another network, too many. */
            refusals: number;
        };
        LeakedSecret: {
            /** @description The secret as found, `pls_…`. */
            keySecret: string;
            seenAt?: string | null;
        };
        ListAppsResult: {
            apps: components["schemas"]["ConnectedApp"][];
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
        ListSessionsResult: {
            sessions: components["schemas"]["Session"][];
        };
        ListUsesResult: {
            /** @description From where the call of `lastUsedAt` came: an IPv4 /24 or an IPv6 /48. Null: unused, or unknown. */
            lastUsedNetwork: string | null;
            days: components["schemas"]["KeyUsesOfDay"][];
        };
        /** @enum {string} */
        MailKind: "sign_in" | "email_change" | "signup_notice" | "google_notice" | "sign_in_notice" | "email_notice" | "security_notice";
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
            restrictions?: components["schemas"]["EffectiveKeyRestrictions"];
            /** @description What the key may do, where a key above it, whose token created it, may do less than `restrictions` says. An empty list allows nothing. */
            effectiveRestrictions?: components["schemas"]["EffectiveKeyRestrictions"];
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
            /** @description The caller’s own reference. The payer sees it. */
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
        RefusedAuthorization: {
            /** @description A code of RFC 6749, section 4.1.2.1. */
            error: string;
            message: string;
            /** @description Tells the client. Null if client and redirect URI do not belong together: the browser must not be sent there. */
            redirectTo: string | null;
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
        RevokeAppResult: {
            app: components["schemas"]["ConnectedApp"];
        };
        RevokeKeyResult: {
            apiKey: components["schemas"]["ApiKey"];
        };
        RevokeSessionResult: {
            session: components["schemas"]["Session"];
        };
        RevokeTokenRequest: {
            /** @description An access token. */
            token: string;
            /** @description Not needed. */
            token_type_hint?: string;
            /** @description The API key id, `plk_…`; or in HTTP Basic. Of an app: the URL of its client metadata document. */
            client_id?: string;
            /** @description The API key secret, `pls_…`; or in HTTP Basic. */
            client_secret?: string;
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
        /** @enum {string} */
        Scope: "account:read" | "account:write" | "keys:read" | "keys:write" | "events:read" | "payment_links:read" | "payment_links:write";
        SecurityEvent: {
            id: string;
            type: components["schemas"]["SecurityEventType"];
            /** Format: date-time */
            at: string;
            /** @description The client’s IPv4 address or IPv6 /64. Null: no call caused the event, or calls from many networks did. */
            client: string | null;
            /** @description The browser and system that the client names in its `User-Agent`, in words from a closed list: `Chrome on Windows`, or `Chrome` when the system is unknown. Null: a program, an unknown browser, no call, or calls from several browsers. */
            browser: string | null;
            /** @description The record id of the API key that the event is about. */
            apiKeyId: string | null;
            /** @description The record id of the API key whose token caused the event. Null: no key’s token did. */
            byApiKeyId: string | null;
            /** @description The id of the sign-in that the event is about. */
            signInId: string | null;
            /** @description The id of the sign-in whose token caused the event. Null: no person’s token did. */
            bySignInId: string | null;
            /** @description Details, depending on the type. */
            detail: string | null;
            /** @description How often it happened. Repeatable events, such as failures, are combined into one per hour, with the time of the first. */
            times: number;
        };
        /** @enum {string} */
        SecurityEventKind: "sign_in" | "api_key" | "payment_link" | "account" | "alert";
        /**
         * @description `account_created`: The account was created, by signup or a first sign-in. `signup_refused`: Somebody tried to sign up with this address. `account_claimed`: The address was proven: keys created before await the owner. `signed_in`: A person signed in; `detail` says how. `sign_in_refused`: A link sent to this address was used twice or after it expired. With `detail` google: a Google account with this address is not connected. With `detail` disabled: a link was requested while the account was disabled. `google_connected`: A Google account was connected, by joining at its first sign-in or by a signed-in user; `detail` is its address. `google_disconnected`: The Google account was disconnected; `detail` is its address. `signed_out`: A sign-in was ended; with `detail` operator, by the operator of the service. `google_not_restored`: A change of the address was undone, but a Google account of before was not connected again: it was connected in the week before, the change was asked for with it, or it belongs to another account now. `detail` is its address. `email_change_asked`: A signed-in person asked to change the address; `detail` is the new one. `email_changed`: The address was changed; `detail` is the new one. `email_change_undone`: The holder of a former address undid the change of it: every access token is revoked, and keys made since await the owner. `detail` is the address that the account has again. `tokens_revoked`: Every access token was revoked; with `detail` operator, by the operator of the service. `key_created`: An API key was created; with `detail` operator, by the operator of the service. `key_rotated`: An API key got a new secret. `key_kept`: An API key that awaited the owner works again. `key_restricted`: What an API key may do was changed; with `detail` widened, it may do more than before. `key_revoked`: An API key was revoked; with `detail` operator, by the operator of the service. `key_leaked`: The secret of an API key was found in public, and the key was revoked; `detail` says where. `key_expiring`: The owner was notified that an API key is about to expire. `app_connected`: A person gave an app access; `detail` is the host of its client id. `app_disconnected`: The access of an app was ended; with `detail` operator, by the operator of the service, with code_reused because its authorization code was used twice or wrongly. `exchange_refused`: An exchange was refused: the secret was wrong, the API key is not active, or the call came from outside of its networks; `detail` says which. `limit_hit`: A rate limit refused a call; `detail` names the limit. `renamed`: The display name was changed. `exported`: The account’s data was exported. `payment_link_deactivated`: Payment links were deactivated; `times` says how many. `not_me`: Somebody with access to the mailbox reported a mail with "this wasn’t me". `mail_resumed`: The pause of mails to this address was ended. `deletion_asked`: The account was deleted. It is erased when the change of its address can no longer be undone. `account_disabled`: The operator of the service disabled the account: nobody can sign in to it, and every access token is revoked. `account_enabled`: The operator of the service enabled the account again.
         * @enum {string}
         */
        SecurityEventType: "account_created" | "signup_refused" | "account_claimed" | "signed_in" | "sign_in_refused" | "google_connected" | "google_disconnected" | "signed_out" | "google_not_restored" | "email_change_asked" | "email_changed" | "email_change_undone" | "tokens_revoked" | "key_created" | "key_rotated" | "key_kept" | "key_restricted" | "key_revoked" | "key_leaked" | "key_expiring" | "app_connected" | "app_disconnected" | "exchange_refused" | "limit_hit" | "renamed" | "exported" | "payment_link_deactivated" | "not_me" | "mail_resumed" | "deletion_asked" | "account_disabled" | "account_enabled";
        Session: {
            /** @description Its tokens carry it as `sid`. */
            id: string;
            /** @enum {string} */
            method: "magic_link" | "google";
            /** Format: date-time */
            createdAt: string;
            /** @description The browser, from a closed list: `Chrome`. Null: a program, or an unknown browser. */
            browser: string | null;
            /** @description The operating system, from a closed list: `Windows`. Null: unknown. */
            system: string | null;
            /** @description The IPv4 /24 or IPv6 /48 that the sign-in came from. Null: unknown. */
            network: string | null;
            /**
             * Format: date-time
             * @description The last call with a token of the sign-in, at most five minutes late.
             */
            lastSeenAt: string;
            /** @description True for the sign-in of the token of this call. */
            current: boolean;
        };
        SignIn: {
            /** @enum {string} */
            method: "magic_link" | "google";
            /** Format: date-time */
            createdAt: string;
            /** @description The browser, from a closed list: `Chrome`. Null: a program, or an unknown browser. */
            browser: string | null;
            /** @description The operating system, from a closed list: `Windows`. Null: unknown. */
            system: string | null;
            /** @description The IPv4 /24 or IPv6 /48 that the sign-in came from. Null: unknown. */
            network: string | null;
        };
        SignOutResult: {
            ok: boolean;
        };
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
        UndoEmailRequest: {
            /** @description The token of the button in the mail. */
            token: string;
        };
        UndoEmailResult: {
            ok: boolean;
        };
        UpdateKeyRequest: {
            /** @description Null: the default, "API key". */
            name?: string | null;
            /** @description Replaces all restrictions of the key. Null removes them. Absent: they stay. */
            restrictions?: components["schemas"]["KeyRestrictions"] | null;
        };
        UpdateKeyResult: {
            apiKey: components["schemas"]["ApiKey"];
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
        /** @description An error of an OAuth operation (RFC 6749, section 5.2). */
        OAuthError: {
            /**
             * @description Stable, for programs.
             * @enum {string}
             */
            error: "invalid_request" | "unsupported_grant_type" | "invalid_grant" | "invalid_scope" | "invalid_target" | "invalid_token" | "invalid_client" | "insufficient_scope" | "unauthorized_client" | "temporarily_unavailable" | "server_error";
            /** @description For people. */
            error_description: string;
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
        ErrorCode: "VALIDATION_FAILED" | "REDIRECT_NOT_ALLOWED" | "CURRENCY_NOT_SUPPORTED" | "OAUTH_STATE_INVALID" | "OAUTH_DENIED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "LINK_INVALID" | "GOOGLE_CREDENTIAL_INVALID" | "EMAIL_NOT_VERIFIED" | "INSUFFICIENT_SCOPE" | "AMOUNT_NOT_ALLOWED" | "KEY_AWAITS_OWNER" | "SIGN_IN_REQUIRED" | "SIGNUP_CLOSED" | "ORIGIN_NOT_ALLOWED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "EMAIL_TAKEN" | "KEY_NOT_ACTIVE" | "KEY_LIMIT_REACHED" | "APP_LIMIT_REACHED" | "CONSENT_ENDED" | "PAYMENT_LINK_LIMIT_REACHED" | "GOOGLE_ALREADY_CONNECTED" | "ALREADY_CREATED" | "IDEMPOTENCY_CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL" | "GOOGLE_NOT_CONFIGURED" | "GOOGLE_UNAVAILABLE" | "UNAVAILABLE";
        /** @description The request is malformed or does not match the schema of this endpoint. */
        ValidationFailedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "VALIDATION_FAILED";
            };
        };
        /** @description `redirectTo` must be an absolute URL on the origin of the application frontend. */
        RedirectNotAllowedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "REDIRECT_NOT_ALLOWED";
            };
        };
        /** @description `X-Currency` must be one of RON, EUR, GBP. */
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
        /** @description These credentials may not do this. */
        InsufficientScopeError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "INSUFFICIENT_SCOPE";
            };
        };
        /** @description This API key may not create a payment link of this amount. */
        AmountNotAllowedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "AMOUNT_NOT_ALLOWED";
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
        /** @description An account with this e-mail address exists, perhaps from an earlier signup whose answer was lost, or had this address in the last seven days. If you have an API key of the account, exchange it at POST /auth/api/token. Otherwise the holder of the address must ask for a mail (POST /auth/request): with its magic link they sign in and create a key, or it says that the address of the account was changed. */
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
        /** @description This account has reached its limit of 50 connected apps. Disconnect one first. */
        AppLimitReachedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "APP_LIMIT_REACHED";
            };
        };
        /** @description This request is unknown, already decided or expired. Start again in the app. */
        ConsentEndedError: {
            error: {
                /** @description For people. */
                message: string;
                /** @constant */
                code: "CONSENT_ENDED";
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
        /** @description APP_LIMIT_REACHED, CONSENT_ENDED */
        AppLimitReachedOrConsentEnded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AppLimitReachedError"] | components["schemas"]["ConsentEndedError"];
            };
        };
        /** @description EMAIL_NOT_VERIFIED, INSUFFICIENT_SCOPE, SIGN_IN_REQUIRED */
        EmailNotVerifiedOrInsufficientScopeOrSignInRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EmailNotVerifiedError"] | components["schemas"]["InsufficientScopeError"] | components["schemas"]["SignInRequiredError"];
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
                "X-Currency": components["headers"]["X-Currency"];
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
        /** @description INSUFFICIENT_SCOPE */
        InsufficientScope: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientScopeError"];
            };
        };
        /** @description INSUFFICIENT_SCOPE, AMOUNT_NOT_ALLOWED */
        InsufficientScopeOrAmountNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientScopeError"] | components["schemas"]["AmountNotAllowedError"];
            };
        };
        /** @description INSUFFICIENT_SCOPE, SIGN_IN_REQUIRED */
        InsufficientScopeOrSignInRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientScopeError"] | components["schemas"]["SignInRequiredError"];
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
        /** @description insufficient_scope */
        OAuthInsufficientScope: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description server_error */
        OAuthInternal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description invalid_client */
        OAuthInvalidCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description invalid_request */
        OAuthPayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description temporarily_unavailable */
        OAuthRateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description invalid_token, invalid_client */
        OAuthUnauthorizedOrInvalidCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description temporarily_unavailable */
        OAuthUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description invalid_request */
        OAuthUnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description invalid_request, invalid_grant, unauthorized_client */
        OAuthValidationFailedOrInvalidGrantOrKeyAwaitsOwner: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description invalid_request, unauthorized_client */
        OAuthValidationFailedOrKeyAwaitsOwner: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description invalid_request, unsupported_grant_type, invalid_grant, invalid_scope, invalid_target, unauthorized_client */
        OAuthValidationFailedOrUnsupportedGrantTypeOrInvalidGrantOrInvalidScopeOrInvalidTargetOrKeyAwaitsOwner: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
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
        /** @description UNAUTHORIZED, LINK_INVALID */
        UnauthorizedOrLinkInvalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Currency": components["headers"]["X-Currency"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"] | components["schemas"]["LinkInvalidError"];
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
        /** @description What is left of each limit that the call counted on, and the seconds until more: `"reads";r=99;t=1`. Absent if no limit counted it: it was refused before, or by the database (503), or limits are off. */
        RateLimit: string;
        /** @description Those limits: calls (`q`) in seconds (`w`), for example `"reads";q=600;w=60`. Absent without `RateLimit`. */
        "RateLimit-Policy": string;
        /** @description `Bearer`, with `error="invalid_token"` if the call carried a token (RFC 6750), and with `resource_metadata`, the URL of the metadata of the API (RFC 9728). `Basic` if an OAuth client is refused. */
        "WWW-Authenticate": string;
        /** @description Where the browser goes next. */
        Location: string;
        /** @description The state of the sign-in with Google: set by its start, deleted by its callback. */
        "Set-Cookie": string;
        /** @description Names the file for a browser that saves the answer. */
        "Content-Disposition": string;
        /** @description `true`: the call repeats an earlier one with its `Idempotency-Key`, and changed nothing. Absent on the first. */
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
                 *       "email": "ana@example.com"
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
    inspectButton: {
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
                "application/json": components["schemas"]["InspectButtonRequest"];
            };
        };
        responses: {
            /** @description What the mail was about. Nothing is changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "email": "a***@example.com",
                     *       "mailKind": "sign_in",
                     *       "mailedAt": "2026-11-21T10:00:00.000Z",
                     *       "usedAt": null,
                     *       "signIn": {
                     *         "method": "magic_link",
                     *         "createdAt": "2026-11-21T10:01:00.000Z",
                     *         "browser": "Chrome",
                     *         "system": "Windows",
                     *         "network": "203.0.113.0/24"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InspectButtonResult"];
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
    undoEmail: {
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
                "application/json": components["schemas"]["UndoEmailRequest"];
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
                    "application/json": components["schemas"]["UndoEmailResult"];
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
            403: components["responses"]["InsufficientScope"];
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
            403: components["responses"]["EmailNotVerifiedOrInsufficientScopeOrSignInRequired"];
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
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            501: components["responses"]["GoogleNotConfigured"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    signOut: {
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
            /** @description The sign-in has ended. Its tokens are refused. */
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
                    "application/json": components["schemas"]["SignOutResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    listSessions: {
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
            /** @description The live sign-ins, last seen first: at most 50. */
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
                     *       "sessions": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13",
                     *           "method": "magic_link",
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "lastSeenAt": "2026-11-21T10:25:00.000Z",
                     *           "browser": "Chrome",
                     *           "system": "Windows",
                     *           "network": "203.0.113.0/24",
                     *           "current": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListSessionsResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path: {
                /** @description The id of the sign-in. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sign-in, which has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13",
                     *         "method": "magic_link",
                     *         "createdAt": "2026-11-21T10:00:00.000Z",
                     *         "lastSeenAt": "2026-11-21T10:25:00.000Z",
                     *         "browser": "Chrome",
                     *         "system": "Windows",
                     *         "network": "203.0.113.0/24",
                     *         "current": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RevokeSessionResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
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
            403: components["responses"]["InsufficientScope"];
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
            403: components["responses"]["InsufficientScope"];
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
    updateKey: {
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
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "restrictions": {
                 *         "scopes": [
                 *           "payment_links:read",
                 *           "payment_links:write"
                 *         ],
                 *         "dailyAmount": {
                 *           "EUR": 5000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateKeyRequest"];
            };
        };
        responses: {
            /** @description The current state of the key. */
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
                     *         "revokedAt": null,
                     *         "restrictions": {
                     *           "scopes": [
                     *             "payment_links:read",
                     *             "payment_links:write"
                     *           ],
                     *           "dailyAmount": {
                     *             "EUR": 5000
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UpdateKeyResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            404: components["responses"]["NotFound"];
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
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
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
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
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
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
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
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    listUses: {
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
            /** @description The network of the last use, and the days with a use of the last 30, the latest last. */
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
                     *       "lastUsedNetwork": "203.0.113.0/24",
                     *       "days": [
                     *         {
                     *           "day": "2026-11-21",
                     *           "exchanges": 24,
                     *           "refusals": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListUsesResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
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
    authorize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirects to the consent page of the frontend, `/authorize`. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    inspectAuthorization: {
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
                 *       "query": "response_type=code&client_id=https%3A%2F%2F…"
                 *     }
                 */
                "application/json": components["schemas"]["InspectAuthorizationRequest"];
            };
        };
        responses: {
            /** @description What the app asks for, or why it is refused. */
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
                     *       "request": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f14",
                     *         "clientId": "https://assistant.example/client.json",
                     *         "domain": "assistant.example",
                     *         "name": "Assistant",
                     *         "redirectHost": "assistant.example",
                     *         "isLoopback": false,
                     *         "scopes": [
                     *           "account:read",
                     *           "payment_links:read"
                     *         ],
                     *         "resource": "https://pay.example/api/v1"
                     *       },
                     *       "refused": null
                     *     }
                     */
                    "application/json": components["schemas"]["InspectAuthorizationResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    decideAuthorization: {
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
                 *       "requestId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f14",
                 *       "allow": true,
                 *       "restrictions": {
                 *         "scopes": [
                 *           "payment_links:read",
                 *           "payment_links:write"
                 *         ],
                 *         "dailyAmount": {
                 *           "EUR": 5000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DecideAuthorizationRequest"];
            };
        };
        responses: {
            /** @description The decision is made. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "redirectTo": "https://assistant.example/callback?code=…&state=…&iss=…"
                     *     }
                     */
                    "application/json": components["schemas"]["DecideAuthorizationResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            409: components["responses"]["AppLimitReachedOrConsentEnded"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    listApps: {
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
            /** @description The apps, newest first: at most 50. */
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
                     *       "apps": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f15",
                     *           "clientId": "https://assistant.example/client.json",
                     *           "domain": "assistant.example",
                     *           "name": "Assistant",
                     *           "resource": "https://pay.example/api/v1",
                     *           "restrictions": {
                     *             "scopes": [
                     *               "payment_links:read",
                     *               "payment_links:write"
                     *             ],
                     *             "dailyAmount": {
                     *               "EUR": 5000
                     *             }
                     *           },
                     *           "createdAt": "2026-11-23T10:00:00.000Z",
                     *           "lastUsedAt": "2026-11-23T10:05:00.000Z",
                     *           "expiresAt": "2026-11-30T10:00:05.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListAppsResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    revokeApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The currency context of the call; RON when absent. Echoed back. */
                "x-currency"?: components["parameters"]["XCurrency"];
            };
            path: {
                /** @description The id of the app in `GET /auth/apps`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The app, whose access has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f15",
                     *         "clientId": "https://assistant.example/client.json",
                     *         "domain": "assistant.example",
                     *         "name": "Assistant",
                     *         "resource": "https://pay.example/api/v1",
                     *         "restrictions": {
                     *           "scopes": [
                     *             "payment_links:read",
                     *             "payment_links:write"
                     *           ],
                     *           "dailyAmount": {
                     *             "EUR": 5000
                     *           }
                     *         },
                     *         "createdAt": "2026-11-23T10:00:00.000Z",
                     *         "lastUsedAt": "2026-11-23T10:05:00.000Z",
                     *         "expiresAt": "2026-11-30T10:00:05.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RevokeAppResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
                /** @description Only links whose title, reference or id contains every word of this text, in any case, with or without accents. */
                search?: string;
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
                     *             "currency": "EUR"
                     *           },
                     *           "original": {
                     *             "value": 245000,
                     *             "currency": "EUR"
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
            403: components["responses"]["InsufficientScope"];
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
                     *           "currency": "EUR"
                     *         },
                     *         "original": {
                     *           "value": 245000,
                     *           "currency": "EUR"
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
            403: components["responses"]["InsufficientScopeOrAmountNotAllowed"];
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
                     *           "currency": "EUR"
                     *         },
                     *         "original": {
                     *           "value": 245000,
                     *           "currency": "EUR"
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
            403: components["responses"]["InsufficientScope"];
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
                     *           "currency": "EUR"
                     *         },
                     *         "original": {
                     *           "value": 245000,
                     *           "currency": "EUR"
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
            403: components["responses"]["InsufficientScope"];
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
                     *           "currency": "EUR"
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
            403: components["responses"]["InsufficientScope"];
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
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
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
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    changeEmail: {
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
                 *       "email": "ana.pop@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeEmailRequest"];
            };
        };
        responses: {
            /** @description The request is accepted. The response is the same for every address. */
            202: {
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
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["ChangeEmailResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    confirmEmail: {
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
                 *       "token": "k3Zr0bXn4Yk2pV9c1sQ7tLw8mJf5hDg6aEo-uRi_xyU"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmEmailRequest"];
            };
        };
        responses: {
            /** @description The address is changed. Every access token issued before is invalid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Currency": components["headers"]["X-Currency"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjRrUWcxeU9oIn0.e30.c2lnbmF0dXJl",
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
                    "application/json": components["schemas"]["ConfirmEmailResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["UnauthorizedOrLinkInvalid"];
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
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
                     *       "signIns": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13",
                     *           "method": "magic_link",
                     *           "tokenVersion": 0,
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "expiresAt": "2026-11-28T10:00:00.000Z",
                     *           "lastSeenAt": "2026-11-21T10:25:00.000Z",
                     *           "endedAt": null,
                     *           "browser": "Chrome on Windows",
                     *           "client": "203.0.113.9",
                     *           "isNewBrowser": false
                     *         }
                     *       ],
                     *       "identities": [
                     *         {
                     *           "issuer": "https://accounts.google.com",
                     *           "subject": "110169484474386276334",
                     *           "email": "ana@gmail.com",
                     *           "connectedAt": "2026-11-21T10:00:00.000Z",
                     *           "signInId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13"
                     *         }
                     *       ],
                     *       "addressChanges": [],
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
                     *           "lastUsedClient": null,
                     *           "kind": "key",
                     *           "clientId": null,
                     *           "resource": null,
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
                     *       "keyAmounts": [
                     *         {
                     *           "apiKeyId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *           "day": "2026-11-21",
                     *           "currency": "EUR",
                     *           "amount": 5000
                     *         }
                     *       ],
                     *       "keyUses": [
                     *         {
                     *           "apiKeyId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
                     *           "day": "2026-11-21",
                     *           "exchanges": 24,
                     *           "refusals": 0
                     *         }
                     *       ],
                     *       "events": [
                     *         {
                     *           "id": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f12",
                     *           "type": "signed_in",
                     *           "at": "2026-11-21T10:00:00.000Z",
                     *           "client": "203.0.113.9",
                     *           "browser": "Firefox on Linux",
                     *           "apiKeyId": null,
                     *           "byApiKeyId": null,
                     *           "signInId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13",
                     *           "bySignInId": null,
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
                     *             "currency": "EUR"
                     *           },
                     *           "original": {
                     *             "value": 245000,
                     *             "currency": "EUR"
                     *           },
                     *           "exchangeRate": null,
                     *           "createdAt": "2026-11-21T10:00:00.000Z",
                     *           "expiresAt": null,
                     *           "apiKeyId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11",
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
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
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
            403: components["responses"]["InsufficientScopeOrSignInRequired"];
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
                /** @description Only events of this kind. `alert`: events of any kind that a thief may have caused. */
                kind?: components["schemas"]["SecurityEventKind"];
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
                     *           "browser": "Firefox on Linux",
                     *           "apiKeyId": null,
                     *           "byApiKeyId": null,
                     *           "signInId": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f13",
                     *           "bySignInId": null,
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
            403: components["responses"]["InsufficientScope"];
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
            query?: {
                /** @description What the call needs of a token of a restricted API key. */
                scope?: components["schemas"]["Scope"];
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
                    /** @description What the API key may do, separated by spaces. Absent: the token is from a sign-in. */
                    "X-Api-Key-Scopes"?: string;
                    /** @description Whether the holder of the account’s address has proven it. `false`: anybody may have signed up with it. */
                    "X-Account-Claimed"?: "true" | "false";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailedOrCurrencyNotSupported"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["InsufficientScope"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Error"];
        };
    };
    issueToken: {
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
                 *       "grant_type": "client_credentials",
                 *       "client_id": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                 *       "client_secret": "pls_YourSecret"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["IssueTokenRequest"];
            };
        };
        responses: {
            /** @description An access token. */
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
                     *       "access_token": "eyJ…",
                     *       "token_type": "Bearer",
                     *       "expires_in": 3600,
                     *       "scope": "payment_links:read payment_links:write"
                     *     }
                     */
                    "application/json": components["schemas"]["IssueTokenResult"];
                };
            };
            400: components["responses"]["OAuthValidationFailedOrUnsupportedGrantTypeOrInvalidGrantOrInvalidScopeOrInvalidTargetOrKeyAwaitsOwner"];
            401: components["responses"]["OAuthInvalidCredentials"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthRateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthUnavailable"];
            default: components["responses"]["Error"];
        };
    };
    introspectToken: {
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
                 *       "token": "eyJ…",
                 *       "client_ip": "203.0.113.7"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["IntrospectTokenRequest"];
            };
        };
        responses: {
            /** @description The state of the token at this moment; `{ "active": false }` and nothing else if it is not accepted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "active": true,
                     *       "scope": "payment_links:read payment_links:write",
                     *       "client_id": "plk_4fR7sQ0bXy2LkTz9WcNd1e",
                     *       "token_type": "Bearer",
                     *       "exp": 1795000000,
                     *       "iat": 1794996400,
                     *       "sub": "0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10",
                     *       "aud": "https://auth.example.com/api/v1",
                     *       "iss": "https://auth.example.com",
                     *       "jti": "b5c7a1de-30c4-4d8b-9f51-0a4f6f2d9e77",
                     *       "role": "USER",
                     *       "account_claimed": true
                     *     }
                     */
                    "application/json": components["schemas"]["IntrospectTokenResult"];
                };
            };
            400: components["responses"]["OAuthValidationFailedOrKeyAwaitsOwner"];
            401: components["responses"]["OAuthUnauthorizedOrInvalidCredentials"];
            403: components["responses"]["OAuthInsufficientScope"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthRateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthUnavailable"];
            default: components["responses"]["Error"];
        };
    };
    revokeToken: {
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
                 *       "token": "eyJ…"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["RevokeTokenRequest"];
            };
        };
        responses: {
            /** @description The token is not accepted from this response on, on every process. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OAuthValidationFailedOrInvalidGrantOrKeyAwaitsOwner"];
            401: components["responses"]["OAuthInvalidCredentials"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthRateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["OAuthInternal"];
            503: components["responses"]["OAuthUnavailable"];
            default: components["responses"]["Error"];
        };
    };
}
