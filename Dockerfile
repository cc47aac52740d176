# Only dist and Node, for an unprivileged user. Works on a read-only file system.
ARG NODE_VERSION=26.10.0

FROM node:${NODE_VERSION}-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The install scripts would install Node, which this image has.
RUN npm ci --ignore-scripts
COPY . .
RUN ["/usr/local/bin/node", "scripts/build-web.ts"]
RUN ["/usr/local/bin/node", "scripts/build-server.ts"]
# Readable for the user below, whatever the file modes in the checkout.
RUN ["/bin/chmod", "-R", "a+rX", "dist"]

FROM node:${NODE_VERSION}-slim
ENV NODE_ENV=production DATA_DIR=/data NODE_COMPILE_CACHE=/app/.compiled MALLOC_ARENA_MAX=2
COPY --from=build /build/dist /app
WORKDIR /app
RUN mkdir -m 0700 /data && mkdir .compiled && chown 1000:1000 /data .compiled
# The image's user `node`, as a number: Kubernetes' runAsNonRoot cannot check a name.
USER 1000:1000
# Fills the compile cache, which depends on the Node version and the user. Fails the build if the image does not run.
RUN NODE_ENV=development DATA_DIR=/tmp/first node paylink-auth.js migrate && rm -r /tmp/first
# Read-only at run time: the cache holds code that Node executes.
USER 0:0
RUN chown -R 0:0 .compiled && chmod -R go-w,a+rX .compiled
USER 1000:1000
# The embedded database. Unused with PostgreSQL.
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Not /readyz, which is 503 while the database is down: a new container would not help.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell in between, so that SIGTERM arrives.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--max-old-space-size=512", "--no-allocation-site-pretenuring", "/app/paylink-auth.js"]
CMD ["serve"]
