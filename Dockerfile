# The image of the service: a build of the sources, with everything that a server needs to run it. See docs/deployment.md.
#
#   docker build -t affiliate .

FROM node:24-bookworm-slim AS build
WORKDIR /source
# Commit of the sources, which the service reports: docker build --build-arg COMMIT=$(git rev-parse HEAD) -t affiliate .
ARG COMMIT
COPY . .
RUN npx -y pnpm@12 install --frozen-lockfile \
 && npx -y pnpm@12 build /affiliate

FROM node:24-bookworm-slim
# tini runs as process 1. It forwards signals and reaps ended child processes.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*
# The files belong to root, so that the service can read its own code but not change it. The service writes no files.
COPY --from=build /affiliate /affiliate
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
USER node
EXPOSE 3000
# For `rest`, and for a worker with WORKER_PORT=3000. Commands need no check.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "node", "/affiliate/affiliate.js"]
CMD ["rest"]
