/** Runs before the first paint: the theme that the person chose in the web app. */
const [, theme] = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie) ?? []
if (theme !== undefined) document.documentElement.dataset['theme'] = theme
