# The service as an image: dist and Node, nothing else; for a user without rights, on a file system that may be read-only.
ARG NODE_VERSION=26.10.0

FROM node:${NODE_VERSION}-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# No package may run anything: this image brings the Node that the scripts would install.
RUN npm ci --ignore-scripts
COPY . .
RUN ["/usr/local/bin/node", "scripts/build-web.ts"]
RUN ["/usr/local/bin/node", "scripts/build-server.ts"]
# Whatever the modes of the files in the repository are: the user below reads them.
RUN ["/bin/chmod", "-R", "a+rX", "dist"]

FROM node:${NODE_VERSION}-slim
ENV NODE_ENV=production DATA_DIR=/data NODE_COMPILE_CACHE=/app/.compiled MALLOC_ARENA_MAX=2
COPY --from=build /build/dist /app
WORKDIR /app
RUN mkdir -m 0700 /data && mkdir .compiled && chown 1000:1000 /data .compiled
# The image's user `node`, as a number, so that Kubernetes can see that it is not root.
USER 1000:1000
# What is compiled here is read on each start by this very Node and user. It also shows that the image works at all.
RUN NODE_ENV=development DATA_DIR=/tmp/first node paylink-auth.js migrate && rm -r /tmp/first
# Read, and never written: machine code could be hidden in it.
USER 0:0
RUN chown -R 0:0 .compiled && chmod -R go-w,a+rX .compiled
USER 1000:1000
# The embedded database. On PostgreSQL nothing is written to it.
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Not /readyz: that is 503 while the database is away, which a new container would not mend.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without a shell between, so that SIGTERM arrives.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--max-old-space-size=512", "/app/paylink-auth.js"]
CMD ["serve"]
