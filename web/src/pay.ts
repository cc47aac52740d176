/** Shows the times on the page of a payment link in the payer's zone. The service wrote them in UTC. */
const shown = new Intl.DateTimeFormat(document.documentElement.lang === 'ro' ? 'ro-RO' : 'en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})

for (const time of document.querySelectorAll('time')) time.textContent = shown.format(new Date(time.dateTime))
